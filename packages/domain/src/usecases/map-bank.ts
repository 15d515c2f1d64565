import type { BankMapping } from '../core/routing.ts';
import type { Domain } from './domain.ts';

/** Says what a channel calls one of our bank codes. */
export async function mapBank(domain: Domain, mapping: BankMapping): Promise<void> {
  await domain.database.pool.query(
    `insert into bank_mapping (channel_id, kind, bank_code, channel_bank_code) values ($1, $2, $3, $4)
     on conflict (channel_id, kind, bank_code) do update set channel_bank_code = excluded.channel_bank_code`,
    [mapping.channelId, mapping.kind, mapping.bankCode, mapping.channelBankCode],
  );
}

import type { BankMapping } from '../core/routing.ts';
import type { Within } from '../ledger/index.ts';

/** Says what a channel calls one of our bank codes. Gives what it was called before; null where it had no name. */
export async function mapBank(within: Within, mapping: BankMapping): Promise<string | null> {
  const { rows } = await within.database.pool.query<{ before: string | null }>(
    `with old as (select channel_bank_code from bank_mapping where channel_id = $1 and kind = $2 and bank_code = $3)
     insert into bank_mapping (channel_id, kind, bank_code, channel_bank_code) values ($1, $2, $3, $4)
     on conflict (channel_id, kind, bank_code) do update set channel_bank_code = excluded.channel_bank_code
     returning (select channel_bank_code from old) as before`,
    [mapping.channelId, mapping.kind, mapping.bankCode, mapping.channelBankCode],
  );
  return rows[0]?.before ?? null;
}

import type { BankMapping } from '../core/routing.ts';
import { BankMappingRow } from '../database/entities/channel.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/** Sets a channel's own code for one of our bank codes. Returns the mapping. */
export async function mapBank(within: ChangeTransaction, mapping: BankMapping): Promise<object> {
  const { channelId, kind, bankCode, channelBankCode } = mapping;
  const em = within.database.unitOfWork();
  const key = { channel: channelId, kind, bankCode };
  const found = await em.findOne(BankMappingRow, key);
  const set = found ? em.assign(found, { channelBankCode }) : em.create(BankMappingRow, { ...key, channelBankCode });
  await em.persist(set).flush();
  return set;
}

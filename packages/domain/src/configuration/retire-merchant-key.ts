import { MerchantKey } from '../database/entities/merchant.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/**
 * Ends a merchant's public key at `endsAt` (Unix ms; null: now), by the database's clock. Until then it verifies like
 * the merchant's other keys (decisions 2.5). Returns the key; null if the merchant has no such key.
 */
export async function retireMerchantKey(
  within: ChangeTransaction,
  merchantId: string,
  keyId: string,
  endsAt: number | null,
): Promise<{ expiresAt: Date } | null> {
  const em = within.database.unitOfWork();
  const key = await em.findOne(MerchantKey, { merchant: merchantId, keyId });
  if (!key) return null;
  const expiresAt = endsAt === null ? await databaseNow(em) : new Date(endsAt);
  const retired = Object.assign(key, { expiresAt });
  await em.flush();
  return retired;
}

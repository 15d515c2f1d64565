import { MerchantServiceKey } from '../database/entities/merchant.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import type { ServiceKeyView } from './rotate-service-key.ts';

/**
 * Signs the merchant's notifications with its own key from now on, also while the common key signs for others. Null: it
 * has no key.
 */
export async function useOwnServiceKey(
  within: ChangeTransaction,
  merchantId: string,
): Promise<(ServiceKeyView & { entity: object }) | null> {
  const em = within.database.unitOfWork();
  const key = await em.findOne(MerchantServiceKey, { merchant: merchantId, retiresAt: null });
  if (!key) return null;
  key.signsFrom ??= await databaseNow(em);
  await em.flush();
  return { merchantId, keyId: key.keyId, publicKeyPem: key.publicKeyPem, entity: key };
}

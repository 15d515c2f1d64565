import { Merchant } from '../database/entities/merchant.ts';
import type { Within } from '../ledger/index.ts';

export type MerchantStatus = 'active' | 'disabled';

/** Lets a merchant's requests in, or refuses them all (40301); orders that are open go on. Gives the merchant; null if there is none such. */
export async function setMerchantStatus(
  within: Within,
  merchantId: string,
  status: MerchantStatus,
): Promise<object | null> {
  const em = within.database.unitOfWork();
  const merchant = await em.findOne(Merchant, merchantId);
  if (!merchant) return null;
  merchant.status = status;
  await em.flush();
  return merchant;
}

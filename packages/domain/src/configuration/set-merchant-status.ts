import { Merchant } from '../database/entities/merchant.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

export type MerchantStatus = 'active' | 'disabled';

/**
 * Enables or disables a merchant. The requests of a disabled one are refused (40301); open orders continue. Returns the
 * merchant, or null if there is none.
 */
export async function setMerchantStatus(
  within: ChangeTransaction,
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

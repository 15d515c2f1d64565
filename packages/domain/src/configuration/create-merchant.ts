import type { Country } from '../core/country.ts';
import { merchantTag } from '../core/order-number.ts';
import { currencyOf } from '../countries/index.ts';
import { Merchant } from '../database/entities/merchant.ts';
import { isTaken } from '../database/unit-of-work.ts';
import { type ChangeTransaction, openWallet } from '../ledger/index.ts';

export interface NewMerchant {
  /** The merchant number: 3 to 32 upper-case letters, digits and hyphens. */
  merchantId: string;
  name: string;
  country: Country;
  defaultNotifyUrl?: string;
  acceptDeprecatedFields?: boolean;
}

/**
 * Creates a merchant with its empty wallet; null if the number exists. After null the surrounding transaction can
 * only be rolled back. Country and currency never change.
 */
export async function createMerchant(within: ChangeTransaction, merchant: NewMerchant): Promise<object | null> {
  const { merchantId, country } = merchant;
  const em = within.database.unitOfWork();
  if (await em.findOne(Merchant, merchantId)) return null;
  const currency = currencyOf[country];
  const created = em.create(Merchant, { ...merchant, currency, tag: merchantTag(merchantId) });
  try {
    em.persist(created);
    openWallet(em, merchantId, currency);
    await em.flush();
  } catch (error) {
    // Another process created it at the same time.
    if (isTaken(error, 'merchant_pkey')) return null;
    throw error;
  }
  return created;
}

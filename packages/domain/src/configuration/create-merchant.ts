import type { Country } from '../core/country.ts';
import { merchantTag } from '../core/order-number.ts';
import { currencyOf } from '../countries/index.ts';
import type { Within } from '../ledger/index.ts';

export interface NewMerchant {
  /** The merchant number: 3 to 32 capital letters, digits and hyphens. */
  merchantId: string;
  name: string;
  country: Country;
  defaultNotifyUrl?: string;
  acceptDeprecatedFields?: boolean;
}

/** Creates a merchant with its empty wallet; false if the number is taken. Country and currency are bound to it for good. */
export async function createMerchant(within: Within, merchant: NewMerchant): Promise<boolean> {
  const { rowCount } = await within.database.pool.query(
    `with created as (
       insert into merchant (merchant_id, name, country, currency, default_notify_url, accept_deprecated_fields, tag)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning merchant_id, currency)
     insert into wallet (merchant_id, currency) select merchant_id, currency from created`,
    [
      merchant.merchantId,
      merchant.name,
      merchant.country,
      currencyOf[merchant.country],
      merchant.defaultNotifyUrl ?? null,
      merchant.acceptDeprecatedFields ?? false,
      merchantTag(merchant.merchantId),
    ],
  );
  return rowCount === 1;
}

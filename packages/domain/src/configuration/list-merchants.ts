import { z } from 'zod';
import type { Country, Currency } from '../core/country.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { Merchant } from '../database/entities/merchant.ts';
import { given, is, isOneOf } from '../lists/conditions.ts';
import { anyOf, country, merchantIds, text } from '../lists/filter-parts.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';
import { amongMerchants, type Scope } from '../lists/scope.ts';

export const merchantFilter = z.strictObject({
  merchantIds,
  countries: anyOf(country),
  status: z.enum(['active', 'disabled']).nullish(),
  /** A part of the number or the name, in any case. */
  search: text.nullish(),
});
export type MerchantFilter = z.infer<typeof merchantFilter>;

/** A merchant and its settings. Amounts are decimal text in its currency, times Unix milliseconds. */
export interface MerchantRecord {
  merchantId: string;
  name: string;
  country: Country;
  currency: Currency;
  status: 'active' | 'disabled';
  payinEnabled: boolean;
  payoutEnabled: boolean;
  acceptDeprecatedFields: boolean;
  defaultNotifyUrl: string | null;
  ipAllowList: string[] | null;
  requestsPerSecond: number;
  requestBurst: number;
  payinMin: string;
  payinMax: string;
  payoutMin: string;
  payoutMax: string;
  notificationsPaused: boolean;
  createdAt: number;
  changedAt: number;
}

/** Merchants by number, without the platform's own tenants. */
export function pageMerchants(
  { database }: { database: Database },
  scope: Scope,
  filter: MerchantFilter,
  page: PageRequest<'merchants'>,
): Promise<Page<MerchantRecord>> {
  return readPage(
    database.reading,
    {
      table: 'merchant',
      columns: columnsOf(database.orm, Merchant, ['tag']),
      merchants: null,
      indexConditions: () => [],
      rowConditions: (add) => [
        `t.merchant_id !~ '^PLATFORM($|-)'`,
        ...amongMerchants(filter.merchantIds ?? null, scope, add),
        ...given(
          isOneOf('t.country', filter.countries, add),
          is('t.status', filter.status, add),
          filter.search == null
            ? null
            : `position(upper(${add(filter.search)}) in upper(t.merchant_id || ' ' || t.name)) > 0`,
        ),
      ],
    },
    page,
  );
}

import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { MerchantKey } from '../database/entities/merchant.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import type { Scope } from '../lists/scope.ts';

/** A public key of a merchant. One with a past `expiresAt` verifies nothing. Times are Unix milliseconds. */
export interface MerchantKeyRecord {
  merchantId: string;
  keyId: string;
  publicKeyPem: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
}

/**
 * A page of each merchant's public keys, also ended ones, the newest first. The service never has private keys of
 * merchants.
 */
export function pagesOfMerchantKeys(
  { database }: { database: Database },
  scope: Scope,
  merchantIds: readonly string[],
  page: PageRequest<'merchant_keys'>,
): Promise<Page<MerchantKeyRecord>[]> {
  return readPages(
    database.reading,
    {
      table: 'merchant_key',
      columns: columnsOf(database.orm, MerchantKey),
      parent: ['merchant_id'],
    },
    scope,
    merchantIds.map((merchantId) => [merchantId]),
    page,
  );
}

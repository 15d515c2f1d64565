import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { MerchantServiceKey } from '../database/entities/merchant.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPages } from '../lists/read-pages.ts';
import type { Scope } from '../lists/scope.ts';

/**
 * A key with which the service signs a merchant's notifications, without its private part. Times are Unix milliseconds.
 */
export interface ServiceKeyRecord {
  merchantId: string;
  keyId: string;
  publicKeyPem: string;
  createdAt: number;
  /** The end of its publication; null: it is the current key. */
  retiresAt: number | null;
}

/** A page of each merchant's service keys, also ended ones, the newest first. */
export function pagesOfServiceKeys(
  { database }: { database: Database },
  scope: Scope,
  merchantIds: readonly string[],
  page: PageRequest<'service_keys'>,
): Promise<Page<ServiceKeyRecord>[]> {
  return readPages(
    database.reading,
    {
      table: 'merchant_service_key',
      columns: columnsOf(database.orm, MerchantServiceKey, ['privateKey']),
      parent: ['merchant_id'],
    },
    scope,
    merchantIds.map((merchantId) => [merchantId]),
    page,
  );
}

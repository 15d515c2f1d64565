import type { Within } from '../ledger/index.ts';
import type { ServiceKeyView } from './rotate-service-key.ts';

/** Signs the merchant's notifications with its own key from now on, also while the common key signs for others. Null: it has no key. */
export async function useOwnServiceKey(within: Within, merchantId: string): Promise<ServiceKeyView | null> {
  const { rows } = await within.database.pool.query<ServiceKeyView>(
    `update merchant_service_key set signs_from = coalesce(signs_from, clock_timestamp()) where merchant_id = $1 and retires_at is null
     returning merchant_id as "merchantId", key_id as "keyId", public_key_pem as "publicKeyPem"`,
    [merchantId],
  );
  return rows[0] ?? null;
}

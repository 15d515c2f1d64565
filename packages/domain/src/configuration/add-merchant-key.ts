import { keyId, parsePublicKey } from '@tidegate/signature';
import type { Within } from '../ledger/index.ts';

/**
 * Adds a public key with which the merchant may sign, beside those that it has (rotation with overlap, decisions 2.5); one that was
 * to end does so no more. Takes SPKI or PKCS#1 PEM or bare base64 DER; throws InvalidKey for anything else. Gives the key's id; null
 * where another merchant has that key: then a transaction that this is part of can only be rolled back.
 */
export async function addMerchantKey(within: Within, merchantId: string, publicKey: string): Promise<string | null> {
  const key = parsePublicKey(publicKey);
  const id = keyId(key);
  try {
    await within.database.pool.query(
      'insert into merchant_key (merchant_id, key_id, public_key_pem) values ($1, $2, $3) on conflict (merchant_id, key_id) do update set expires_at = null',
      [merchantId, id, key.export({ type: 'spki', format: 'pem' })],
    );
    return id;
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'public_key_owner_pkey') return null;
    throw error;
  }
}

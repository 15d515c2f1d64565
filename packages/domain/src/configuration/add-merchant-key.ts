import { keyId, parsePublicKey } from '@tidegate/signature';
import { MerchantKey } from '../database/entities/merchant.ts';
import { isTaken } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';

/**
 * Adds a public key with which the merchant may sign, next to its existing keys (rotation with overlap, decisions
 * 2.5). If the key was to end, it no longer does. Takes SPKI or PKCS#1 PEM or bare base64 DER; throws InvalidKey for
 * anything else. Returns the key, or null if another merchant has it. After null the surrounding transaction can only
 * be rolled back.
 */
export async function addMerchantKey(
  within: ChangeTransaction,
  merchantId: string,
  publicKey: string,
): Promise<{ keyId: string } | null> {
  const parsed = parsePublicKey(publicKey);
  const em = within.database.unitOfWork();
  const key = { merchant: merchantId, keyId: keyId(parsed) };
  const publicKeyPem = parsed.export({ type: 'spki', format: 'pem' }).toString();
  const found = await em.findOne(MerchantKey, key);
  const added = found ? em.assign(found, { expiresAt: null }) : em.create(MerchantKey, { ...key, publicKeyPem });
  try {
    await em.persist(added).flush();
    return added;
  } catch (error) {
    if (isTaken(error, 'public_key_owner_pkey')) return null;
    throw error;
  }
}

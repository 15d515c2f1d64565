import { MerchantServiceKey } from '../database/entities/merchant.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import { type KeyPair, serviceKeyOf } from './make-service-key.ts';

export interface RotatedServiceKey {
  merchantId: string;
  /** The merchant's current key. */
  keyId: string;
  /** PEM (SPKI). */
  publicKeyPem: string;
  /** The replaced key, and the end of its publication in Unix ms. */
  retiring: { keyId: string; retiresAt: number };
}

/**
 * Replaces the merchant's service key. The old key stops signing, and stays published for `overlapMs` by the database's
 * clock, so that its signatures can be verified. Without an overlap, keys of earlier rotations are no longer published
 * either.
 */
export async function rotateServiceKey(
  within: ChangeTransaction,
  merchantId: string,
  pair: KeyPair,
  overlapMs: number,
): Promise<RotatedServiceKey> {
  const em = within.database.unitOfWork();
  const now = await databaseNow(em);
  const published = { merchant: merchantId, $or: [{ retiresAt: null }, { retiresAt: { $gt: now } }] };
  const keys = await em.find(MerchantServiceKey, published);
  const old = keys.find((key) => key.retiresAt == null);
  if (!old) throw new Error(`${merchantId} has no service key`);
  if (overlapMs === 0) for (const key of keys) key.retiresAt = now;
  const retiresAt = new Date(now.getTime() + overlapMs);
  old.retiresAt = retiresAt;
  // Changed first, because a merchant cannot have two current keys.
  await em.flush();
  const { keyId, publicKeyPem, privateKey } = serviceKeyOf(within.vault, merchantId, pair);
  await em.persist(em.create(MerchantServiceKey, { merchant: merchantId, keyId, publicKeyPem, privateKey })).flush();
  return { merchantId, keyId, publicKeyPem, retiring: { keyId: old.keyId, retiresAt: retiresAt.getTime() } };
}

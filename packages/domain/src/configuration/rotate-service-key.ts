import { MerchantServiceKey } from '../database/entities/merchant.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { ChangeTransaction } from '../ledger/index.ts';
import { type KeyPair, serviceKeyOf } from './make-service-key.ts';

export interface ServiceKeyView {
  merchantId: string;
  /** The merchant's current key. */
  keyId: string;
  /** PEM (SPKI). */
  publicKeyPem: string;
}

export interface RotatedServiceKey extends ServiceKeyView {
  /** The replaced key, and the end of its publication in Unix ms; null if there was none. */
  retiring: { keyId: string; retiresAt: number } | null;
}

/** Stores the first key of a new merchant. It signs at once. */
export async function addFirstServiceKey(
  within: ChangeTransaction,
  merchantId: string,
  pair: KeyPair,
): Promise<ServiceKeyView> {
  return addKey(within, merchantId, pair, await databaseNow(within.database.unitOfWork()));
}

/**
 * Replaces the merchant's service key. The old key stops signing, and stays published for `overlapMs` by the database's
 * clock, so that its signatures can be verified. Without an overlap, keys of earlier rotations are no longer published
 * either. If the common key still signs for the merchant, the new key waits too.
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
  const hasSigned = old?.signsFrom != null;
  if (overlapMs === 0) for (const key of keys) key.retiresAt = now;
  const retiresAt = new Date(now.getTime() + (hasSigned ? overlapMs : 0));
  if (old) old.retiresAt = retiresAt;
  // Changed first, because a merchant cannot have two current keys.
  await em.flush();
  const added = await addKey(within, merchantId, pair, old && !hasSigned ? null : now);
  return { ...added, retiring: old ? { keyId: old.keyId, retiresAt: retiresAt.getTime() } : null };
}

async function addKey(
  within: ChangeTransaction,
  merchantId: string,
  pair: KeyPair,
  signsFrom: Date | null,
): Promise<ServiceKeyView> {
  const em = within.database.unitOfWork();
  const key = serviceKeyOf(within.vault, merchantId, pair);
  await em.persist(em.create(MerchantServiceKey, { merchant: merchantId, ...key, signsFrom })).flush();
  return { merchantId, keyId: key.keyId, publicKeyPem: key.publicKeyPem };
}

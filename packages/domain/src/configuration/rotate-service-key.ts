import { MerchantServiceKey } from '../database/entities/merchant.ts';
import { databaseNow } from '../database/unit-of-work.ts';
import type { Within } from '../ledger/index.ts';
import { type KeyPair, serviceKeyOf } from './make-service-key.ts';

export interface ServiceKeyView {
  merchantId: string;
  /** The merchant's current key. */
  keyId: string;
  /** PEM (SPKI). */
  publicKeyPem: string;
}

export interface RotatedServiceKey extends ServiceKeyView {
  /** The key that it replaces, and until when that one stays published, in Unix ms; null where there was none. */
  retiring: { keyId: string; retiresAt: number } | null;
}

/** Keeps a new merchant's first key; it signs at once. */
export async function addFirstServiceKey(within: Within, merchantId: string, pair: KeyPair): Promise<ServiceKeyView> {
  return addKey(within, merchantId, pair, await databaseNow(within.database.unitOfWork()));
}

/**
 * Puts a new key in the place of the merchant's. The old one signs no more, and stays published for `overlapMs` by the database's clock,
 * so that what it signed can be verified meanwhile; with none, those that it had replaced are published no more either. Where it never
 * signed, since the common key still does, neither does the new one yet.
 */
export async function rotateServiceKey(
  within: Within,
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
  // First away: no merchant has two current keys.
  await em.flush();
  const added = await addKey(within, merchantId, pair, old && !hasSigned ? null : now);
  return { ...added, retiring: old ? { keyId: old.keyId, retiresAt: retiresAt.getTime() } : null };
}

async function addKey(
  within: Within,
  merchantId: string,
  pair: KeyPair,
  signsFrom: Date | null,
): Promise<ServiceKeyView> {
  const em = within.database.unitOfWork();
  const key = serviceKeyOf(within.vault, merchantId, pair);
  await em.persist(em.create(MerchantServiceKey, { merchant: merchantId, ...key, signsFrom })).flush();
  return { merchantId, keyId: key.keyId, publicKeyPem: key.publicKeyPem };
}

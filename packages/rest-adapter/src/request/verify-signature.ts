import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { MerchantProfile } from '@tidegate/domain';
import type { Attempt } from '@tidegate/process';
import { InvalidKey, parsePublicKey, type SignedFields, verify, verifyInPool } from '@tidegate/signature';
import { type Refusal, refuse } from './envelope.ts';
import type { Gate } from './gate.ts';
import type { SignatureHeaders } from './request-headers.ts';

/**
 * The time after which a wrong signature is answered, in milliseconds. Nearly every look-up of a merchant and its keys
 * takes less. So the response time does not reveal whether the merchant exists.
 */
const ANSWERED_AFTER_MS = 10;

/**
 * The merchant that signed the request: any of its active keys verifies (decisions 2.5). An unknown merchant number gets
 * the same answer as a wrong signature, after as much work and the same time. So does a merchant without a key.
 * In the sandbox that answer has the text that should have been signed (decisions 2.4).
 */
export async function checkSignature(
  gate: Pick<Gate, 'domain' | 'environment' | 'clock'>,
  { merchantNo, timestamp, nonce, signature }: SignatureHeaders,
  fields: SignedFields,
  attempt: Pick<Attempt, 'measure'>,
): Promise<MerchantProfile | Refusal> {
  // Started before the merchant is looked up: timers are exact to a millisecond only, and must treat all callers alike.
  const { promise: itsTime, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ANSWERED_AFTER_MS);
  try {
    const merchant = await gate.domain.merchant(merchantNo);
    const known = merchant ? activeKeys(merchant, gate.clock()) : [];
    const content = attempt.measure(() => fields.contentBytes(timestamp, nonce));
    const key = await keyThatSigned(known.length > 0 ? known : [makeDecoy()], content, signature, attempt);
    if (!merchant || !key) {
      await itsTime;
      const isShown = gate.environment === 'sandbox';
      return refuse('signature_invalid', isShown ? { data: { signedContent: utf8.decode(content) } } : {});
    }
    gate.domain.keyUsed(merchant.merchantId, key.keyId);
    return merchant;
  } finally {
    clearTimeout(timer);
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

interface Key {
  keyId: string;
  publicKey: KeyObject;
}

async function keyThatSigned(
  keys: readonly Key[],
  content: Uint8Array,
  signature: string,
  attempt: Pick<Attempt, 'measure'>,
): Promise<Key | null> {
  for (const key of keys) {
    const isSigned = attempt.measure(() => isSignedBy(key.publicKey, content, signature));
    if (isSigned === true || (isSigned !== false && (await isSigned))) return key;
  }
  return null;
}

/**
 * Signatures by keys up to this size are verified in the calling thread in 20 µs. Passing the work to the thread pool
 * would take longer (ADR 0025). Larger keys take up to 16 times as long, and must not delay other requests.
 */
const IN_PLACE_BITS = 2048;

function isSignedBy(key: KeyObject, content: Uint8Array, signature: string): boolean | Promise<boolean> {
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  return modulusLength > IN_PLACE_BITS ? verifyInPool(content, signature, key) : verify(content, signature, key);
}

function activeKeys({ keys }: MerchantProfile, now: number): Key[] {
  return keys
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .flatMap(({ keyId, publicKeyPem }) => {
      const publicKey = keyOf(publicKeyPem);
      return publicKey ? [{ keyId, publicKey }] : [];
    });
}

/**
 * Null for text that is no key, or a key that is too weak. Such a key verifies nothing, and the other keys of the
 * merchant still work.
 */
function keyOf(publicKeyPem: string): KeyObject | null {
  try {
    return parsePublicKey(publicKeyPem);
  } catch (error) {
    if (error instanceof InvalidKey) return null;
    throw error;
  }
}

let decoy: Key | undefined;

/** A key without a private half, for verifications that must take the same time. */
function makeDecoy(): Key {
  decoy ??= { keyId: 'decoy', publicKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey };
  return decoy;
}

/** Makes the decoy key at the start, not at the first unknown merchant. */
export function prepareDecoy(): void {
  makeDecoy();
}

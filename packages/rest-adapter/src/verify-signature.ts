import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { MerchantProfile } from '@tidegate/domain';
import { parsePublicKey, type SignedFields, verify } from '@tidegate/signature';
import type { Gate } from './authenticate.ts';
import { type Refusal, refuse } from './envelope.ts';
import type { SignatureHeaders } from './request-headers.ts';

/**
 * The merchant whose signature this is: any of its active keys verifies (decisions 2.5). An unknown merchant number, and a
 * merchant without a key, get the very answer of a wrong signature, after as much work. In the sandbox that answer
 * carries the text that the signature should have been made over (decisions 2.4).
 */
export async function checkSignature(
  gate: Pick<Gate, 'domain' | 'environment' | 'clock'>,
  { merchantNo, timestamp, nonce, signature }: SignatureHeaders,
  fields: SignedFields,
): Promise<MerchantProfile | Refusal> {
  const content = fields.content(timestamp, nonce);
  const merchant = await gate.domain.merchant(merchantNo);
  const keys = merchant ? activeKeys(merchant, gate.clock()) : [];
  if (keys.length === 0) verify(content, signature, nobodysKey());
  const key = keys.find((candidate) => verify(content, signature, candidate.publicKey));
  if (!merchant || !key) {
    return refuse('signature_invalid', gate.environment === 'sandbox' ? { data: { signedContent: content } } : {});
  }
  gate.domain.keyUsed(merchant.merchantId, key.keyId);
  return merchant;
}

function activeKeys({ keys }: MerchantProfile, now: number): { keyId: string; publicKey: KeyObject }[] {
  return keys
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map(({ keyId, publicKeyPem }) => ({ keyId, publicKey: parsePublicKey(publicKeyPem) }));
}

let decoy: KeyObject | undefined;

/** A key whose private half is thrown away, for the time that a verification takes. */
function nobodysKey(): KeyObject {
  decoy ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  return decoy;
}

/** Makes the key that unknown merchants are verified against now, not at the first of them. */
export function prepareDecoy(): void {
  nobodysKey();
}

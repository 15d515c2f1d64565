import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallbackHeaders, ExaminedStep } from '@tidegate/domain/channels';

/**
 * The greatest difference of a webhook's timestamp from our clock, in both directions. Opn documents the timestamp but
 * no limit.
 */
const toleranceSeconds = 300;

/** During a change of the secret there are two signatures. A few more are allowed, but not any number. */
const maxSignatures = 5;

/** The key of HTTP Basic authentication is the user name. The password is empty. */
export function basicAuthorization(key: string): string {
  return `Basic ${Buffer.from(`${key}:`, 'utf8').toString('base64')}`;
}

/** The bytes of a webhook secret, which Opn shows in base64. Null if it is none. */
export function readWebhookSecret(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  return Buffer.from(text, 'base64');
}

/** HMAC-SHA256 over `timestamp.body` in hexadecimal digits. `timestamp` is Unix seconds as in its header. */
export function webhookSignature(secret: Uint8Array, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** Verifies a webhook step by step, and stops at the first step that fails. Contains no secret. */
export function examineSignature(
  secret: Uint8Array,
  headers: CallbackHeaders,
  body: Uint8Array,
  nowMs: number,
): ExaminedStep[] {
  const steps: ExaminedStep[] = [];
  const add = (step: string, isOk: boolean, detail: string) => {
    steps.push({ step, isOk, detail });
    return isOk;
  };
  const timestamp = headers['omise-signature-timestamp'];
  if (typeof timestamp !== 'string' || !/^[0-9]{10}$/.test(timestamp)) {
    add('timestamp', false, 'Omise-Signature-Timestamp is missing or is not Unix seconds');
    return steps;
  }
  add('timestamp', true, `signed at ${new Date(Number(timestamp) * 1_000).toISOString()}`);
  const signatures = readSignatures(headers['omise-signature']);
  if (signatures === null) {
    add('signature header', false, 'Omise-Signature is missing or is not a list of 64 hexadecimal digits each');
    return steps;
  }
  add('signature header', true, `${signatures.length} signature${signatures.length === 1 ? '' : 's'}`);
  const expected = Buffer.from(webhookSignature(secret, timestamp, body), 'hex');
  const isOurs = signatures.map((signature) => timingSafeEqual(expected, signature)).includes(true);
  if (
    !add(
      'signature',
      isOurs,
      isOurs
        ? 'matches the webhook secret'
        : 'matches no signature of the header: another secret, or the body was changed',
    )
  ) {
    return steps;
  }
  const age = Math.floor(nowMs / 1_000) - Number(timestamp);
  const isFresh = Math.abs(age) <= toleranceSeconds;
  add('age', isFresh, `${age} s old, at most ${toleranceSeconds} s are allowed`);
  return steps;
}

function readSignatures(header: string | string[] | undefined): Buffer[] | null {
  if (typeof header !== 'string') return null;
  const parts = header.split(',').map((part) => part.trim());
  if (parts.length > maxSignatures || !parts.every((part) => /^[0-9a-f]{64}$/.test(part))) return null;
  return parts.map((part) => Buffer.from(part, 'hex'));
}

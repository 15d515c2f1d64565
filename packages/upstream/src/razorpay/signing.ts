import { createHmac, timingSafeEqual } from 'node:crypto';

// Source: razorpay.com/docs/webhooks/validate-test, "Validate Webhooks"; razorpay-node lib/utils/razorpay-utils.js.

/** The value of `X-Razorpay-Signature`: HMAC-SHA256 of the raw body, in hex. */
export function signWebhook(secret: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** A secret that webhooks of this account may be signed with, and its name for support. */
export interface WebhookSecret {
  name: string;
  secret: string;
}

export type Verdict = { ok: true; signedWith: string } | { ok: false; detail: string };

/** Whether one of the account's webhook secrets signed exactly this body. */
export function verifyWebhook(
  secrets: readonly WebhookSecret[],
  signature: string | string[] | undefined,
  body: Uint8Array,
): Verdict {
  if (typeof signature !== 'string') return { ok: false, detail: 'no X-Razorpay-Signature' };
  if (!/^[0-9a-f]{64}$/.test(signature)) return { ok: false, detail: 'X-Razorpay-Signature is not 64 hex digits' };
  const bytes = Buffer.from(signature, 'hex');
  const found = secrets.find(({ secret }) => timingSafeEqual(Buffer.from(signWebhook(secret, body), 'hex'), bytes));
  return found
    ? { ok: true, signedWith: found.name }
    : { ok: false, detail: 'the signature does not verify: another secret, or the body was changed' };
}

import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * How the sandbox upstream and its callers prove who they are: HMAC-SHA256 with the shared secret, in hex, over
 *
 *     timestamp "\n" target "\n" body
 *
 * The target says what the body is meant for, so that nothing signed for one purpose passes for another.
 */
export const SIGNING_HEADERS = { timestamp: 'x-sandbox-timestamp', signature: 'x-sandbox-signature' } as const;

/** The greatest difference of a timestamp from the receiver's clock, in both directions. */
const TOLERANCE_SECONDS = 300;

/** A request: method and path as on the request line, query string included. */
export const requestTarget = (method: string, path: string): string => `${method} ${path}`;

/** A reply: bound to its status and to the request that it answers. */
export const replyTarget = (status: number, requestSignature: string): string => `REPLY ${status} ${requestSignature}`;

/** A callback. The path at the receiver is not included, because a proxy may change it. */
export const CALLBACK_TARGET = 'CALLBACK';

export type SignedHeaders = Record<(typeof SIGNING_HEADERS)[keyof typeof SIGNING_HEADERS], string>;

/** Headers that sign a body at a time (Unix milliseconds). */
export function signedHeaders(secret: string, target: string, body: string | Uint8Array, nowMs: number): SignedHeaders {
  const timestamp = String(Math.floor(nowMs / 1000));
  return { 'x-sandbox-timestamp': timestamp, 'x-sandbox-signature': digest(secret, timestamp, target, body) };
}

export type Verdict = { ok: true } | { ok: false; detail: string };

/** Verifies headers made by `signedHeaders`. Header names are in lower case. */
export function verifySigned(
  secret: string,
  headers: Record<string, string | string[] | undefined>,
  target: string,
  body: string | Uint8Array,
  nowMs: number,
): Verdict {
  const timestamp = headers[SIGNING_HEADERS.timestamp];
  const signature = headers[SIGNING_HEADERS.signature];
  if (typeof timestamp !== 'string' || !/^[0-9]{10}$/.test(timestamp)) return refuse('timestamp missing or malformed');
  if (typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature))
    return refuse('signature missing or malformed');
  const expected = Buffer.from(digest(secret, timestamp, target, body), 'hex');
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return refuse('signature does not verify');
  if (Math.abs(Math.floor(nowMs / 1000) - Number(timestamp)) > TOLERANCE_SECONDS)
    return refuse('timestamp out of range');
  return { ok: true };
}

function digest(secret: string, timestamp: string, target: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}\n${target}\n`).update(body).digest('hex');
}

function refuse(detail: string): Verdict {
  return { ok: false, detail };
}

import type { IncomingHttpHeaders } from 'node:http';
import {
  canOwnOrder,
  MalformedRequest,
  merchantOfServiceKeyId,
  NONCE_PATTERN,
  readBody,
  TIMESTAMP_PATTERN,
  verify,
} from '@tidegate/signature';
import type { FindServiceKey } from './service-keys.ts';

const MAX_SKEW_S = 300;

/**
 * The checks that a merchant must make before it trusts a notification (merchant interface, "Merchant obligations"):
 * the service signed it, for this merchant, just now. Returns undefined if all are passed, otherwise the reason.
 */
export async function whyNotVerified(
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  merchantNo: string,
  findKey: FindServiceKey,
): Promise<string | undefined> {
  const [timestamp, nonce, signature, keyId] = ['x-timestamp', 'x-nonce', 'x-sign', 'x-key-id'].map((name) =>
    String(headers[name] ?? ''),
  ) as [string, string, string, string];
  if (headers['x-merchant-no'] !== merchantNo) return 'X-Merchant-No is not this merchant';
  if (merchantOfServiceKeyId(keyId) !== merchantNo) return "X-Key-Id is not one of this merchant's";
  if (!TIMESTAMP_PATTERN.test(timestamp)) return 'X-Timestamp is not 10 digits';
  if (!NONCE_PATTERN.test(nonce)) return 'X-Nonce is absent or of the wrong form';
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > MAX_SKEW_S) return 'X-Timestamp is too far from now';
  try {
    const fields = readBody(body);
    const content = fields.content(timestamp, nonce);
    const key = await findKey(keyId);
    if (key === undefined) return 'X-Key-Id names no key that the service publishes';
    if (!verify(content, signature, key)) return 'X-Sign does not verify';
    return canOwnOrder(merchantNo, String(fields.value.orderNo)) ? undefined : "orderNo is not one of this merchant's";
  } catch (error) {
    if (error instanceof MalformedRequest) return error.message;
    return `the service's keys could not be fetched: ${error instanceof Error ? error.message : error}`;
  }
}

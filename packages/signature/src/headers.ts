import { type KeyObject, randomUUID } from 'node:crypto';
import { readBody, readQuery } from './canonical.ts';
import { NONCE_PATTERN, TIMESTAMP_PATTERN } from './header-patterns.ts';
import { MalformedRequest } from './malformed-request.ts';
import { sign } from './sign.ts';

export interface RequestToSign {
  readonly merchantNo: string;
  /**
   * The body of a POST, exactly as it is sent. If neither body nor query is given, the request is a GET without
   * parameters.
   */
  readonly body?: string | Uint8Array;
  /** The query string of a GET, exactly as it is sent, without the `?`. */
  readonly query?: string;
  readonly key: KeyObject;
  /** Unix seconds, 10 digits. Default: now. */
  readonly timestamp?: string;
  /** Default: a new UUID. */
  readonly nonce?: string;
}

/**
 * Makes the four headers that sign a request to the service, or a notification from it.
 * @throws MalformedRequest if the service would refuse the body or query with 40000.
 * @throws TypeError for a malformed timestamp or nonce, or if both body and query are given.
 */
export async function signedHeaders(request: RequestToSign): Promise<Record<string, string>> {
  const { merchantNo, key, timestamp = String(Math.floor(Date.now() / 1000)), nonce = randomUUID() } = request;
  if (!TIMESTAMP_PATTERN.test(timestamp)) throw new TypeError('the timestamp needs 10 digits');
  if (!NONCE_PATTERN.test(nonce)) throw new TypeError('the nonce needs 8 to 64 letters, digits, "_" or "-"');
  return {
    'X-Merchant-No': merchantNo,
    'X-Timestamp': timestamp,
    'X-Nonce': nonce,
    'X-Sign': await sign(read(request).content(timestamp, nonce), key),
  };
}

function read({ body, query }: RequestToSign) {
  if (body === undefined) return readQuery(query ?? '');
  if (query !== undefined) throw new TypeError('a request is signed over its body or its query, not both');
  if (typeof body !== 'string') return readBody(body);
  if (!body.isWellFormed()) throw new MalformedRequest('body holds a lone surrogate');
  return readBody(Buffer.from(body, 'utf8'));
}

import type { KeyObject } from 'node:crypto';
import { parsePrivateKey, signedHeaders } from '@tidegate/signature';

/** An operation of the merchant interface, before it is signed. */
export interface Operation {
  merchantNo: string;
  /** The path below /api/v1/merchant. For a GET it includes the query. */
  path: string;
  /** Only for a POST. */
  body?: Record<string, unknown>;
}

/**
 * Prepares `count` signed HTTP requests. This is done before the measurement, because signing is the merchant's cost.
 */
export async function signRequests(
  count: number,
  privateKeyPem: string,
  port: number,
  operation: () => Operation,
): Promise<Buffer[]> {
  const key = parsePrivateKey(privateKeyPem);
  const requests: Buffer[] = [];
  const side = 16;
  const signEvery = async (): Promise<void> => {
    while (requests.length < count) requests.push(await signedRequest(key, port, operation()));
  };
  await Promise.all(Array.from({ length: side }, signEvery));
  return requests;
}

async function signedRequest(key: KeyObject, port: number, { merchantNo, path, body }: Operation): Promise<Buffer> {
  const host = `127.0.0.1:${port}`;
  const [pathname, query = ''] = path.split('?');
  const text = body === undefined ? null : JSON.stringify(body);
  const signature = await signedHeaders({ merchantNo, key, ...(text === null ? { query } : { body: text }) });
  const content =
    text === null ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  const target = `/api/v1/merchant${pathname}${query === '' ? '' : `?${query}`}`;
  return httpRequest(text === null ? 'GET' : 'POST', target, { host, ...content, ...signature }, text ?? '');
}

/** The bytes of a request. */
export function httpRequest(method: string, target: string, headers: Record<string, string>, body = ''): Buffer {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
}

import type { KeyObject } from 'node:crypto';
import { signedHeaders } from '@tidegate/signature';
import { exchange } from './raw-exchange.ts';
import { aBody, createPath, type Envelope, merchantKeys } from './rest-fixture.ts';

/** A request as bytes, which tests change before it is sent. */
export interface RawRequest {
  method: string;
  /** The target in the request line. */
  target: string;
  version: string;
  /** Name and value, in order. A name may appear twice. */
  headers: [name: string, value: string][];
  body: Buffer;
}

/** The parts of a signed request. Required: the sending merchant. */
export interface Wanted {
  merchantNo: string;
  method?: 'GET' | 'POST';
  path?: string;
  /** For a GET, without the `?`. */
  query?: string;
  body?: string;
  key?: KeyObject;
  timestamp?: string;
  nonce?: string;
}

/** A valid request: a payin's create, or with a query a GET. */
export async function aRequest(wanted: Wanted): Promise<RawRequest> {
  const { merchantNo, query, body = aBody(), key = merchantKeys.privateKey, timestamp, nonce } = wanted;
  const { method = query === undefined ? 'POST' : 'GET', path = createPath } = wanted;
  const signing = { merchantNo, key, ...(timestamp && { timestamp }), ...(nonce && { nonce }) };
  const signed = await signedHeaders({ ...signing, ...(method === 'POST' ? { body } : { query: query ?? '' }) });
  const headers: [string, string][] = [['Host', 'pay.test'], ...Object.entries(signed)];
  if (method === 'POST') headers.push(['Content-Type', 'application/json'], ['Content-Length', `${byteLength(body)}`]);
  return {
    method,
    version: '1.1',
    headers,
    target: query === undefined ? path : `${path}?${query}`,
    body: Buffer.from(method === 'POST' ? body : ''),
  };
}

const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

export const headerOf = ({ headers }: RawRequest, name: string): string =>
  headers.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? '';

/** Replaces a header's value, or adds the header. */
export function setHeader(request: RawRequest, name: string, value: string): void {
  const header = request.headers.find(([known]) => known.toLowerCase() === name.toLowerCase());
  if (header) header[1] = value;
  else request.headers.push([name, value]);
}

export function dropHeader(request: RawRequest, name: string): void {
  request.headers = request.headers.filter(([known]) => known.toLowerCase() !== name.toLowerCase());
}

/** Replaces the body under the same signature, with its own length. */
export function setBody(request: RawRequest, body: string | Buffer): void {
  request.body = Buffer.from(body);
  setHeader(request, 'Content-Length', String(request.body.length));
}

export interface RawReply extends Envelope {
  status: number;
  /** -1, and no message, for an answer without an envelope, and to HEAD. */
  code: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  text: string;
  /** The number of answers. */
  answers: number;
}

/** Sends a request on its own connection, and reads the answer. */
export async function send(port: number, request: RawRequest): Promise<RawReply> {
  const { method, target, version, headers, body } = request;
  const lines = [...headers, ['Connection', 'close']].map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} HTTP/${version}`, ...lines, '', ''].join('\r\n');
  return readReply(
    await exchange(port, [Buffer.concat([Buffer.from(head, 'latin1'), body])], { end: 'when answered' }),
  );
}

export function readReply({ text }: { text: string }): RawReply {
  const answers = [...text.matchAll(/HTTP\/1\.1 ([0-9]{3}) [^\r]*\r\n/g)];
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const isEnvelope = /^\{"code":.*\}$/s.test(body);
  const envelope: Envelope = isEnvelope ? JSON.parse(body) : { code: -1, msg: '', data: null };
  return { ...envelope, status: Number(answers[0]?.[1] ?? 0), headers, text, answers: answers.length };
}

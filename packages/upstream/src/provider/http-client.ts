import { isUtf8 } from 'node:buffer';
import type { BlockList } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { QrImage } from '@tidegate/domain/channels';
import { Agent, type buildConnector, type Dispatcher, request } from 'undici';
import {
  checkDestination,
  type Dial,
  dial,
  makeResolve,
  OutgoingFailure,
  openSocket,
  type Resolve,
} from '../outgoing/index.ts';

export interface HttpCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Providers that send JSON under another content type, for example `text/html`. Default: only JSON is accepted. */
  acceptsAnyContentType?: true;
  /** The charset of replies that are not UTF-8. Default: such a reply is unreadable. */
  otherCharset?: 'gb18030';
  /** How long the whole call may take, for providers that answer only after the payer acted. Default: the client's limit. */
  timeoutMs?: number;
  /** For long lists. Default: the client's limit. */
  maxReplyBytes?: number;
}

/** A file that is fetched piece by piece. */
export interface HttpDownloadCall {
  url: string;
  maxBytes: number;
}

/** `bytes` throws if the transfer breaks, takes too long, or has more than `maxBytes`. */
export type HttpDownload = { kind: 'file'; bytes: AsyncIterable<Uint8Array> } | Exclude<HttpResult, { kind: 'json' }>;

/** All results of a call. Details are for logs and attempt lists, so they never contain bodies or header values. */
export type HttpResult =
  /** A reply below 500 with a JSON body. `raw` is its bytes, for signature checks. */
  | { kind: 'json'; status: number; headers: HttpReplyHeaders; raw: Uint8Array; json: unknown; charset: Charset }
  | { kind: 'server_error'; status: number }
  /** An unreadable reply: a redirect, another media type, too long, not JSON. `status` is the HTTP status if there was one. */
  | { kind: 'unreadable'; detail: string; status?: number }
  /** The address must not be called (decisions 8), so nothing was sent. This is not an answer of the channel. */
  | { kind: 'forbidden'; detail: string }
  /** No connection, or it broke before the reply was complete. The call may have been executed or not. */
  | { kind: 'broken'; detail: string }
  /** The caller's signal or the client's own time limit ended it. `isUnsent`: before anything was sent. */
  | { kind: 'aborted'; detail: string; isUnsent?: true };

/** In what a reply is written. */
export type Charset = 'utf-8' | NonNullable<HttpCall['otherCharset']>;

type HttpReplyHeaders = Record<string, string | string[] | undefined>;

export interface HttpClient {
  /** One request and its reply. Never rejects for a failure of the network or the other side. Follows no redirect. */
  send(call: HttpCall, signal: AbortSignal): Promise<HttpResult>;
  /** Fetches a PNG or an SVG of at most 256 KiB. Null: there is no such image, or it does not come. Never rejects. */
  fetchImage(url: string, signal: AbortSignal): Promise<QrImage | null>;
  /** A GET whose reply is a file. Follows no redirect. */
  download(call: HttpDownloadCall, signal: AbortSignal): Promise<HttpDownload>;
  close(): Promise<void>;
}

export interface HttpLimits {
  connectTimeoutMs: number;
  totalTimeoutMs: number;
  maxReplyBytes: number;
  maxConnectionsPerOrigin: number;
}

const LIMITS: HttpLimits = {
  connectTimeoutMs: 2_000,
  totalTimeoutMs: 30_000,
  maxReplyBytes: 64 * 1024,
  maxConnectionsPerOrigin: 256,
};

export interface HttpClientOptions extends Partial<HttpLimits> {
  /** Private networks in which channels are allowed. */
  allowed: BlockList;
  /** Replaced by tests: name resolution, dialling, and trusted certificates (PEM). */
  resolve?: Resolve;
  dial?: Dial;
  ca?: string;
}

/**
 * The JSON client of channels. Each new connection resolves the name, checks all of its addresses and uses one of them.
 * Connections are kept per origin, and stay with their checked address. TLS names are verified. No proxy is used,
 * whatever the environment says.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const limits = { ...LIMITS, ...options };
  const agent = new Agent({
    connections: limits.maxConnectionsPerOrigin,
    connect: connectToChecked(options, limits.connectTimeoutMs),
    headersTimeout: limits.totalTimeoutMs,
    bodyTimeout: limits.totalTimeoutMs,
    allowH2: false,
  });
  return {
    send: (call, signal) => send(agent, limits, call, signal),
    fetchImage: (url, signal) => fetchImage(agent, url, signal).catch(() => null),
    download: (call, signal) => download(agent, call, signal),
    close: () => agent.destroy(),
  };
}

/** Opens connections to checked addresses only, within `withinMs` including name resolution. */
function connectToChecked(options: HttpClientOptions, withinMs: number): buildConnector.connector {
  const { allowed, ca, resolve = makeResolve(undefined, withinMs) } = options;
  const secureContext = createSecureContext({ minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) });
  const open = async (origin: string) => {
    const began = performance.now();
    const destination = await checkDestination(origin, allowed, resolve);
    const left = withinMs - (performance.now() - began);
    return openSocket(destination, { dial: options.dial ?? dial, secureContext, withinMs: left });
  };
  return ({ protocol, host }, done) => {
    open(`${protocol}//${host}`).then(
      ({ socket }) => done(null, socket),
      (error) => done(error, null),
    );
  };
}

async function send(agent: Agent, limits: HttpLimits, call: HttpCall, caller: AbortSignal): Promise<HttpResult> {
  const timeoutMs = call.timeoutMs ?? limits.totalTimeoutMs;
  const signal = AbortSignal.any([caller, AbortSignal.timeout(timeoutMs)]);
  if (signal.aborted) return { kind: 'aborted', detail: 'ended before it was sent', isUnsent: true };
  try {
    const reply = await request(call.url, {
      dispatcher: agent,
      signal,
      method: call.method,
      headers: { accept: 'application/json', ...call.headers },
      body: call.body ?? null,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    return await readReply(reply, call.maxReplyBytes ?? limits.maxReplyBytes, call);
  } catch (error) {
    return failureOf(error, signal);
  }
}

function failureOf(error: unknown, signal: AbortSignal): HttpResult & { kind: 'aborted' | 'forbidden' | 'broken' } {
  if (signal.aborted) return { kind: 'aborted', detail: 'no whole reply in time' };
  if (isForbidden(error)) return { kind: 'forbidden', detail: errorCode(error) };
  return { kind: 'broken', detail: errorCode(error) };
}

/** How long a file may take as a whole. */
const downloadTimeoutMs = 300_000;

async function download(agent: Agent, { url, maxBytes }: HttpDownloadCall, caller: AbortSignal): Promise<HttpDownload> {
  const signal = AbortSignal.any([caller, AbortSignal.timeout(downloadTimeoutMs)]);
  if (signal.aborted) return { kind: 'aborted', detail: 'ended before it was sent', isUnsent: true };
  try {
    const { statusCode: status, body } = await request(url, { dispatcher: agent, signal, method: 'GET' });
    body.on('error', () => {});
    if (status === 200) return { kind: 'file', bytes: atMost(body, maxBytes) };
    body.destroy();
    return status >= 500 ? { kind: 'server_error', status } : { kind: 'unreadable', status, detail: `HTTP ${status}` };
  } catch (error) {
    return failureOf(error, signal);
  }
}

async function* atMost(body: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) throw new Error(`the file has more than ${most} bytes`);
    yield chunk;
  }
}

async function readReply(
  reply: Dispatcher.ResponseData,
  maxBytes: number,
  { acceptsAnyContentType: acceptsAny, otherCharset }: HttpCall,
): Promise<HttpResult> {
  const { statusCode: status, headers } = reply;
  // Prevents an unhandled error when the connection of an abandoned body is closed.
  reply.body.on('error', () => {});
  const giveUp = (result: HttpResult): HttpResult => {
    reply.body.destroy();
    return result;
  };
  if (status >= 500) return giveUp({ kind: 'server_error', status });
  if (status >= 300 && status < 400) return giveUp({ kind: 'unreadable', status, detail: `redirect (${status})` });
  if (!acceptsAny && !/^application\/json\s*(;|$)/i.test(String(headers['content-type'] ?? ''))) {
    return giveUp({ kind: 'unreadable', status, detail: `content type is not JSON (status ${status})` });
  }
  const raw = await readBytes(reply, maxBytes);
  if (raw === null) return giveUp({ kind: 'unreadable', status, detail: `longer than ${maxBytes} bytes` });
  try {
    const charset = isUtf8(raw) || otherCharset === undefined ? 'utf-8' : otherCharset;
    const json: unknown = JSON.parse(new TextDecoder(charset, { fatal: true }).decode(raw));
    return { kind: 'json', status, headers, raw, json, charset };
  } catch {
    return { kind: 'unreadable', status, detail: `not JSON (status ${status})` };
  }
}

const maxImageBytes = 256 * 1024;

async function fetchImage(agent: Agent, url: string, signal: AbortSignal): Promise<QrImage | null> {
  const headers = { accept: 'image/svg+xml, image/png' };
  const reply = await request(url, { dispatcher: agent, signal, method: 'GET', headers });
  reply.body.on('error', () => {});
  const [, contentType] =
    /^(image\/(?:png|svg\+xml))\s*(?:;|$)/i.exec(String(reply.headers['content-type'] ?? '')) ?? [];
  const bytes = contentType && reply.statusCode === 200 ? await readBytes(reply, maxImageBytes) : null;
  reply.body.destroy();
  return bytes && { contentType: /png/i.test(contentType ?? '') ? 'image/png' : 'image/svg+xml', bytes };
}

/** The whole body; null if it is longer than `most`. */
async function readBytes(reply: Dispatcher.ResponseData, most: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of reply.body) {
    length += chunk.length;
    if (length > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isForbidden(error: unknown): boolean {
  return error instanceof OutgoingFailure && (error.error === 'forbidden_address' || error.error === 'forbidden_url');
}

function errorCode(error: unknown): string {
  if (error instanceof OutgoingFailure) return error.address === null ? error.error : `${error.error} ${error.address}`;
  if (error instanceof Error) return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return 'unknown error';
}

const RETRY_WAITS_MS = [100, 200, 400, 800];
const MAX_WAIT_MS = 1_000;
const MAX_ATTEMPTS = 40;

/**
 * Repeats a create while the connection breaks or the upstream answers HTTP 5xx, until the signal ends (decisions 5.3).
 * Only for calls with an idempotency key. Returns the result of the last attempt.
 */
export async function retryUntilAnswered(attempt: () => Promise<HttpResult>, signal: AbortSignal): Promise<HttpResult> {
  let result = await attempt();
  for (let tried = 1; tried < MAX_ATTEMPTS && mayRetry(result); tried++) {
    const wait = RETRY_WAITS_MS[tried - 1] ?? MAX_WAIT_MS;
    try {
      await sleep(wait * (0.8 + Math.random() * 0.4), undefined, { signal });
    } catch {
      return result;
    }
    const next = await attempt();
    // The result of the previous attempt says more than a time-out.
    if (next.kind === 'aborted') return result;
    result = next;
  }
  return result;
}

function mayRetry(result: HttpResult): boolean {
  return result.kind === 'broken' || result.kind === 'server_error';
}

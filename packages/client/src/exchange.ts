import { signedHeaders } from '@tidegate/signature';
import type { Connection } from './client-options.ts';
import { groupOf } from './errors/error-of.ts';
import { ConnectionError, type Refusal, TidegateError, TimeoutError, UnexpectedAnswerError } from './errors/errors.ts';
import { readBounded } from './read-bounded.ts';
import { VERSION } from './version.ts';

export type Outcome =
  | { kind: 'done'; data: object }
  | { kind: 'refused'; refusal: Refusal }
  /** Nothing was done. The request may be sent again later. */
  | { kind: 'not now'; error: TidegateError; refusal: Refusal | null }
  /** It is unknown what the service did. */
  | { kind: 'lost'; error: TidegateError; refusal: Refusal | null };

export type RequestToSend = { path: string; body: string } | { path: string; query: string };

/**
 * Signs and sends one request, and reads its answer. Each attempt needs a new signature, because the service accepts a
 * nonce only once. A failure of the network is an outcome, not an exception. Rejects only if the caller's signal is
 * aborted, or if the body cannot be signed.
 */
export async function exchange(connection: Connection, request: RequestToSend, signal?: AbortSignal): Promise<Outcome> {
  const { merchantNo, key, apiUrl, timeoutMs } = connection;
  const { path, ...content } = request;
  const headers = { ...(await signedHeaders({ merchantNo, key, ...content })), ...ALWAYS };
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const init: RequestInit = {
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    ...('body' in content
      ? { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: content.body }
      : { headers }),
  };
  const query = 'query' in content && content.query !== '' ? `?${content.query}` : '';
  try {
    const response = await connection.fetch(`${apiUrl}${path}${query}`, init);
    return readAnswer(response, await readBounded(response.body, MAX_ANSWER_BYTES));
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (timeout.aborted)
      return lost(new TimeoutError(`no answer from ${apiUrl}${path} within ${timeoutMs} ms`, { cause }));
    if (cause instanceof TidegateError) return lost(cause);
    const error = new ConnectionError(`${apiUrl}${path} cannot be reached: ${reasonOf(cause)}`, { cause });
    return wasNeverSent(cause) ? { kind: 'not now', error, refusal: null } : lost(error);
  }
}

/** Far above the largest answer: a page of 100 wallet transactions has about 40 KiB. */
const MAX_ANSWER_BYTES = 1024 * 1024;

const NONCE_USED = 40103;

const ALWAYS = { Accept: 'application/json', 'User-Agent': `tidegate-client/${VERSION} node/${process.versions.node}` };

function readAnswer(response: Response, bytes: Uint8Array | null): Outcome {
  const envelope = bytes && readEnvelope(bytes);
  if (!envelope)
    return lost(
      new UnexpectedAnswerError(
        `HTTP ${response.status} without the envelope of the service: is ${response.url} right?`,
      ),
    );
  const { code, msg, data } = envelope;
  if (code === 0) {
    if (typeof data === 'object' && data !== null) return { kind: 'done', data };
    return lost(new UnexpectedAnswerError('the service answered with code 0 and without data'));
  }
  const refusal: Refusal = {
    code,
    msg,
    data,
    httpStatus: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(response.headers.get('retry-after')),
  };
  const text = `${code} ${msg}`;
  // Every attempt has a new nonce. So if a nonce counts as used, something on the way has sent this request twice.
  if (code === NONCE_USED) return { kind: 'lost', error: new TidegateError(text), refusal };
  switch (groupOf(code)) {
    case 'rateLimit':
      return { kind: 'not now', error: new TidegateError(text), refusal };
    case 'service':
      return { kind: 'lost', error: new TidegateError(text), refusal };
    default:
      return { kind: 'refused', refusal };
  }
}

function lost(error: TidegateError): Outcome {
  return { kind: 'lost', error, refusal: null };
}

function readEnvelope(bytes: Uint8Array): { code: number; msg: string; data: unknown } | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value !== 'object' || value === null || !('code' in value) || !('msg' in value)) return null;
    const { code, msg } = value;
    if (typeof code !== 'number' || !Number.isInteger(code) || typeof msg !== 'string') return null;
    return { code, msg, data: 'data' in value ? value.data : null };
  } catch {
    return null;
  }
}

/** Parses a number of seconds. The service never sends a date. */
function readRetryAfter(text: string | null): number | null {
  return text !== null && /^[0-9]{1,6}$/.test(text) ? Number(text) : null;
}

/** Codes of errors that happen before the first byte of a request is sent. */
const BEFORE_SENDING = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

function wasNeverSent(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && BEFORE_SENDING.has(code);
}

/** fetch puts the network's error into `cause`. If several addresses failed, that is an AggregateError. */
function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return text !== '' ? text : (codeOf(error) ?? 'the connection failed');
}

import { randomUUID } from 'node:crypto';
import type { Domain } from '@tidegate/domain';
import type { AttemptResult, ClaimedNotification } from '@tidegate/domain/worker';
import { signedHeaders } from '@tidegate/signature';
import { errorOf, type OutgoingError, OutgoingFailure } from '@tidegate/upstream/outgoing';
import type { Dispatcher } from 'undici';
import type { Connector, Posted } from './connector.ts';
import { retryAfterOf } from './retry-after.ts';

/**
 * Makes one attempt to deliver a notification. Does not reject for a failure of the endpoint or the network. Rejects if
 * the service key cannot be read, because this must not count as an attempt at the endpoint.
 */
export type Deliver = (notification: ClaimedNotification) => Promise<AttemptResult>;

/** Why an attempt at a notification failed. */
type DeliveryError = OutgoingError | 'redirect' | 'status' | 'not_ok';

/** The part of a reply that the attempt log stores (decisions 7.4). */
const replyLimit = 1_024;

/**
 * Delivers by HTTP POST to an address that decisions 8 allows. Each attempt is signed again with the service's key for
 * the merchant (decisions 2.5, 7).
 */
export function makeDeliver(domain: Domain, connector: Connector, wholeLimitMs = 10_000): Deliver {
  return async ({ merchantId, url, body }) => {
    const { keyId, key } = await domain.serviceKeys.signing(merchantId);
    const headers = {
      ...(await signedHeaders({ merchantNo: merchantId, body, key, nonce: randomUUID() })),
      'Content-Type': 'application/json',
      'X-Key-Id': keyId,
      'User-Agent': 'Tidegate',
      // Replies are never decompressed: a small one could expand without end.
      'Accept-Encoding': 'identity',
    };
    const startedAt = Date.now();
    const began = performance.now();
    const attempt = new AbortController();
    const limit = setTimeout(() => attempt.abort(new OutgoingFailure('timeout')), wholeLimitMs);
    const posting = connector.post(url, domain.notifyNetworks, { headers, body }, attempt);
    const reply = await replyOf(posting);
    clearTimeout(limit);
    const { httpStatus, text, retryAfterMs, address } = reply;
    const error = failureOf(reply);
    return {
      startedAt,
      durationMs: Math.round(performance.now() - began),
      address,
      httpStatus,
      reply: text,
      error,
      acknowledged: error === null,
      ...(retryAfterMs !== null && { retryAfterMs }),
    };
  };
}

interface Reply {
  httpStatus: number | null;
  text: string | null;
  retryAfterMs: number | null;
  address: string | null;
  /** Why there is no complete reply. */
  error: DeliveryError | null;
}

async function replyOf(posting: Promise<Posted>): Promise<Reply> {
  try {
    const { response, address, done } = await posting;
    const { statusCode: httpStatus, headers } = response;
    const asksToWait = httpStatus === 429 || httpStatus === 503;
    const retryAfterMs = asksToWait ? retryAfterOf(headers['retry-after'], Date.now()) : null;
    const start = await readStart(response.body);
    done(start.error === null);
    return { httpStatus, ...start, retryAfterMs, address };
  } catch (error) {
    const address = error instanceof OutgoingFailure ? error.address : null;
    return { httpStatus: null, text: null, retryAfterMs: null, address, error: errorOf(error) };
  }
}

/** The first KiB of a reply as text that a database can store. A longer reply is not read: the connection is closed. */
async function readStart(
  body: Dispatcher.ResponseData['body'],
): Promise<{ text: string; error: DeliveryError | null }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let error: DeliveryError | null = null;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > replyLimit) break;
    }
    if (size > replyLimit) error = 'too_large';
  } catch (broken) {
    error = errorOf(broken);
  }
  const text = Buffer.concat(chunks).subarray(0, replyLimit).toString('utf8').replaceAll('\u0000', '\uFFFD');
  return { text, error };
}

/** Only a complete HTTP 200 with `OK` is an acknowledgement. A redirect never is (decisions 7.4). */
function failureOf({ httpStatus, text, error }: Reply): DeliveryError | null {
  if (httpStatus !== null && httpStatus >= 300 && httpStatus < 400) return 'redirect';
  if (httpStatus !== null && httpStatus !== 200) return 'status';
  return error ?? (text?.trim() === 'OK' ? null : 'not_ok');
}

import type { AttemptResult, ClaimedNotification, Domain } from '@tidegate/domain';
import { signedHeaders } from '@tidegate/signature';
import { type Dispatcher, request } from 'undici';
import { type DeliveryError, errorOf } from './delivery-error.ts';
import { retryAfterOf } from './retry-after.ts';

/** Makes one attempt at a notification. Never throws for what the endpoint or the network does. */
export type Deliver = (notification: ClaimedNotification) => Promise<AttemptResult>;

const wholeTimeout = 10_000;
/** How much of a reply is kept for the attempt log (decisions 7.4). */
const replyLimit = 1_024;

/** Delivers by HTTP POST, signed anew at each attempt with the service's key (decisions 2.5, 7). */
export function makeDeliver(domain: Domain, dispatcher: Dispatcher): Deliver {
  return async (notification) => {
    const startedAt = Date.now();
    const began = performance.now();
    const reply = await attempt(domain, dispatcher, notification).catch((error: unknown) => ({
      ...nothing,
      error: errorOf(error),
    }));
    const { httpStatus, text, retryAfterMs, address } = reply;
    const acknowledged = httpStatus === 200 && text?.trim() === 'OK' && reply.error === null;
    const error = acknowledged ? null : (reply.error ?? errorOfReply(httpStatus));
    return {
      ...{
        startedAt,
        durationMs: Math.round(performance.now() - began),
        address,
        httpStatus,
        reply: text,
        error,
        acknowledged,
      },
      ...(retryAfterMs !== null && { retryAfterMs }),
    };
  };
}

interface Reply {
  httpStatus: number | null;
  text: string | null;
  retryAfterMs: number | null;
  address: string | null;
  error: DeliveryError | null;
}

const nothing: Reply = { httpStatus: null, text: null, retryAfterMs: null, address: null, error: null };

async function attempt(
  domain: Domain,
  dispatcher: Dispatcher,
  { merchantId, url, body }: ClaimedNotification,
): Promise<Reply> {
  const { keyId, key } = await domain.serviceKeys.signing();
  const signal = AbortSignal.timeout(wholeTimeout);
  const headers = {
    ...(await signedHeaders({ merchantNo: merchantId, body, key })),
    'Content-Type': 'application/json',
    'X-Key-Id': keyId,
    'User-Agent': 'Tidegate',
  };
  const response = await request(url, { method: 'POST', headers, body, dispatcher, signal });
  const { text, complete } = await readStart(response.body);
  const { statusCode } = response;
  const retryAfterMs =
    statusCode === 429 || statusCode === 503 ? retryAfterOf(response.headers['retry-after'], Date.now()) : null;
  return {
    httpStatus: statusCode,
    text,
    retryAfterMs,
    address: new URL(url).host,
    error: complete ? null : 'too_large',
  };
}

/** The first KiB of a reply as text that a database can hold; whatever is longer is cut off, connection and all. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<{ text: string; complete: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > replyLimit) break;
  }
  const text = Buffer.concat(chunks).subarray(0, replyLimit).toString('utf8').replaceAll('\u0000', '\uFFFD');
  return { text, complete: size <= replyLimit };
}

function errorOfReply(httpStatus: number | null): DeliveryError {
  if (httpStatus === null) return 'reset';
  if (httpStatus >= 300 && httpStatus < 400) return 'redirect';
  return httpStatus === 200 ? 'not_ok' : 'status';
}

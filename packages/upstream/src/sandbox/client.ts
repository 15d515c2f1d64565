import type {
  CallbackResult,
  Channel,
  ChannelOrder,
  ChannelSettings,
  CheckedStep,
  ExaminedStep,
} from '@tidegate/domain/channels';
import { boundedText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import { clockStep, reachStep } from '../provider/check-steps.ts';
import { type HttpCall, type HttpClient, type HttpResult, retryUntilAnswered } from '../provider/http-client.ts';
import { httpUrl } from '../provider/read-base-url.ts';
import { readParts } from '../provider/read-parts.ts';
import { answerAbout, answerOf, answerToCreate } from './mapping.ts';
import {
  CALLBACK_TARGET,
  replyTarget,
  requestTarget,
  SIGNING_HEADERS,
  signedHeaders,
  verifySigned,
} from './signing.ts';
import { type WireCreate, wireCallback } from './wire.ts';

const credentials = z.object({ secret: boundedText(1_000, undefined, 'is too long').min(1, 'is missing') });

/** A channel of the sandbox upstream. Throws `UnusableSettings` at once for settings that cannot be used. */
export function createSandboxChannel(settings: ChannelSettings, http: HttpClient): Channel {
  const upstream: Upstream = { ...readSettings(settings), http };
  return {
    async create(order, signal) {
      const body = JSON.stringify(toWire(order));
      const attempt = () => exchange(upstream, 'POST', '/orders', body, signal);
      return answerToCreate(await retryUntilAnswered(attempt, signal), order);
    },
    async query(order, signal) {
      return answerAbout(await exchange(upstream, 'GET', orderPath(order.orderNo), undefined, signal), order);
    },
    async cancel(order, signal) {
      return answerAbout(await exchange(upstream, 'POST', `${orderPath(order.orderNo)}/cancel`, '{}', signal), order);
    },
    parseCallback: (headers, body) => readCallback(upstream.secret, headers, body),
    examineCallback: (headers, body) => examine(upstream.secret, headers, body),
    check: (signal) => check(upstream, signal),
  };
}

interface Upstream {
  origin: string;
  /** The path before the API's own paths; may be empty. */
  prefix: string;
  secret: string;
  http: HttpClient;
}

function readSettings(settings: ChannelSettings): Omit<Upstream, 'http'> {
  const { baseUrl, entered } = readParts(settings, credentials, httpUrl);
  const { origin, pathname } = new URL(baseUrl);
  return { origin, prefix: pathname.replace(/(?<!\/)\/+$/, ''), secret: entered.secret };
}

const orderPath = (orderNo: string) => `/orders/${encodeURIComponent(orderNo)}`;

function toWire(order: ChannelOrder): WireCreate {
  const { kind, orderNo, country, currency, amount, bankCode, party, callbackUrl, expiresInSeconds } = order;
  return {
    orderNo,
    kind,
    country,
    currency,
    amount,
    ...(bankCode === undefined ? {} : { bankCode }),
    party: Object.fromEntries(Object.entries(party).filter(([, value]) => value !== undefined)),
    callbackUrl,
    ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
  };
}

/**
 * One signed call. A reply without the upstream's signature for this call counts as unreadable: a proxy's error page
 * must not end an order.
 */
async function exchange(
  upstream: Upstream,
  method: HttpCall['method'],
  apiPath: string,
  body: string | undefined,
  signal: AbortSignal,
): Promise<HttpResult> {
  const path = upstream.prefix + apiPath;
  const signed = signedHeaders(upstream.secret, requestTarget(method, path), body ?? '', Date.now());
  const result = await upstream.http.send(
    {
      method,
      url: upstream.origin + path,
      headers: { ...signed, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
    },
    signal,
  );
  if (result.kind !== 'json') return result;
  const target = replyTarget(result.status, signed[SIGNING_HEADERS.signature]);
  const verdict = verifySigned(upstream.secret, result.headers, target, result.raw, Date.now());
  return verdict.ok ? result : { kind: 'unreadable', detail: `reply (status ${result.status}): ${verdict.detail}` };
}

/** Asks for an unknown order. The answer is signed with our secret only if the upstream has the same one. */
async function check(upstream: Upstream, signal: AbortSignal): Promise<CheckedStep[]> {
  const result = await exchange(upstream, 'GET', orderPath('PI-CHECK'), undefined, signal);
  const isSigned = result.kind === 'json' && result.status === 404;
  const detail = isSigned ? 'the secret is accepted' : 'the reply is not signed with this secret';
  const clock = result.kind === 'json' ? [clockStep(result.headers)] : [];
  return [reachStep(result), { step: 'credentials', isOk: isSigned, detail }, ...clock];
}

function examine(secret: string, headers: Parameters<Channel['parseCallback']>[0], body: Uint8Array): ExaminedStep[] {
  const verdict = verifySigned(secret, headers, CALLBACK_TARGET, body, Date.now());
  const parsed = wireCallback.safeParse(parseJson(body));
  const issue = parsed.error?.issues[0];
  return [
    {
      step: 'signature: HMAC-SHA256 over timestamp, CALLBACK and body',
      isOk: verdict.ok,
      detail: verdict.ok ? 'verified' : verdict.detail,
    },
    {
      step: 'content',
      isOk: parsed.success,
      detail: issue === undefined ? 'a callback' : `${issue.path.join('.')}: ${issue.message}`,
    },
  ];
}

const MAX_CALLBACK_BYTES = 64 * 1024;

function readCallback(
  secret: string,
  headers: Parameters<Channel['parseCallback']>[0],
  body: Uint8Array,
): CallbackResult {
  if (body.length > MAX_CALLBACK_BYTES) return { type: 'refused', why: 'malformed', detail: 'too long' };
  const verdict = verifySigned(secret, headers, CALLBACK_TARGET, body, Date.now());
  if (!verdict.ok) return { type: 'refused', why: 'unauthentic', detail: verdict.detail };
  const parsed = wireCallback.safeParse(parseJson(body));
  if (!parsed.success) return { type: 'refused', why: 'malformed', detail: 'not a callback' };
  const { kind, orderNo, currency } = parsed.data.order;
  return { type: 'report', kind, orderNo, currency, answer: answerOf(parsed.data.order) };
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

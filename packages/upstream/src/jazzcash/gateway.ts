import type { CallRate, ChannelAnswer, ChannelOrderRef, LimitedAccount } from '@tidegate/domain/channels';
import type { HttpCall } from '../provider/http-client.ts';
import type { ChannelTools } from '../provider/provider-adapter.ts';
import { describeCode } from './mapping.ts';
import { referenceOf } from './reference.ts';
import { readSends } from './sends.ts';
import type { GatewayPaths, JazzCashSettings } from './settings.ts';
import { type Fields, isAuthentic, signed } from './signing.ts';
import { earlyErrorOf, readFields } from './wire.ts';

/** JazzCash at one account. */
export interface Gateway extends JazzCashSettings, Waits {
  tools: ChannelTools;
  /** Payins about which JazzCash sent a notification. They may be queried at once. */
  notified: RecentNumbers;
}

/** How long a create takes, and how many payers confirm at once. */
export interface Waits {
  /** A payin is sent within this time of its create, or not at all. */
  prepareMs: number;
  /** How long a create waits for the payer. */
  payerWaitMs: number;
  /** Payers who confirm at one server at once, in this process. */
  maxConfirming: number;
}

/** Order numbers that were added last, at most 1,000. */
export interface RecentNumbers {
  add(orderNo: string): void;
  has(orderNo: string): boolean;
}

export function openRecentNumbers(most = 1_000): RecentNumbers {
  const numbers = new Set<string>();
  return {
    add(orderNo) {
      numbers.delete(orderNo);
      numbers.add(orderNo);
      const [oldest] = numbers;
      if (numbers.size > most && oldest !== undefined) numbers.delete(oldest);
    },
    has: (orderNo) => numbers.has(orderNo),
  };
}

export type Reply =
  | { kind: 'fields'; fields: Fields }
  /** The call may or may not have been carried out. */
  | { kind: 'lost'; detail: string }
  /** An answer that proves nothing: unsigned, unreadable, HTTP 429. */
  | { kind: 'unreadable'; detail: string }
  | { kind: 'forbidden'; detail: string };

/** JazzCash publishes no limit; this is far below what one account needs. */
const rate: CallRate = { perSecond: 10, burst: 20 };
/** The payer must get the request while enough time is left. */
const createRate: CallRate = { ...rate, maxWaitMs: 1_000 };

/**
 * Waits until the account's rate limit allows a call. False: that takes too long, so nothing may be sent. Creates have
 * a limit of their own, so that inquiries never delay a payer.
 */
export function mayCall(
  { tools, merchantId }: Gateway,
  signal: AbortSignal,
  purpose: 'create' | 'other' = 'other',
): Promise<boolean> {
  const limited = purpose === 'create' ? limitOfCreates(merchantId) : { account: accountOf(merchantId), rate };
  return tools.limiter.take(limited.account, limited.rate, signal);
}

/** The limit of creates. */
export function limitOfCreates(merchantId: string): LimitedAccount {
  return { account: `${accountOf(merchantId)} create`, rate: createRate };
}

function accountOf(merchantId: string): string {
  return `jazzcash ${merchantId}`;
}

/** Sends one signed call, after `mayCall`. Only a complete answer with the right hash is trusted. */
export async function exchange(
  gateway: Gateway,
  operation: keyof GatewayPaths,
  fields: Fields,
  signal: AbortSignal,
  options: Pick<HttpCall, 'timeoutMs'> = {},
): Promise<Reply> {
  const call: HttpCall = {
    method: 'POST',
    url: gateway.baseUrl + gateway.paths[operation],
    ...options,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signed(fields, gateway.key)),
  };
  const result = await gateway.tools.http.send(call, signal);
  switch (result.kind) {
    case 'json': {
      const { status } = result;
      if (status !== 200) return { kind: 'unreadable', detail: `HTTP ${status}` };
      const answer = readFields(result.json);
      if (answer === null) return { kind: 'unreadable', detail: 'not an answer of JazzCash' };
      if (!isAuthentic(answer, gateway.keys)) return { kind: 'unreadable', detail: whyUntrusted(answer) };
      return { kind: 'fields', fields: answer };
    }
    case 'server_error':
      return { kind: 'lost', detail: `HTTP ${result.status}` };
    case 'broken':
    case 'aborted':
      return { kind: 'lost', detail: result.detail };
    case 'unreadable':
    case 'forbidden':
      return { kind: result.kind, detail: result.detail };
    default:
      return result satisfies never;
  }
}

/** The fields that identify the account. */
export function accountFields({ merchantId, password }: Gateway): Fields {
  return { pp_MerchantID: merchantId, pp_Password: password };
}

/**
 * Whether an inquiry about this order is allowed: JazzCash wants ten minutes between a create and its first inquiry,
 * unless it has notified us itself. They count from the last send, which may be long after the order was created.
 */
export async function mayInquire(gateway: Gateway, { orderNo, createdAt }: ChannelOrderRef): Promise<boolean> {
  const { notified, inquiryAfterMs } = gateway;
  if (notified.has(orderNo) || inquiryAfterMs === 0) return true;
  const isOver = (since: number) => Date.now() - since >= inquiryAfterMs;
  const reference = referenceOf(orderNo);
  if (!isOver(createdAt) || reference === null) return false;
  const sends = await readSends(gateway, reference);
  return sends === null || isOver(sends.lastAt);
}

export type Unknown = Extract<ChannelAnswer, { outcome: 'unknown' }>;

/** The answer of a call without a usable reply. */
export function noAnswer(reply: { kind?: Reply['kind']; detail: string }): Unknown {
  const { detail } = reply;
  const isForbidden = reply.kind === 'forbidden';
  return { outcome: 'unknown', why: 'no_answer', detail, ...(isForbidden && { isForbidden }) };
}

/** The answer for a call that was not sent. It says nothing about JazzCash. */
export function notSent(detail: string): Unknown {
  return { outcome: 'unknown', why: 'no_answer', detail: `not sent: ${detail}`, isUnsent: true };
}

function whyUntrusted(answer: Fields): string {
  const early = earlyErrorOf(answer);
  return early === null ? 'the answer’s hash does not verify' : `an error without a hash: ${describeCode(early)}`;
}

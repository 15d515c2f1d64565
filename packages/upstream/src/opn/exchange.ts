import type { CallRate, ChannelAnswer } from '@tidegate/domain/channels';
import type { HttpResult } from '../provider/http-client.ts';
import type { OpnAccount } from './settings.ts';
import { apiVersion, wireError } from './wire.ts';

/** Opn limits calls by account and by address, but publishes no number. */
export const callRate: CallRate = { perSecond: 10, burst: 20 };

export interface OpnCall {
  method: 'GET' | 'POST';
  /** With its query string. */
  path: string;
  body?: object;
  /** Default: 64 kB. */
  maxReplyBytes?: number;
}

export type OpnReply =
  /** HTTP 2xx with JSON. */
  | { kind: 'object'; json: unknown }
  /** HTTP 4xx with an error object of Opn. */
  | { kind: 'error'; code: string; detail: string }
  /** The call had no effect: it was not sent, or Opn answered that it accepts no call now, or not with this key. */
  | { kind: 'not_executed'; detail: string; isAnswered: boolean; isForbidden?: true }
  /** The call may have had an effect. `isBroken`: no reply came, so it is useful to ask again. */
  | { kind: 'no_reply'; detail: string; isBroken: boolean };

/** `send` and `readResult`. */
export async function exchange(account: OpnAccount, call: OpnCall, signal: AbortSignal): Promise<OpnReply> {
  return readResult(await send(account, call, signal));
}

/** One call, after the rate limiter allowed it. */
export async function send(account: OpnAccount, call: OpnCall, signal: AbortSignal): Promise<HttpResult> {
  if (signal.aborted) return { kind: 'aborted', detail: 'ended before it was sent', isUnsent: true };
  if (!(await account.limiter.take(account.limiterAccount, callRate, signal))) {
    return { kind: 'aborted', detail: 'the rate limit left no call in time', isUnsent: true };
  }
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  return account.http.send(
    {
      method: call.method,
      url: account.baseUrl + call.path,
      headers: {
        authorization: account.authorization,
        'omise-version': apiVersion,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      ...(call.maxReplyBytes !== undefined && { maxReplyBytes: call.maxReplyBytes }),
    },
    signal,
  );
}

/** The meaning of the result of a call. */
export function readResult(result: HttpResult): OpnReply {
  if ('status' in result && result.status === 429) {
    return { kind: 'not_executed', detail: 'too many calls (HTTP 429)', isAnswered: true };
  }
  switch (result.kind) {
    case 'json':
      return readJson(result);
    case 'server_error':
      return { kind: 'no_reply', detail: `HTTP ${result.status}`, isBroken: true };
    case 'broken':
      return { kind: 'no_reply', detail: `broken: ${result.detail}`, isBroken: true };
    case 'aborted':
      if (result.isUnsent) return { kind: 'not_executed', detail: result.detail, isAnswered: false };
      return { kind: 'no_reply', detail: `aborted: ${result.detail}`, isBroken: false };
    case 'unreadable':
      return { kind: 'no_reply', detail: `unreadable: ${result.detail}`, isBroken: false };
    case 'forbidden':
      return { kind: 'not_executed', detail: result.detail, isAnswered: false, isForbidden: true };
    default:
      return result satisfies never;
  }
}

function readJson({ status, json }: Extract<HttpResult, { kind: 'json' }>): OpnReply {
  if (status >= 200 && status < 300) return { kind: 'object', json };
  const error = wireError.safeParse(json);
  if (!error.success) return { kind: 'no_reply', detail: `HTTP ${status} without an error of Opn`, isBroken: false };
  const { code } = error.data;
  if (status === 401) {
    return { kind: 'not_executed', detail: `Opn does not accept the secret key (${code})`, isAnswered: true };
  }
  return { kind: 'error', code, detail: `Opn answered ${code} (HTTP ${status})` };
}

/** The answer for a reply without a usable object: the outcome is unknown. */
export function unknownOf(
  reply: Exclude<OpnReply, { kind: 'object' }>,
): Extract<ChannelAnswer, { outcome: 'unknown' }> {
  const isForbidden = reply.kind === 'not_executed' && reply.isForbidden;
  const isUnsent = reply.kind === 'not_executed' && !reply.isAnswered;
  return { ...noAnswer(reply.detail), ...(isForbidden && { isForbidden }), ...(isUnsent && { isUnsent }) };
}

export function noAnswer(detail: string): Extract<ChannelAnswer, { outcome: 'unknown' }> {
  return { outcome: 'unknown', why: 'no_answer', detail };
}

/** Opn answered, and the answer decides nothing yet. */
export function undecided(detail: string): Extract<ChannelAnswer, { outcome: 'unknown' }> {
  return { ...noAnswer(detail), isUndecided: true };
}

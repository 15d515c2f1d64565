import type { CallRate, ChannelMemory, LimitedAccount } from '@tidegate/domain/channels';
import type { HttpCall, HttpResult } from '../provider/http-client.ts';
import type { ChannelTools } from '../provider/provider-adapter.ts';
import { type Notes, noAnswer } from './mapping.ts';
import type { KeyPair, Settings } from './settings.ts';
import { wireError } from './wire.ts';

/** One account at Razorpay, as every operation needs it. */
export interface Account {
  settings: Settings;
  memory: ChannelMemory;
  tools: ChannelTools;
}

export interface Call {
  method: HttpCall['method'];
  /** Below `/v1`, with its query. */
  path: string;
  body?: string;
  headers?: Record<string, string>;
  maxReplyBytes?: number;
}

/**
 * Razorpay asks for 5 to 10 calls a second (razorpay.com/docs, x/payouts/best-practices). 8 on average and 2 at once
 * are at most 10 in any second.
 */
const rate: CallRate = { perSecond: 8, burst: 2 };

/** Both key pairs belong to one account, which Razorpay limits as a whole. */
export function limitedAccount({ accountId, keys }: Settings): LimitedAccount {
  return { account: `razorpay:${accountId ?? keys.id}`, rate };
}

/** Sends one call with a key pair when the rate limiter allows it. A call that would wait too long is not sent. */
export async function send(
  { settings, tools }: Account,
  keys: KeyPair,
  { method, path, body, headers, maxReplyBytes }: Call,
  signal: AbortSignal,
): Promise<HttpResult> {
  const limited = limitedAccount(settings);
  if (!(await tools.limiter.take(limited.account, limited.rate, signal)))
    return { kind: 'aborted', detail: 'not sent: the rate limit left no time', isUnsent: true };
  const authorization = `Basic ${Buffer.from(`${keys.id}:${keys.secret}`).toString('base64')}`;
  return tools.http.send(
    {
      method,
      url: `${settings.baseUrl}/v1${path}`,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body }),
      ...(maxReplyBytes !== undefined && { maxReplyBytes }),
    },
    signal,
  );
}

export type Reply =
  | { kind: 'ok'; json: unknown }
  /** Razorpay refused the call itself: HTTP 400 with its own error. */
  | { kind: 'error'; reason: string; description: string }
  | { kind: 'none'; detail: string; notes: Notes };

/**
 * Reads the reply of one call. Only HTTP 200, HTTP 201 and a readable BAD_REQUEST_ERROR are definite. Any other reply
 * is `none`.
 */
export function readReply(result: HttpResult): Reply {
  if (result.kind === 'json') {
    if (result.status === 200 || result.status === 201) return { kind: 'ok', json: result.json };
    const parsed = wireError.safeParse(result.json);
    if (result.status !== 400 || !parsed.success) return none(`HTTP ${result.status}`);
    const { code, description, reason, field } = parsed.data.error;
    if (code !== 'BAD_REQUEST_ERROR') return none(`error ${code.slice(0, 40)}`);
    const where = field ? ` (${field})` : '';
    return { kind: 'error', reason: withoutPersonalData(`${description || reason}${where}`), description };
  }
  if (result.kind === 'server_error') return none(`HTTP ${result.status}`);
  const isUnsent = result.kind === 'aborted' && result.isUnsent === true;
  return none(`${result.kind}: ${result.detail}`, {
    ...(result.kind === 'forbidden' && { isForbidden: true }),
    ...(isUnsent && { isUnsent }),
  });
}

function none(detail: string, notes: Notes = {}): Extract<Reply, { kind: 'none' }> {
  return { kind: 'none', detail, notes };
}

/** Sends one call and reads its reply. */
export async function ask(account: Account, keys: KeyPair, call: Call, signal: AbortSignal): Promise<Reply> {
  return readReply(await send(account, keys, call, signal));
}

/** The answer for a reply other than `ok`, if a refusal proves nothing about the money: unknown. */
export function unanswered(reply: Exclude<Reply, { kind: 'ok' }>): ReturnType<typeof noAnswer> {
  return reply.kind === 'none' ? noAnswer(reply.detail, reply.notes) : noAnswer(`refused: ${reply.reason}`);
}

/** A text of Razorpay without anything that could be an account number, a phone number, an email or a UPI address. */
function withoutPersonalData(words: string): string {
  return words
    .replace(/(?<!\S)\S*@\S*/g, '…')
    .replace(/[0-9]{5,}/g, '…')
    .slice(0, 150)
    .toWellFormed();
}

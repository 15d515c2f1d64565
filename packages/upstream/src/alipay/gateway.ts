import type { CallRate, ChannelAnswer, ChannelMemory } from '@tidegate/domain/channels';
import type { HttpResult } from '../provider/http-client.ts';
import type { ChannelTools } from '../provider/provider-adapter.ts';
import type { AlipayAccount } from './settings.ts';
import { requestContent, signContent, splitReply, verifyContent } from './signing.ts';
import { wireOutcome } from './wire.ts';

/** Alipay publishes no limit. This limit is our choice, so that many polls do not look like an attack. */
export const callRate: CallRate = { perSecond: 50, burst: 50 };

export interface Gateway {
  account: AlipayAccount;
  tools: ChannelTools;
  memory: ChannelMemory;
  /** The account whose rate limit counts its calls. Creates have their own limit, so that polls never delay them. */
  limiterAccount: string;
}

export interface GatewayCall {
  method: string;
  content: Readonly<Record<string, string>>;
  notifyUrl?: string;
}

/** The answer of the gateway. `node` is verified; `none` proves nothing. */
export type GatewayAnswer =
  | { kind: 'success'; node: unknown }
  | { kind: 'error'; code: string; subCode: string; outTradeNo?: string }
  | { kind: 'none'; detail: string; notes?: Notes };

/** The signed parameters of a call, for the query string, without `biz_content`. */
export function signedParameters(account: AlipayAccount, call: GatewayCall, now: number): URLSearchParams {
  const { appId, certificates, privateKey } = account;
  const common = {
    app_id: appId,
    method: call.method,
    format: 'JSON',
    charset: 'utf-8',
    sign_type: 'RSA2',
    version: '1.0',
    timestamp: beijingTime(now),
    ...(call.notifyUrl !== undefined && { notify_url: call.notifyUrl }),
    ...(certificates && { app_cert_sn: certificates.appSerial, alipay_root_cert_sn: certificates.rootSerial }),
  };
  const sign = signContent(requestContent({ ...common, biz_content: JSON.stringify(call.content) }), privateKey);
  return new URLSearchParams({ ...common, sign });
}

type Unknown = Extract<ChannelAnswer, { outcome: 'unknown' }>;
/** Further facts about an unknown answer. */
type Notes = Pick<Unknown, 'isForbidden' | 'isUnsent'>;

/** Sends one call after the rate limiter allowed it. */
export async function sendCall(
  { account, tools, limiterAccount }: Gateway,
  call: GatewayCall,
  signal: AbortSignal,
): Promise<HttpResult> {
  if (!(await tools.limiter.take(limiterAccount, callRate, signal))) {
    return { kind: 'aborted', detail: 'not sent: the rate limit', isUnsent: true };
  }
  const request = {
    method: 'POST',
    url: `${account.gatewayUrl}?${signedParameters(account, call, Date.now())}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
    body: new URLSearchParams({ biz_content: JSON.stringify(call.content) }).toString(),
    // The gateway sends JSON as text/html.
    acceptsAnyContentType: true,
    // What the gateway itself refuses is in GBK, whatever the request asks for.
    otherCharset: 'gb18030',
  } as const;
  return tools.http.send(request, signal);
}

/** Reads the reply to a call of `method`. A reply that Alipay did not sign is always `none`. */
export function readReply(account: AlipayAccount, method: string, result: HttpResult): GatewayAnswer {
  if (result.kind === 'forbidden') return { kind: 'none', detail: result.detail, notes: { isForbidden: true } };
  if (result.kind === 'aborted' && result.isUnsent)
    return { kind: 'none', detail: result.detail, notes: { isUnsent: true } };
  if (result.kind === 'server_error') return { kind: 'none', detail: `HTTP ${result.status}` };
  if (result.kind !== 'json') return { kind: 'none', detail: `${result.kind}: ${result.detail}` };
  if (result.status !== 200) return { kind: 'none', detail: `HTTP ${result.status}` };
  const reply = splitReply(result.raw, result.charset, method);
  if (!reply) return { kind: 'none', detail: `reply without a signature${hintOf(result.json, method)}` };
  const keys = account.trusted.filter(({ serial }) => serial === undefined || serial === reply.certificateSerial);
  if (keys.length === 0) return { kind: 'none', detail: 'reply signed with an unknown Alipay certificate' };
  if (
    !verifyContent(
      reply.node,
      reply.signature,
      keys.map(({ key }) => key),
    )
  ) {
    return { kind: 'none', detail: 'the signature of the reply does not verify' };
  }
  const node: unknown = JSON.parse(new TextDecoder(result.charset).decode(reply.node));
  const outcome = wireOutcome.safeParse(node);
  if (!outcome.success) return { kind: 'none', detail: 'reply without a code' };
  const { code, sub_code: subCode = '', out_trade_no: outTradeNo } = outcome.data;
  if (code === '10000') return { kind: 'success', node };
  return { kind: 'error', code, subCode, ...(outTradeNo !== undefined && { outTradeNo }) };
}

/** Errors of the gateway itself are not signed. Their code is shown to support, and decides nothing. */
function hintOf(json: unknown, method: string): string {
  const nodes = json as Record<string, unknown> | null;
  const node = wireOutcome.safeParse(nodes?.[`${method.replaceAll('.', '_')}_response`] ?? nodes?.error_response);
  return node.success ? `: ${describeCode(node.data.code, node.data.sub_code ?? '')}` : '';
}

export async function call(gateway: Gateway, request: GatewayCall, signal: AbortSignal): Promise<GatewayAnswer> {
  return readReply(gateway.account, request.method, await sendCall(gateway, request, signal));
}

/** A code of Alipay as text for people: short, with characters of codes only. */
function describeCode(code: string, subCode: string): string {
  return subCode === '' ? code : `${code} ${subCode.replace(/[^A-Za-z0-9._-]/g, '?').slice(0, 60)}`;
}

export function noAnswer(detail: string, notes: Notes = {}): Unknown {
  return { outcome: 'unknown', why: 'no_answer', detail, ...notes };
}

/** The unknown answer for a reply without a usable content. */
export function unanswered(answer: Exclude<GatewayAnswer, { kind: 'success' }>): ReturnType<typeof noAnswer> {
  if (answer.kind === 'none') return noAnswer(answer.detail, answer.notes);
  return noAnswer(`Alipay answered ${describeCode(answer.code, answer.subCode)}`);
}

/** `yyyy-MM-dd HH:mm:ss` in China, which has no summer time. */
export function beijingTime(unixMs: number): string {
  return new Date(unixMs + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Unix milliseconds of a time in China; NaN if it is none. */
export function readBeijingTime(text: string): number {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? Date.parse(`${text.replace(' ', 'T')}+08:00`) : Number.NaN;
}

import type { ChannelAnswer, ChannelOrder } from '@tidegate/domain/channels';
import { type HttpResult, retryUntilAnswered } from '../provider/http-client.ts';
import {
  beijingTime,
  type Gateway,
  type GatewayAnswer,
  type GatewayCall,
  noAnswer,
  readReply,
  sendCall,
  signedParameters,
  unanswered,
} from './gateway.ts';
import { isPassing, precreateErrorOf } from './mapping.ts';
import { queryTrade } from './query-payin.ts';
import { wirePrecreated } from './wire.ts';

/** A trade stays open for 15 days at most. */
const maxSeconds = 15 * 86_400;

/**
 * Creates a payin. `out_trade_no` is the idempotency key: one number is one trade, however often it is created. The
 * payer's scan makes the trade, so the order number is the reference of the channel.
 */
export async function createPayin(gateway: Gateway, order: ChannelOrder, signal: AbortSignal): Promise<ChannelAnswer> {
  const problem = problemOf(order);
  if (problem !== null) return { outcome: 'refused', reason: problem };
  return gateway.account.product === 'page' ? createPage(gateway, order, signal) : precreate(gateway, order, signal);
}

function problemOf({ kind, country, currency, orderNo, callbackUrl }: ChannelOrder): string | null {
  if (kind !== 'payin' || country !== 'CN' || currency !== 'CNY') return 'Alipay carries payins in CNY only';
  if (!/^[0-9A-Za-z_]{1,64}$/.test(orderNo)) return 'the order number is not valid for Alipay';
  return callbackUrl.length > 256 ? 'the callback URL is longer than Alipay allows (256 characters)' : null;
}

function tradeContent({ account }: Gateway, order: ChannelOrder): Record<string, string> {
  return { out_trade_no: order.orderNo, total_amount: order.amount, subject: account.subject };
}

/** How long a code can be paid, in whole minutes. It is rounded down, so that it ends not later than the order. */
function codeTimeouts({ expiresInSeconds }: ChannelOrder): Record<string, string> {
  if (expiresInSeconds === undefined) return {};
  const minutes = Math.max(1, Math.floor(Math.min(expiresInSeconds, maxSeconds) / 60));
  return { timeout_express: `${minutes}m`, qr_code_timeout_express: `${minutes}m` };
}

/**
 * The time at which a page link ends. `timeout_express` would begin only when the payer opens the link, and again at
 * each opening. The seconds of the order were rounded up, so one is subtracted.
 */
function pageEnd({ expiresInSeconds }: ChannelOrder): Record<string, string> {
  if (expiresInSeconds === undefined) return {};
  const seconds = Math.min(expiresInSeconds, maxSeconds) - 1;
  return { time_expire: beijingTime(Date.now() + seconds * 1_000) };
}

async function precreate(gateway: Gateway, order: ChannelOrder, signal: AbortSignal): Promise<ChannelAnswer> {
  const request = {
    method: 'alipay.trade.precreate',
    content: { ...tradeContent(gateway, order), seller_id: gateway.account.sellerId, ...codeTimeouts(order) },
    notifyUrl: order.callbackUrl,
  };
  const answer = await sendUntilAnswered(gateway, request, signal);
  if (answer.kind === 'success') return readPrecreated(answer.node, order);
  if (answer.kind === 'none') return unanswered(answer);
  const error = precreateErrorOf(answer.code, answer.subCode);
  if (!error) return unanswered(answer);
  if (answer.outTradeNo !== undefined && answer.outTradeNo !== order.orderNo) return aboutAnother;
  if (error.means === 'refused') return { outcome: 'refused', reason: `${answer.subCode}: ${error.reason}` };
  const known = await queryTrade(gateway, order, signal);
  // The trade exists, so the query cannot make it unknown.
  return known.outcome === 'unknown' ? noAnswer(`${answer.subCode}, then ${known.detail}`) : known;
}

/**
 * Repeats a call whose connection broke, or that met a temporary fault of Alipay. Only for calls with an idempotency
 * key.
 */
async function sendUntilAnswered(gateway: Gateway, request: GatewayCall, signal: AbortSignal): Promise<GatewayAnswer> {
  let last: GatewayAnswer | null = null;
  const attempt = async (): Promise<HttpResult> => {
    const result = await sendCall(gateway, request, signal);
    const answer = readReply(gateway.account, request.method, result);
    // The result of an attempt that was cut off says less than that of the previous attempt.
    if (last === null || result.kind !== 'aborted') last = answer;
    return isPassing(answer) ? { kind: 'broken', detail: 'a fault that passes' } : result;
  };
  await retryUntilAnswered(attempt, signal);
  return last ?? { kind: 'none', detail: 'not sent' };
}

function readPrecreated(node: unknown, { orderNo }: ChannelOrder): ChannelAnswer {
  const parsed = wirePrecreated.safeParse(node);
  if (!parsed.success) return noAnswer('the answer has no order code');
  if (parsed.data.out_trade_no !== orderNo) return aboutAnother;
  const { qr_code: code } = parsed.data;
  // On a phone the address in the code opens the Alipay app.
  return { outcome: 'accepted', channelRef: orderNo, payQr: code, ...(/^https:/.test(code) && { payLink: code }) };
}

/**
 * The page is only a signed link. So a query first finds out whether the trade exists, and whether the gateway answers.
 */
async function createPage(gateway: Gateway, order: ChannelOrder, signal: AbortSignal): Promise<ChannelAnswer> {
  const known = await queryTrade(gateway, order, signal);
  const isOpen = known.outcome === 'accepted' || (known.outcome === 'unknown' && known.why === 'not_found');
  if (!isOpen) return known;
  const request = {
    method: 'alipay.trade.page.pay',
    content: { ...tradeContent(gateway, order), ...pageEnd(order), product_code: 'FAST_INSTANT_TRADE_PAY' },
    notifyUrl: order.callbackUrl,
  };
  const link = signedParameters(gateway.account, request, Date.now());
  link.set('biz_content', JSON.stringify(request.content));
  return { outcome: 'accepted', channelRef: order.orderNo, payLink: `${gateway.account.gatewayUrl}?${link}` };
}

const aboutAnother = noAnswer('the answer is about another order');

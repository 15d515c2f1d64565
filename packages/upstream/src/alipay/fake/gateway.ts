import type { FastifyReply, FastifyRequest } from 'fastify';
import iconv from 'iconv-lite';
import type { AlipayKey, FakeAccount } from './account.ts';
import type { Bills } from './bills.ts';
import { type Answer, type Caller, findOrAdd, methods } from './methods.ts';
import { readInChina } from './notify.ts';
import { isSignedBy, signAnswer } from './sign.ts';
import type { Trades } from './trades.ts';

export interface GatewayState {
  account: FakeAccount;
  trades: Trades;
  bills: Bills;
  now: () => number;
  signingKey: () => AlipayKey;
  /** How many of the next calls answer ACQ.SYSTEM_ERROR, and whether they take effect. */
  busy: { left: number; takesEffect: boolean };
  /** How many of the next answers are in GBK. */
  inGbk: { left: number };
  /** Fields that the next queries answer instead of the true ones. */
  distorted: { left: number; fields: Record<string, string> };
  /** Runs before the answer to a precreate is sent. */
  beforeAnswer: (outTradeNo: string) => void;
}

/** Errors of the gateway itself, which it does not sign. */
const refusal = (code: string, msg: string, subCode: string): Answer => ({ code, msg, sub_code: subCode });
const missing = (name: string) => refusal('40001', 'Missing Required Arguments', `isv.missing-${name}`);
const wrong = (subCode: string) => refusal('40002', 'Invalid Arguments', `isv.${subCode}`);

/** One call of the gateway: its parameters are in the query string and in the form. */
export function answerCall(state: GatewayState, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const parameters = parametersOf(request);
  const method = parameters.get('method') ?? '';
  const refused = refusalOf(state.account, parameters, request);
  // Also JSON is sent as text/html.
  const charset = state.inGbk.left > 0 ? 'gbk' : 'utf-8';
  reply.type(`text/html;charset=${charset}`);
  if (refused) return reply.send(JSON.stringify({ [nodeName(method)]: refused }));
  if (method === 'alipay.trade.page.pay') return showPage(state, parameters, reply);
  if (charset === 'gbk') state.inGbk.left -= 1;
  return reply.send(signed(state.signingKey(), method, run(state, method, parameters), charset));
}

function run(state: GatewayState, method: string, parameters: ReadonlyMap<string, string>): Answer {
  const content = contentOf(parameters);
  if (content && method === 'alipay.data.dataservice.bill.downloadurl.query') return state.bills.answer(content);
  const execute = methods[method];
  if (!content) return refusal('40002', 'Invalid Arguments', 'isv.invalid-parameter');
  if (!execute) return refusal('40002', 'Invalid Arguments', 'isv.invalid-method');
  const isBusy = state.busy.left > 0;
  if (isBusy) state.busy.left -= 1;
  const systemError = { code: '40004', msg: 'Business Failed', sub_code: 'ACQ.SYSTEM_ERROR', sub_msg: '系统异常' };
  if (isBusy && !state.busy.takesEffect) return systemError;
  const answer = execute(content, callerOf(state, parameters), state.trades);
  if (method === 'alipay.trade.query' && answer.code === '10000' && state.distorted.left > 0) {
    state.distorted.left -= 1;
    return { ...answer, ...state.distorted.fields };
  }
  if (method === 'alipay.trade.precreate' && answer.code === '10000') state.beforeAnswer(String(content.out_trade_no));
  return isBusy ? systemError : answer;
}

/** An answer as Alipay sends it: the signature covers the node exactly as it is sent. */
function signed({ key, serial }: AlipayKey, method: string, answer: Answer, charset: 'gbk' | 'utf-8'): Buffer {
  const node = iconv.encode(JSON.stringify(answer).replaceAll('/', '\\/'), charset);
  const certificate = serial === undefined ? '' : `"alipay_cert_sn":"${serial}",`;
  const [before, after] = [`{"${nodeName(method)}":`, `,${certificate}"sign":"${signAnswer(key, node)}"}`];
  return Buffer.concat([Buffer.from(before), node, Buffer.from(after)]);
}

function refusalOf(account: FakeAccount, fields: ReadonlyMap<string, string>, request: FastifyRequest): Answer | null {
  const names = ['method', 'app_id', 'sign_type', 'timestamp', 'version', 'charset', 'biz_content'];
  const absent = names.find((name) => !fields.get(name));
  if (absent !== undefined) return missing(absent.replace('_', '-'));
  if (!fields.get('sign')) return missing('signature');
  if (fields.get('app_id') !== account.appId) return wrong('invalid-app-id');
  if (fields.get('sign_type') !== 'RSA2') return wrong('invalid-signature-type');
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(fields.get('timestamp') ?? '')) return wrong('invalid-timestamp');
  if (fields.get('version') !== '1.0') return wrong('invalid-version');
  // The charset has to be in the query string, because it says how to read the form.
  if (!/[?&]charset=utf-8(&|$)/i.test(request.url)) return wrong('invalid-charset');
  const { expectedSerials } = account;
  const isNamed =
    expectedSerials === null ||
    (fields.get('app_cert_sn') === expectedSerials.app && fields.get('alipay_root_cert_sn') === expectedSerials.root);
  return isNamed && isSignedBy(account.appPublicKey, fields) ? null : wrong('invalid-signature');
}

/**
 * The page on which a payer logs in. Opening it makes the trade. Before that Alipay knows nothing of the link, so only
 * its `time_expire` ends it.
 */
function showPage(state: GatewayState, parameters: ReadonlyMap<string, string>, reply: FastifyReply): FastifyReply {
  const content = contentOf(parameters) ?? {};
  const { product_code: product, time_expire: end } = content;
  const expiresAt = end === undefined ? undefined : readInChina(String(end));
  // An end that cannot be read is NaN, and opens nothing.
  const isOpen = product === 'FAST_INSTANT_TRADE_PAY' && (expiresAt === undefined || expiresAt > state.now());
  const caller = { ...callerOf(state, parameters), ...(expiresAt !== undefined && { expiresAt }) };
  const found = isOpen ? findOrAdd(content, caller, state.trades) : null;
  if (!found || 'code' in found) {
    return reply
      .code(200)
      .send(`<!doctype html><title>Alipay</title><p>${found ? found.sub_code : 'INVALID_PARAMETER'}</p>`);
  }
  state.trades.scan(found.outTradeNo);
  return reply.send(`<!doctype html><title>Alipay</title><p>Pay ${found.amount} CNY: order ${found.outTradeNo}</p>`);
}

function callerOf({ account, now }: GatewayState, parameters: ReadonlyMap<string, string>): Caller {
  return { notifyUrl: parameters.get('notify_url') ?? '', sellerId: account.sellerId, now: now() };
}

function contentOf(parameters: ReadonlyMap<string, string>): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(parameters.get('biz_content') ?? '');
    return typeof content === 'object' && content !== null ? (content as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function parametersOf(request: FastifyRequest): Map<string, string> {
  const query = new URL(request.url, 'http://fake').searchParams;
  const form = new URLSearchParams(request.body instanceof Buffer ? request.body.toString('utf8') : '');
  return new Map([...query, ...form]);
}

function nodeName(method: string): string {
  return `${method.split('.').join('_')}_response`;
}

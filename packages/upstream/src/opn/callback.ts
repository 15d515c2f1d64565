import type { CallbackHeaders, CallbackResult, ExaminedStep } from '@tidegate/domain/channels';
import type { OpnAccount } from './settings.ts';
import { examineSignature } from './signing.ts';
import { chargeMetadata, wireEvent } from './wire.ts';

const maxBytes = 64 * 1024;

/**
 * Reads a webhook, which only means that its order has to be queried now. It never proves a result: Opn advises to
 * fetch the charge again, and the form of a webhook depends on the API version of the account.
 */
export function parseCallback(account: OpnAccount, headers: CallbackHeaders, body: Uint8Array): CallbackResult {
  if (body.length > maxBytes) return { type: 'refused', why: 'malformed', detail: 'too long' };
  const wrong = examineSignature(account.webhookSecret, headers, body, Date.now()).find(({ isOk }) => !isOk);
  if (wrong) return { type: 'refused', why: 'unauthentic', detail: `${wrong.step}: ${wrong.detail}` };
  return readEvent(account, body);
}

/** The steps of `parseCallback`, for support engineers. */
export function examineCallback(account: OpnAccount, headers: CallbackHeaders, body: Uint8Array): ExaminedStep[] {
  const isShort = body.length <= maxBytes;
  const size = { step: 'size', isOk: isShort, detail: `${body.length} bytes, at most ${maxBytes} are read` };
  if (!isShort) return [size];
  const steps = [size, ...examineSignature(account.webhookSecret, headers, body, Date.now())];
  if (!steps.every(({ isOk }) => isOk)) return steps;
  const result = readEvent(account, body);
  const detail = result.type === 'query' ? `about order ${result.orderNo}, which is queried at once` : detailOf(result);
  return [...steps, { step: 'content', isOk: result.type !== 'refused', detail }];
}

function readEvent(account: OpnAccount, body: Uint8Array): CallbackResult {
  const read = wireEvent.safeParse(parseJson(body));
  if (!read.success) return { type: 'refused', why: 'malformed', detail: 'not an event of Opn' };
  const { key, data } = read.data;
  const nothing = (detail: string): CallbackResult => ({ type: 'nothing', detail: `${key}: ${detail}` });
  if (data.object !== 'charge') return nothing('not about a charge');
  if ((data.livemode ?? account.isLive) !== account.isLive) return nothing('a charge of the other mode');
  const orderNo = data.metadata?.tidegate_order;
  if (typeof orderNo !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(orderNo))
    return nothing('a charge without an order');
  const { tidegate_channel: ours } = chargeMetadata(account.channelId, orderNo);
  if (data.metadata?.tidegate_channel !== ours) return nothing('a charge of another channel');
  return { type: 'query', kind: 'payin', orderNo };
}

function detailOf(result: CallbackResult): string {
  return 'detail' in result ? result.detail : result.type;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

import type { CallbackHeaders, CallbackResult, ExaminedStep } from '@tidegate/domain/channels';
import type { Settings } from './settings.ts';
import { verifyWebhook } from './signing.ts';
import { type WireEvent, wireEvent, wireEventOrder, wireReference } from './wire.ts';

const maxBytes = 64 * 1024;
const orderNumber = /^[A-Za-z0-9_-]{1,40}$/;
/** Razorpay repeats an event for 24 hours. By hand, events of up to 15 days can be sent again. */
const oldestMs = 16 * 24 * 3_600_000;

/**
 * Reads a webhook. It never decides, but causes a query of its order. The signature proves the body, but not that the
 * webhook is the latest one, or of live mode. If two channels share an account, both get it.
 */
export function readCallback(settings: Settings, headers: CallbackHeaders, body: Uint8Array): CallbackResult {
  if (body.length > maxBytes) return { type: 'refused', why: 'malformed', detail: 'too long' };
  const verdict = verifyWebhook(settings.webhookSecrets, headers['x-razorpay-signature'], body);
  if (!verdict.ok) return { type: 'refused', why: 'unauthentic', detail: verdict.detail };
  const event = readEvent(body);
  if (event === null) return { type: 'refused', why: 'malformed', detail: 'not a webhook of Razorpay' };
  if (isOfAnother(settings, event)) return { type: 'refused', why: 'unauthentic', detail: 'of another account' };
  if (isTooOld(event)) return { type: 'refused', why: 'unauthentic', detail: 'too old to be sent again' };
  return meaningOfEvent(event);
}

/** How `readCallback` comes to its result, step by step. */
export function examineCallback(settings: Settings, headers: CallbackHeaders, body: Uint8Array): ExaminedStep[] {
  const verdict = verifyWebhook(settings.webhookSecrets, headers['x-razorpay-signature'], body);
  const event = readEvent(body);
  const steps: ExaminedStep[] = [
    { step: 'size', isOk: body.length <= maxBytes, detail: `${body.length} bytes, at most ${maxBytes}` },
    {
      step: 'signature',
      isOk: verdict.ok,
      detail: verdict.ok ? `HMAC-SHA256 of the body, signed with ${verdict.signedWith}` : verdict.detail,
    },
    { step: 'content', isOk: event !== null, detail: event ? event.event : 'not JSON of a webhook' },
  ];
  if (event === null) return steps;
  const isOther = isOfAnother(settings, event);
  const account = settings.accountId === undefined ? 'not compared: no account ID is entered' : 'compared';
  steps.push({ step: 'account', isOk: !isOther, detail: isOther ? 'of another account' : account });
  const age = Math.round((Date.now() - event.created_at * 1_000) / 1_000);
  steps.push({ step: 'age', isOk: !isTooOld(event), detail: `${age} s old, at most ${oldestMs / 1_000}` });
  const meaning = meaningOfEvent(event);
  const about = 'orderNo' in meaning ? ` order ${meaning.orderNo}` : '';
  steps.push({ step: 'meaning', isOk: true, detail: `${meaning.type}${about}` });
  return steps;
}

function readEvent(body: Uint8Array): WireEvent | null {
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return wireEvent.safeParse(json).data ?? null;
  } catch {
    return null;
  }
}

function isOfAnother({ accountId }: Settings, event: WireEvent): boolean {
  return accountId !== undefined && event.account_id !== accountId;
}

function isTooOld({ created_at }: WireEvent): boolean {
  return Date.now() - created_at * 1_000 > oldestMs;
}

function meaningOfEvent(event: WireEvent): CallbackResult {
  const [subject] = event.event.split('.');
  const { payload } = event;
  if (subject === 'payment_link')
    return askAbout('payin', wireReference.safeParse(payload.payment_link?.entity).data?.reference_id, event);
  // A payment that is authorised late has no event of its link. Its Razorpay order has our order number as receipt.
  if (payload.order) {
    const order = wireEventOrder.safeParse(payload.order.entity).data;
    const isOfLink = order?.product_type?.startsWith('payment_link') ?? false;
    if (isOfLink) return askAbout('payin', order?.receipt, event);
  }
  if (subject === 'payout' && payload.payout)
    return askAbout('payout', wireReference.safeParse(payload.payout.entity).data?.reference_id, event);
  return { type: 'nothing', detail: `${event.event} is about no order of ours` };
}

function askAbout(kind: 'payin' | 'payout', orderNo: unknown, { event }: WireEvent): CallbackResult {
  return typeof orderNo === 'string' && orderNumber.test(orderNo)
    ? { type: 'query', kind, orderNo }
    : { type: 'nothing', detail: `${event} has no order number of ours` };
}

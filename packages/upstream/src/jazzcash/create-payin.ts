import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelAnswer, ChannelOrder } from '@tidegate/domain/channels';
import { fromPaisa, toPaisa } from './amounts.ts';
import { accountFields, exchange, type Gateway, mayInquire, noAnswer, type Reply, takeTurn } from './gateway.ts';
import { readLateAnswer, storeLateAnswer } from './late-answer.ts';
import { describeCode, stateOfCode } from './mapping.ts';
import { answerOfInquiry, inquireState } from './query-payin.ts';
import { isSameReference, referenceOf } from './reference.ts';
import type { Fields } from './signing.ts';
import { pakistanTime } from './time.ts';
import { type WireCreated, wireCreated } from './wire.ts';

/** JazzCash keeps the call open while the payer confirms, for up to a minute. */
const longestCallMs = 75_000;
const dayMs = 24 * 60 * 60_000;
const searchWaitsMs = [100, 200, 400, 800];
const mostSearches = 40;

/**
 * Sends a payin to the payer's phone. JazzCash has no idempotency key, so a payin is sent once: the channel's memory
 * says whether it was. Afterwards it is only sent again if an inquiry finds no transaction.
 */
export async function createPayin(gateway: Gateway, order: ChannelOrder, signal: AbortSignal): Promise<ChannelAnswer> {
  const wanted = readOrder(order);
  if ('problem' in wanted) return { outcome: 'refused', reason: wanted.problem };
  const request: Request = { gateway, order, signal, ...wanted };
  // Each holds a connection. Nothing was sent, so another channel may carry the order.
  if (gateway.confirming.count >= gateway.mostConfirming)
    return { outcome: 'refused', reason: 'too many payers are confirming at this moment' };
  if (!(await takeTurn(gateway, signal))) return noAnswer({ detail: 'not sent: the rate limit' });
  if (await isFirst(request)) {
    const first = await send(request);
    if (first !== 'lost' && first !== 'sent before') return first;
    if (!mayInquire(gateway, order)) return noAnswer({ detail: 'the answer to the create was lost' });
  } else if (!mayInquire(gateway, order)) {
    return (await readLateAnswer(gateway, order)) ?? { outcome: 'accepted', channelRef: wanted.reference };
  }
  return searchAndSend(request);
}

interface Request {
  gateway: Gateway;
  order: ChannelOrder;
  signal: AbortSignal;
  reference: string;
  paisa: string;
  mobile: string;
  cnic: string;
}

/** What JazzCash needs of an order, or the reason why it cannot carry it. */
function readOrder(order: ChannelOrder): Omit<Request, 'gateway' | 'order' | 'signal'> | { problem: string } {
  const { kind, country, currency, orderNo, amount, party } = order;
  if (kind !== 'payin' || country !== 'PK' || currency !== 'PKR') return { problem: 'carries payins in PKR only' };
  const reference = referenceOf(orderNo);
  if (reference === null) return { problem: 'the order number has no JazzCash reference' };
  const paisa = toPaisa(amount);
  if (paisa === null) return { problem: 'the amount is not one in rupees and paisa' };
  const mobile = party.mobile ?? '';
  if (!/^03[0-9]{9}$/.test(mobile)) return { problem: 'payer_mobile is missing: JazzCash asks that phone' };
  const cnic = (party.idNo ?? '').replaceAll(/[-\s]/g, '');
  if (!/^(?:[0-9]{7})?[0-9]{6}$/.test(cnic))
    return { problem: 'payer_id_no is missing or no CNIC: JazzCash needs its last six digits' };
  return { reference, paisa, mobile, cnic: cnic.slice(-6) };
}

/** Whether this is the first create of the order, over all processes. */
async function isFirst({ gateway, reference }: Request): Promise<boolean> {
  const mine = `${new Date().toISOString()} ${randomUUID()}`;
  return (await gateway.memory.remember(`sent ${reference}`, mine)) === mine;
}

/**
 * Searches, and sends the payin again where JazzCash has no such transaction. Only a lost answer is asked for again:
 * after HTTP 429 or an unreadable answer the outcome stays unknown.
 */
async function searchAndSend(request: Request): Promise<ChannelAnswer> {
  const { gateway, order, signal, reference } = request;
  for (let searched = 0; searched < mostSearches && !signal.aborted; searched++) {
    const inquired = await inquireState(gateway, order, reference, signal);
    const isMissing = 'state' in inquired && inquired.state === 'missing';
    const isLost = 'problem' in inquired && inquired.isLost === true;
    if (!isMissing && !isLost) return answerOfInquiry(inquired, reference);
    if (isMissing) {
      if (!(await takeTurn(gateway, signal))) return noAnswer({ detail: 'not sent: the rate limit' });
      const sent = await send(request);
      if (sent !== 'lost' && sent !== 'sent before') return sent;
    }
    await sleep(searchWaitsMs[searched] ?? 1_000, undefined, { signal }).catch(() => {});
  }
  return noAnswer({ detail: 'the answer to the create was lost' });
}

type Sent = ChannelAnswer | 'lost' | 'sent before';

/**
 * Sends the payin and waits for the payer. The call goes on after the caller's patience or signal has ended, so that
 * JazzCash sees no broken connection; its late answer is stored for the next query.
 */
async function send(request: Request): Promise<Sent> {
  const { gateway, signal, reference } = request;
  const timeoutMs = longestCallMs;
  gateway.confirming.count += 1;
  const call = exchange(gateway, 'create', fieldsOf(request), AbortSignal.timeout(timeoutMs), { timeoutMs }).finally(
    () => {
      gateway.confirming.count -= 1;
    },
  );
  const done = new AbortController();
  const waiting = AbortSignal.any([signal, done.signal]);
  const patience = sleep(gateway.patienceMs, 'open' as const, { signal: waiting, ref: false }).catch(
    () => 'ended' as const,
  );
  const first = await Promise.race([call, patience]);
  done.abort();
  if (typeof first !== 'string') return readCreated(request, first);
  storeLater(request, call);
  return first === 'open'
    ? { outcome: 'accepted', channelRef: reference }
    : noAnswer({ detail: 'the payer had not confirmed when the time was over' });
}

/** A process that ends meanwhile loses the late answer. Then the notification or the inquiry brings it. */
function storeLater(request: Request, call: Promise<Reply>): void {
  const store = async () => {
    const answer = readCreated(request, await call);
    if (typeof answer !== 'string') await storeLateAnswer(request.gateway, request.reference, answer);
  };
  store().catch(() => {});
}

function fieldsOf({ gateway, order, reference, paisa, mobile, cnic }: Request): Fields {
  const now = Date.now();
  const expiresIn = order.expiresInSeconds === undefined ? dayMs : order.expiresInSeconds * 1_000;
  return {
    ...accountFields(gateway),
    ...(gateway.isOrchestrator && { pp_Version: '2.0', pp_TxnType: 'MWALLET' }),
    ...{ pp_Language: 'EN', pp_SubMerchantID: '', pp_TxnRefNo: reference },
    ...{ pp_MobileNumber: mobile, pp_CNIC: cnic },
    ...{ pp_Amount: paisa, pp_DiscountedAmount: '', pp_TxnCurrency: 'PKR' },
    ...{ pp_TxnDateTime: pakistanTime(now), pp_TxnExpiryDateTime: pakistanTime(now + expiresIn) },
    ...{ pp_BillReference: reference, pp_Description: `Order ${order.orderNo}` },
    ...{ ppmpf_1: '', ppmpf_2: '', ppmpf_3: order.orderNo, ppmpf_4: '', ppmpf_5: '' },
  };
}

function readCreated(request: Request, reply: Reply): Sent {
  if (reply.kind === 'lost') return 'lost';
  if (reply.kind !== 'fields') return noAnswer(reply);
  const parsed = wireCreated.safeParse(reply.fields);
  if (!parsed.success) return noAnswer({ detail: 'unreadable answer to a create' });
  const answer = parsed.data;
  const strange = otherThan(request, answer);
  return strange === null ? answerOf(request.reference, answer) : noAnswer({ detail: strange });
}

/** What shows that an answer is about something else; null if nothing does. */
function otherThan({ gateway, order, reference }: Request, answer: WireCreated): string | null {
  const isOurs =
    isSameReference(answer.pp_TxnRefNo, reference) &&
    (answer.ppmpf_3 === '' || answer.ppmpf_3 === order.orderNo) &&
    (answer.pp_BillReference === '' || isSameReference(answer.pp_BillReference, reference));
  if (!isOurs) return 'the answer is about another order';
  if (answer.pp_MerchantID !== gateway.merchantId) return 'the answer is about another account';
  return answer.pp_TxnCurrency === '' || answer.pp_TxnCurrency === 'PKR' ? null : 'the answer has another currency';
}

function answerOf(reference: string, answer: WireCreated): Sent {
  const { pp_ResponseCode: code, pp_ResponseMessage: message } = answer;
  const channelRef = reference;
  const state = stateOfCode(code);
  switch (state) {
    case 'paid': {
      const amount = fromPaisa(answer.pp_Amount);
      if (amount === null) return noAnswer({ detail: 'paid, without an amount' });
      return { outcome: 'paid', channelRef, payments: [{ reference, amount }] };
    }
    case 'pending':
      return { outcome: 'accepted', channelRef };
    case 'refused':
      // An invalid reference may mean that an earlier create took it.
      if (code === '110' && /TxnRefNo/i.test(message)) return 'sent before';
      return { outcome: 'refused', reason: describeCode(code) };
    case 'failed':
      return { outcome: 'failed', channelRef, reason: describeCode(code) };
    case 'expired':
      return { outcome: 'timed_out', channelRef, reason: describeCode(code) };
    case 'missing':
    case 'refunded':
    case 'unknown':
      return noAnswer({ detail: describeCode(code) });
    default:
      return state satisfies never;
  }
}

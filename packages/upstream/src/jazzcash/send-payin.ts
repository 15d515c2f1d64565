import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelAnswer, ChannelOrder } from '@tidegate/domain/channels';
import { readMinorUnits } from '../provider/minor-units.ts';
import { accountFields, exchange, type Gateway, mayCall, noAnswer, type Reply } from './gateway.ts';
import { storeLateAnswer } from './late-answer.ts';
import { describeCode, stateOfCode } from './mapping.ts';
import { isSameReference } from './reference.ts';
import { claimSend } from './sends.ts';
import type { Fields } from './signing.ts';
import { takeSlot } from './slots.ts';
import { pakistanTime } from './time.ts';
import { type WireCreated, wireCreated } from './wire.ts';

/** JazzCash keeps the call open while the payer confirms, for up to a minute. */
export const maxCallMs = 75_000;
const dayMs = 24 * 60 * 60_000;

/** A create, with what JazzCash needs of its order. */
export interface Request {
  gateway: Gateway;
  order: ChannelOrder;
  signal: AbortSignal;
  /** Ends when too little time is left to ask the payer. */
  ready: AbortSignal;
  reference: string;
  paisa: string;
  mobile: string;
  cnic: string;
}

/**
 * - `lost`: it may or may not have been carried out.
 * - `sent before`: JazzCash knows the reference.
 * - `not sent`: nothing was sent. Without a reason the time was over.
 * - `another process`: the send of this number is not ours.
 */
export type Sent =
  | { kind: 'answer'; answer: ChannelAnswer }
  | { kind: 'lost' | 'sent before' | 'another process' }
  | { kind: 'not sent'; reason?: string };

/**
 * Sends the payin for the `number`th time and waits for the payer. The call goes on after the caller's wait or
 * signal has ended, so that JazzCash sees no broken connection; its late answer is stored for the next query.
 */
export async function send(request: Request, number: number): Promise<Sent> {
  const free = takeSlot(request.gateway);
  if (free === null) return { kind: 'not sent', reason: 'too many payers are confirming at this moment' };
  let call: Promise<Reply> | undefined;
  try {
    const obstacle = await findObstacle(request, number);
    if (obstacle !== null) return obstacle;
    call = exchange(request.gateway, 'create', fieldsOf(request), AbortSignal.timeout(maxCallMs), {
      timeoutMs: maxCallMs,
    });
  } finally {
    (call ?? Promise.resolve()).then(free, free);
  }
  return waitForPayer(request, number, call);
}

/** The reason that prevents a send. Null if the send may begin; then this process has claimed it. */
async function findObstacle({ gateway, signal, ready, reference }: Request, number: number): Promise<Sent | null> {
  if (!(await mayCall(gateway, ready, 'create')))
    return {
      kind: 'not sent',
      ...(!signal.aborted && { reason: 'the rate limit left too little time to ask the payer' }),
    };
  if (!(await claimSend(gateway, reference, number))) return { kind: 'another process' };
  // A payer who gets the request too late would pay an order that has failed.
  return ready.aborted ? { kind: 'not sent' } : null;
}

async function waitForPayer(request: Request, number: number, call: Promise<Reply>): Promise<Sent> {
  const { gateway, signal, reference } = request;
  const done = new AbortController();
  const waiting = AbortSignal.any([signal, done.signal]);
  const payerWait = sleep(gateway.payerWaitMs, 'open' as const, { signal: waiting, ref: false }).catch(
    () => 'ended' as const,
  );
  const first = await Promise.race([call, payerWait]);
  done.abort();
  if (typeof first !== 'string') return readCreated(request, number, first);
  storeLater(request, number, call);
  return answered(
    first === 'open'
      ? { outcome: 'accepted', channelRef: reference }
      : noAnswer({ detail: 'the payer had not confirmed when the time was over' }),
  );
}

const answered = (answer: ChannelAnswer): Sent => ({ kind: 'answer', answer });

/** If the process ends meanwhile, the late answer is lost. Then the notification or an inquiry brings the result. */
function storeLater(request: Request, number: number, call: Promise<Reply>): void {
  const store = async () => {
    const sent = readCreated(request, number, await call);
    if (sent.kind === 'answer') await storeLateAnswer(request.gateway, request.reference, sent.answer);
  };
  store().catch(() => {});
}

function fieldsOf({ gateway, order, reference, paisa, mobile, cnic }: Request): Fields {
  const now = Date.now();
  const expiresIn = order.expiresInSeconds === undefined ? dayMs : order.expiresInSeconds * 1_000;
  return {
    ...accountFields(gateway),
    ...(gateway.isOrchestrator && { pp_Version: '2.0', pp_TxnType: 'MWALLET' }),
    pp_Language: 'EN',
    pp_SubMerchantID: '',
    pp_TxnRefNo: reference,
    pp_MobileNumber: mobile,
    pp_CNIC: cnic,
    pp_Amount: paisa,
    pp_DiscountedAmount: '',
    pp_TxnCurrency: 'PKR',
    pp_TxnDateTime: pakistanTime(now),
    pp_TxnExpiryDateTime: pakistanTime(now + expiresIn),
    pp_BillReference: reference,
    pp_Description: `Order ${order.orderNo}`,
    ppmpf_1: '',
    ppmpf_2: '',
    ppmpf_3: order.orderNo,
    ppmpf_4: '',
    ppmpf_5: '',
  };
}

function readCreated(request: Request, number: number, reply: Reply): Sent {
  if (reply.kind === 'lost') return { kind: 'lost' };
  if (reply.kind !== 'fields') return answered(noAnswer(reply));
  const parsed = wireCreated.safeParse(reply.fields);
  if (!parsed.success) return answered(noAnswer({ detail: 'unreadable answer to a create' }));
  const created = parsed.data;
  const strange = otherThan(request, created);
  if (strange !== null) return answered(noAnswer({ detail: strange }));
  // An invalid reference may mean that an earlier create already used it.
  if (created.pp_ResponseCode === '110' && /TxnRefNo/i.test(created.pp_ResponseMessage)) return { kind: 'sent before' };
  const answer = answerOf(request.reference, created);
  // A send that was lost may still have reached the payer. The refusal of a later one does not prove otherwise.
  if (answer.outcome === 'refused' && number > 1)
    return answered(noAnswer({ detail: `sent again, and refused: ${answer.reason}` }));
  return answered(answer);
}

/** The field that shows that an answer is about something else; null if there is none. */
function otherThan({ gateway, order, reference }: Request, answer: WireCreated): string | null {
  const isOurs =
    isSameReference(answer.pp_TxnRefNo, reference) &&
    (answer.ppmpf_3 === '' || answer.ppmpf_3 === order.orderNo) &&
    (answer.pp_BillReference === '' || isSameReference(answer.pp_BillReference, reference));
  if (!isOurs) return 'the answer is about another order';
  if (answer.pp_MerchantID !== gateway.merchantId) return 'the answer is about another account';
  return answer.pp_TxnCurrency === '' || answer.pp_TxnCurrency === 'PKR' ? null : 'the answer has another currency';
}

function answerOf(reference: string, answer: WireCreated): ChannelAnswer {
  const { pp_ResponseCode: code } = answer;
  const channelRef = reference;
  const state = stateOfCode(code);
  switch (state) {
    case 'paid': {
      const amount = readMinorUnits(answer.pp_Amount);
      if (amount === null) return noAnswer({ detail: 'paid, without an amount' });
      return { outcome: 'paid', channelRef, payments: [{ reference, amount }] };
    }
    case 'pending':
      return { outcome: 'accepted', channelRef };
    case 'refused':
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

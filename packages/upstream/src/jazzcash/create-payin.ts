import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelAnswer, ChannelOrder } from '@tidegate/domain/channels';
import { toMinorUnits } from '../provider/minor-units.ts';
import { type Gateway, mayInquire, noAnswer, notSent } from './gateway.ts';
import { readLateAnswer } from './late-answer.ts';
import { answerOfInquiry, inquireState } from './query-payin.ts';
import { referenceOf } from './reference.ts';
import { maxCallMs, type Request, type Sent, send } from './send-payin.ts';
import { claimSend, maxSends, readRefusal, readSends, type Sends, storeRefusal } from './sends.ts';

const searchWaitsMs = [100, 200, 400, 800];
const maxSearches = 40;
/** The time that is reserved for storing the answer in the ledger, after the wait for the payer. */
const reportMs = 500;

/**
 * Sends a payin to the payer's phone. JazzCash has no idempotency key, so a payin is sent once: the channel's memory
 * says whether it was. Afterwards it is only sent again if an inquiry finds no transaction.
 */
export async function createPayin(gateway: Gateway, order: ChannelOrder, signal: AbortSignal): Promise<ChannelAnswer> {
  const wanted = readOrder(order);
  if ('problem' in wanted) return { outcome: 'refused', reason: wanted.problem };
  const spareMs = timeToPrepare(gateway, order);
  const ready = AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, spareMs))]);
  const request: Request = { gateway, order, signal, ready, ...wanted };
  if ((await readSends(gateway, wanted.reference)) !== null) return createAgain(request);
  return spareMs > 0 ? createFirst(request) : refuseUnsent(request, tooLate);
}

/** The milliseconds until a payin has to be sent, so that its caller still sees it open; 0 or less: it is too late. */
function timeToPrepare({ prepareMs, payerWaitMs }: Gateway, { answerWithinMs }: ChannelOrder): number {
  return Math.min(prepareMs, (answerWithinMs ?? Number.POSITIVE_INFINITY) - payerWaitMs - reportMs);
}

type Wanted = Pick<Request, 'reference' | 'paisa' | 'mobile' | 'cnic'>;

/** What JazzCash needs of an order, or the reason why it cannot carry it. */
function readOrder(order: ChannelOrder): Wanted | { problem: string } {
  const { kind, country, currency, orderNo, amount, party } = order;
  if (kind !== 'payin' || country !== 'PK' || currency !== 'PKR') return { problem: 'carries payins in PKR only' };
  const reference = referenceOf(orderNo);
  if (reference === null) return { problem: 'the order number has no JazzCash reference' };
  const paisa = toMinorUnits(amount);
  if (paisa === null) return { problem: 'the amount is not one in rupees and paisa' };
  const mobile = party.mobile ?? '';
  if (!/^03[0-9]{9}$/.test(mobile)) return { problem: 'payer_mobile is missing: JazzCash asks that phone' };
  const cnic = (party.idNo ?? '').replaceAll(/[-\s]/g, '');
  if (!/^(?:[0-9]{7})?[0-9]{6}$/.test(cnic))
    return { problem: 'payer_id_no is missing or no CNIC: JazzCash needs its last six digits' };
  return { reference, paisa: String(paisa), mobile, cnic: cnic.slice(-6) };
}

async function createFirst(request: Request): Promise<ChannelAnswer> {
  const { gateway, reference } = request;
  const first = await send(request, 1);
  switch (first.kind) {
    case 'answer':
      if (first.answer.outcome === 'refused') await storeRefusal(gateway, reference, first.answer.reason);
      return first.answer;
    case 'not sent':
      return first.reason === undefined ? notSent(tooLate) : refuseUnsent(request, first.reason);
    case 'another process':
      return createAgain(request);
    case 'lost':
    case 'sent before':
      return search(request);
    default:
      return first satisfies never;
  }
}

const tooLate = 'too little time was left to ask the payer';

/** Another channel may now carry the order, so no process may send it here any more. */
async function refuseUnsent(request: Request, reason: string): Promise<ChannelAnswer> {
  const { gateway, reference } = request;
  if (!(await claimSend(gateway, reference, 1))) return createAgain(request);
  await storeRefusal(gateway, reference, reason);
  return { outcome: 'refused', reason, isUnsent: true };
}

/** A create of a payin that was sent before. */
async function createAgain(request: Request): Promise<ChannelAnswer> {
  const { gateway, order, signal, reference } = request;
  if (signal.aborted) return notSent('the time was over');
  const reason = await readRefusal(gateway, reference);
  if (reason !== null) return { outcome: 'refused', reason };
  if (await mayInquire(gateway, order)) return search(request);
  return (await readLateAnswer(gateway, order)) ?? { outcome: 'accepted', channelRef: reference };
}

/**
 * Queries JazzCash, and sends the payin again if JazzCash has no such transaction. Only a lost answer is requested
 * again: after HTTP 429 or an unreadable answer the outcome stays unknown.
 */
async function search(request: Request): Promise<ChannelAnswer> {
  const { gateway, order, signal, reference } = request;
  for (let searched = 0; searched < maxSearches && !signal.aborted; searched++) {
    // If another send has just begun, the search ends.
    if (!(await mayInquire(gateway, order))) break;
    const inquired = await inquireState(gateway, order, reference, signal);
    const isMissing = 'state' in inquired && inquired.state === 'missing';
    const isLost = 'problem' in inquired && inquired.isLost === true;
    if (!isMissing && !isLost) {
      const late = 'problem' in inquired ? await readLateAnswer(gateway, order) : null;
      return late ?? answerOfInquiry(inquired, reference);
    }
    if (isMissing) {
      const sent = await sendAgain(request);
      if (sent.kind === 'answer') return sent.answer;
      if (sent.kind === 'not sent') return noAnswer({ detail: `not sent again: ${sent.reason ?? tooLate}` });
    }
    await sleep(searchWaitsMs[searched] ?? 1_000, undefined, { signal }).catch(() => {});
  }
  return noAnswer({ detail: 'the answer to the create was lost' });
}

async function sendAgain(request: Request): Promise<Sent> {
  const { gateway, reference } = request;
  const sends = await readSends(gateway, reference);
  if (sends === null) return send(request, 1);
  if (sends.count >= maxSends) return { kind: 'not sent', reason: 'it was sent too often' };
  if (!hasEnded(gateway, sends)) return { kind: 'not sent', reason: 'the payer may be confirming' };
  return send(request, sends.count + 1);
}

/** Whether no call of the last send is open any more. */
function hasEnded({ inquiryAfterMs }: Gateway, { lastAt }: Sends): boolean {
  return inquiryAfterMs === 0 || Date.now() - lastAt >= maxCallMs;
}

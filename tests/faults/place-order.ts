import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, MerchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { payinRequest } from '../payin-requests.ts';
import { payoutRequest } from '../payout-requests.ts';

/** One order as its merchant asks for it. */
export interface RequestedOrder {
  readonly kind: 'payin' | 'payout';
  readonly country: string;
  readonly merchantNo: string;
  readonly merchantOrderNo: string;
  readonly amount: string;
  readonly notifyUrl: string;
  /** More than its merchant has: to be refused with 42201. */
  readonly beyondMeans: boolean;
  /** Whether to ask again, with the same number, after 50300. */
  readonly patient: boolean;
}

/**
 * What a merchant finally knows of its order. `acknowledged`: answered with code 0. `found`: its answer was lost, or
 * its repeat was answered with 40901, and a query showed it. `refused`: permanently. `unavailable`: 50300, and not sent
 * again. `open`: unknown within the time.
 */
export type Knowledge = 'acknowledged' | 'found' | 'refused' | 'unavailable' | 'open';

export interface Placed extends RequestedOrder {
  readonly knowledge: Knowledge;
  /** Number of an order that is acknowledged or found. */
  readonly orderNo: string | null;
  /** The code of the refusal. */
  readonly refusal: number | null;
  /** Unix milliseconds of the first request. */
  readonly requestedAt: number;
}

/** Counts of creates by their result. Queries do not count. */
export interface Tally {
  requests: number;
  acknowledged: number;
  /** Answers 40901 after an earlier answer was lost. */
  foundExisting: number;
  /** Answers 50401 or 50201: the order exists, and ended. */
  ended: number;
  unavailable: number;
  refused: number;
  /** The connection was lost, or no answer came in time. */
  unknown: number;
}

export function emptyTally(): Tally {
  return { requests: 0, acknowledged: 0, foundExisting: 0, ended: 0, unavailable: 0, refused: 0, unknown: 0 };
}

const ANSWER_WITHIN_MS = 20_000;
/**
 * The service must work again within this time after a fault, and merchants try as long. Generous, because the machine
 * may be busy.
 */
export const RECOVERS_WITHIN_MS = 180_000;
const PAUSE_MS = 150;

/**
 * Places an order as a merchant would. After 50300 or a lost reply it sends the order again with the same number, unless
 * a query finds it.
 */
export async function placeOrder(client: MerchantClient, requested: RequestedOrder, tally: Tally): Promise<Placed> {
  const requestedAt = Date.now();
  const known = (knowledge: Knowledge, more: { orderNo?: string; refusal?: number } = {}): Placed => ({
    ...requested,
    knowledge,
    requestedAt,
    orderNo: null,
    refusal: null,
    ...more,
  });
  while (Date.now() < requestedAt + RECOVERS_WITHIN_MS) {
    const answer = await create(client, requested, tally);
    if (answer?.code === 0) return known('acknowledged', { orderNo: String(answer.data?.orderNo) });
    if (answer?.code === 50300 && !requested.patient) return known('unavailable');
    const what = answer === null ? 'unknown' : countedAs(answer.code);
    if (answer && what === 'refused') return known('refused', { refusal: answer.code });
    const orderNo = what !== 'unavailable' ? await look(client, requested, requestedAt + RECOVERS_WITHIN_MS) : null;
    if (orderNo !== null) return known('found', { orderNo });
    await delay(PAUSE_MS);
  }
  return known('open');
}

/** Null: no answer came. */
async function create(client: MerchantClient, requested: RequestedOrder, tally: Tally): Promise<Answer | null> {
  const { kind, country, merchantOrderNo, amount, notifyUrl } = requested;
  const request = (kind === 'payin' ? payinRequest : payoutRequest)[country];
  if (!request) throw new Error(`no ${kind} of ${country}`);
  const answer = await answerOf(client.post(`/${kind}/create`, request(merchantOrderNo, amount, notifyUrl)));
  tally.requests += 1;
  tally[answer === null ? 'unknown' : countedAs(answer.code)] += 1;
  return answer;
}

function countedAs(code: number): Exclude<keyof Tally, 'requests'> {
  switch (code) {
    case 0:
      return 'acknowledged';
    case 40901:
      return 'foundExisting';
    case 50401:
    case 50201:
      return 'ended';
    case 50300:
      return 'unavailable';
    default:
      return 'refused';
  }
}

/** The order's number; null where the service says that there is none, or does not say until `until`. */
async function look(client: MerchantClient, requested: RequestedOrder, until: number): Promise<string | null> {
  const { kind, merchantOrderNo } = requested;
  while (Date.now() < until) {
    const answer = await answerOf(client.get(`/${kind}/query`, { merchantOrderNo }));
    if (answer?.code === 0) return String(answer.data?.orderNo);
    if (answer?.code === 40401) return null;
    await delay(PAUSE_MS);
  }
  return null;
}

/** Null where the connection was lost, or no answer came in time. */
export async function answerOf(response: Promise<Answer>): Promise<Answer | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(late.resolve, ANSWER_WITHIN_MS, null);
  try {
    return await Promise.race([response, late.promise]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

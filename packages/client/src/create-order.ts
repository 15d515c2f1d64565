import { checkOrder } from './check-order.ts';
import type { Connection } from './client-options.ts';
import type { Country } from './country.ts';
import { errorOf, groupOf } from './errors/error-of.ts';
import { OrderNotFoundError, OutcomeUnknownError, type Refusal, TidegateError } from './errors/errors.ts';
import { exchange, type Outcome } from './exchange.ts';
import { PAYIN_DEFAULTS, PAYOUT_DEFAULTS } from './interface.generated.ts';
import { read } from './read.ts';
import { waitBefore } from './wait.ts';

export interface CreateOptions {
  signal?: AbortSignal | undefined;
  /**
   * Set it if an earlier call may have created this merchantOrderNo, e.g. before this process restarted. If the order
   * exists and was created by the same request, it is then returned instead of refused as a duplicate.
   */
  resume?: boolean | undefined;
}

/** Required fields that the client adds itself: `countryCode` and `currency` in China and India (decisions 4). */
export function defaultsOf(kind: 'payin' | 'payout', country: Country): object {
  const defaults: Partial<Record<Country, object>> = kind === 'payin' ? PAYIN_DEFAULTS : PAYOUT_DEFAULTS;
  return defaults[country] ?? {};
}

/** What this module needs to know of a request. */
export interface OrderToCreate {
  merchantOrderNo: string;
  amount: string;
}

/** How the service ends the message of 40901, if the existing order was created by the same request, or by another one. */
const SAME_REQUEST = ': same request';
const ANOTHER_REQUEST = ': another request';

/**
 * Creates an order only once, even if answers are lost. After a lost answer it sends the same request with the same
 * merchantOrderNo again. The service accepts each number once: its answer 40901 means that the order exists, and says
 * whether it was created by the same request. Only then is it read by a query and returned.
 *
 * Rejects with
 * - ApiError if the service refuses the order, OrderExistsError if another request has used the number,
 * - ConnectionError if no request was ever sent,
 * - OutcomeUnknownError if the answers do not show whether this request created the order.
 */
export async function createOrder(
  connection: Connection,
  kind: 'payin' | 'payout',
  request: OrderToCreate,
  options: CreateOptions = {},
): Promise<object> {
  const { merchantOrderNo } = request;
  if (typeof merchantOrderNo !== 'string' || merchantOrderNo === '')
    throw new TypeError('merchantOrderNo must be a string: it is what makes a repeated create safe');
  options.signal?.throwIfAborted();
  const body = JSON.stringify(request);
  const send = () => exchange(connection, { path: `/${kind}/create`, body }, options.signal);
  const find = () => findOrder(connection, kind, merchantOrderNo, options.signal);
  const { outcome, wasLost } = await attempt(connection, merchantOrderNo, send, options);
  const mayExist = wasLost || options.resume === true;
  switch (outcome.kind) {
    case 'done':
      return {
        ...(await settle(async () => checkOrder(outcome.data, { merchantOrderNo }), merchantOrderNo)),
        recovered: false,
      };
    case 'refused':
      return afterRefusal(outcome.refusal, { mayExist, wasLost }, find, merchantOrderNo);
    case 'not now':
    case 'lost': {
      // An order with this number may be of another request, and a lost request may still arrive. Only the answer to a create says which.
      if (mayExist) throw new OutcomeUnknownError(merchantOrderNo, outcome.error);
      throw outcome.refusal ? errorOf(outcome.refusal) : outcome.error;
    }
    default:
      return outcome satisfies never;
  }
}

/**
 * Sends the request until a usable answer arrives or no attempt is left. `wasLost`: the answer to an attempt was lost,
 * so the order may exist, or may still be created.
 */
async function attempt(
  { attempts }: Connection,
  merchantOrderNo: string,
  send: () => Promise<Outcome>,
  { signal }: CreateOptions,
): Promise<{ outcome: Outcome; wasLost: boolean }> {
  let wasLost = false;
  try {
    for (let sent = 1; ; sent += 1) {
      const outcome = await send();
      if (outcome.kind === 'done' || outcome.kind === 'refused') return { outcome, wasLost };
      wasLost ||= outcome.kind === 'lost';
      if (sent >= attempts) return { outcome, wasLost };
      await waitBefore(sent + 1, outcome.refusal?.retryAfterSeconds ?? null, signal);
    }
  } catch (error) {
    // The caller aborted a request that may have been sent.
    if (signal?.aborted) throw new OutcomeUnknownError(merchantOrderNo, error);
    throw error;
  }
}

async function afterRefusal(
  refusal: Refusal,
  { mayExist, wasLost }: { mayExist: boolean; wasLost: boolean },
  find: () => Promise<object | null>,
  merchantOrderNo: string,
): Promise<object> {
  const group = groupOf(refusal.code);
  // When the upstream refuses, the service has already created the order.
  if (!mayExist || group === 'upstream') throw errorOf(refusal);
  if (group === 'orderExists') return recover(refusal, find, merchantOrderNo);
  // Can a lost request still create the order when it arrives late? Not if a field is wrong. Other reasons, like a rate limit, may be over by then.
  // An order that exists may be of this request or of another one.
  const isFinal = !wasLost || group === 'request';
  if (isFinal && !(await settle(find, merchantOrderNo))) throw errorOf(refusal);
  throw new OutcomeUnknownError(merchantOrderNo, errorOf(refusal));
}

/** The existing order, if the same request created it. */
async function recover(refusal: Refusal, find: () => Promise<object | null>, merchantOrderNo: string): Promise<object> {
  if (refusal.msg.endsWith(ANOTHER_REQUEST)) throw errorOf(refusal);
  const msg = `${refusal.msg}; the service does not say whether by the same request: compare the order before you use it`;
  if (!refusal.msg.endsWith(SAME_REQUEST)) throw errorOf({ ...refusal, msg });
  const found = await settle(find, merchantOrderNo);
  if (!found) throw new OutcomeUnknownError(merchantOrderNo, errorOf(refusal));
  return { ...found, recovered: true };
}

async function settle(find: () => Promise<object | null>, merchantOrderNo: string): Promise<object | null> {
  try {
    return await find();
  } catch (cause) {
    throw cause instanceof TidegateError ? new OutcomeUnknownError(merchantOrderNo, cause) : cause;
  }
}

/** Queries this number. Null if there is no order. */
async function findOrder(
  connection: Connection,
  kind: 'payin' | 'payout',
  merchantOrderNo: string,
  signal: AbortSignal | undefined,
): Promise<object | null> {
  try {
    const found: object = await read(connection, `/${kind}/query`, { merchantOrderNo }, signal);
    return checkOrder(found, { merchantOrderNo });
  } catch (error) {
    if (error instanceof OrderNotFoundError) return null;
    throw error;
  }
}

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
   * exists, it is then returned instead of refused as a duplicate.
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

/**
 * Creates an order only once, even if answers are lost. After a lost answer it sends the same request with the same
 * merchantOrderNo again. The service accepts each number once: its answer 40901 means that the order exists. The order
 * is then read by a query, and is returned only if its amount is the same.
 *
 * Rejects with
 * - ApiError if the service refuses the order,
 * - ConnectionError if no request was ever sent,
 * - OutcomeUnknownError if neither an answer nor a query shows whether the order exists.
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
  const find = () => findOrder(connection, kind, request, options.signal);
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
      const found = mayExist ? await settle(find, merchantOrderNo) : null;
      if (found) return found;
      // The order does not exist yet, but a lost request may still arrive and create it.
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
  const found = await settle(find, merchantOrderNo);
  if (found) return found;
  // Can a lost request still create the order when it arrives late? No, if a field is wrong or the number exists. Other
  // reasons, like a rate limit, may be over by then.
  if (wasLost && group !== 'request' && group !== 'orderExists')
    throw new OutcomeUnknownError(merchantOrderNo, errorOf(refusal));
  throw errorOf(refusal);
}

async function settle(find: () => Promise<object | null>, merchantOrderNo: string): Promise<object | null> {
  try {
    return await find();
  } catch (cause) {
    throw cause instanceof TidegateError ? new OutcomeUnknownError(merchantOrderNo, cause) : cause;
  }
}

/** Queries this number. Null if there is no order, or if its amount is another one. */
async function findOrder(
  connection: Connection,
  kind: 'payin' | 'payout',
  { merchantOrderNo, amount }: OrderToCreate,
  signal: AbortSignal | undefined,
): Promise<object | null> {
  try {
    const found: { amount?: unknown } = await read(connection, `/${kind}/query`, { merchantOrderNo }, signal);
    checkOrder(found, { merchantOrderNo });
    return found.amount === withTwoDecimals(amount) ? { ...found, recovered: true } : null;
  } catch (error) {
    if (error instanceof OrderNotFoundError) return null;
    throw error;
  }
}

/** Writes an amount as the service does (decisions 3.1). It stays a text and is never a number. */
function withTwoDecimals(amount: string): string {
  const [whole, decimals = ''] = String(amount).split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

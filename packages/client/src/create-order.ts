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
   * Set it if an earlier call with this merchantOrderNo may have created the order, e.g. before this process was
   * restarted. An existing order is then returned instead of refused as a duplicate.
   */
  resume?: boolean | undefined;
}

/** Required fields that the client fills in: `countryCode` and `currency` in China and India (decisions 4). */
export function defaultsOf(kind: 'payin' | 'payout', country: Country): object {
  const defaults: Partial<Record<Country, object>> = kind === 'payin' ? PAYIN_DEFAULTS : PAYOUT_DEFAULTS;
  return defaults[country] ?? {};
}

/** The JSON of an order to create. */
export interface OrderToCreate {
  merchantOrderNo: string;
  amount: string;
}

/**
 * Creates an order once, even if answers are lost. After a lost answer it sends the same request again, with the same
 * merchantOrderNo. The service accepts each number once. If it answers 40901, the order exists and is read by a query.
 *
 * Rejects with an ApiError if the service refuses, and with a ConnectionError if nothing was ever sent. Rejects with an
 * OutcomeUnknownError if neither an answer nor a query shows whether the order exists. An existing order is returned
 * only if its amount is the same.
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
      // The order does not exist now, but an earlier request may still arrive and create it.
      if (mayExist) throw new OutcomeUnknownError(merchantOrderNo, outcome.error);
      throw outcome.refusal ? errorOf(outcome.refusal) : outcome.error;
    }
    default:
      return outcome satisfies never;
  }
}

/**
 * Sends the request until a usable answer arrives, or until all attempts are used. `wasLost`: the answer to one of the
 * attempts was lost, so the order may exist, or may still be created.
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
    // Aborted by the caller during a request.
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
  // A refusal by the upstream means that the order exists.
  if (!mayExist || group === 'upstream') throw errorOf(refusal);
  const found = await settle(find, merchantOrderNo);
  if (found) return found;
  // If the lost request still arrives, it is refused too for a wrong field or a duplicate number. Other reasons, like a
  // rate limit, may be over by then, so that it creates the order.
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

/** The order of this number, if its kind and amount are the same; null if there is none. */
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

/** An amount as the service writes it (decisions 3.1). The text is never converted to a number. */
function withTwoDecimals(amount: string): string {
  const [whole, decimals = ''] = String(amount).split('.');
  return `${whole}.${decimals.padEnd(2, '0')}`;
}

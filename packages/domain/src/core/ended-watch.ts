import { isTerminal, type Order, type OrderKind } from './order.ts';

/**
 * Orders of a channel that are queried a few times more after they ended, because their outcome can still change at the
 * provider. `afterHours`: when, in hours since the end, ascending.
 */
export interface EndedWatch {
  readonly kind: OrderKind;
  readonly ended: 'paid' | 'unpaid';
  readonly afterHours: readonly number[];
}

const hourMs = 60 * 60_000;
/** No adapter declares a longer time after the end. */
export const maxWatchHours = 31 * 24;
/** After a query without an answer the order is queried again after this time. */
const retryHours = 6;
/** Such retries end this long after the last planned query. */
const retriesEndHours = 24;

/**
 * What counts as declared for a channel whose adapter is not installed in this process: every end, for as long as an
 * adapter may watch. So nothing is lost. A process with the adapter ends what it does not want.
 */
export const watchesOfUnknown: readonly EndedWatch[] = (['payin', 'payout'] as const).flatMap((kind) =>
  (['paid', 'unpaid'] as const).map((ended) => ({ kind, ended, afterHours: [retryHours, maxWatchHours] })),
);

/** The watch that a channel declares for orders that ended like this one; null if there is none, or if it is open. */
export function watchOf(
  watches: readonly EndedWatch[],
  { kind, status }: Pick<Order, 'kind' | 'status'>,
): EndedWatch | null {
  if (!isTerminal(status)) return null;
  const ended = status === 'completed' ? 'paid' : 'unpaid';
  return watches.find((watch) => watch.kind === kind && watch.ended === ended) ?? null;
}

/**
 * When an ended order is queried next; null: not any more. Planned times that passed meanwhile are left out, so a backlog
 * never causes more queries. Times in Unix milliseconds.
 */
export function nextWatchAt(
  { afterHours }: EndedWatch,
  {
    endedAt,
    now,
    isAnswered,
    scheduleScale,
  }: { endedAt: number; now: number; isAnswered: boolean; scheduleScale: number },
): number | null {
  const hour = hourMs * scheduleScale;
  const planned = afterHours.map((hours) => Math.round(endedAt + hours * hour)).find((at) => at > now) ?? null;
  if (isAnswered) return planned;
  const retryAt = Math.round(now + retryHours * hour);
  if (planned !== null) return Math.min(planned, retryAt);
  const last = endedAt + ((afterHours.at(-1) ?? 0) + retriesEndHours) * hour;
  return retryAt <= last ? retryAt : null;
}

/**
 * How long after its end an order is watched at most, in ms: one retry longer than the last planned query may be
 * retried. Later rows are dropped without a query, so a backlog has an end.
 */
export function longestWatch(watches: readonly EndedWatch[], scheduleScale: number): number {
  const last = Math.max(0, ...watches.flatMap(({ afterHours }) => afterHours));
  return Math.round((last + retriesEndHours + retryHours) * hourMs * scheduleScale);
}

export interface TimeScale {
  /** Multiplies every wait of polling, retrying and expiry; 1 except in tests and sandboxes. */
  scheduleScale: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits between polls of an open payin; the last repeats until it expires. */
export const payinPollWaits = [5, 10, 15, 30, 60, 120].map((s) => s * second);

/**
 * Waits between polls of a payout or a refund, without an end (decisions 5.4). Also for a payin that ended without its channel's
 * answer (5.3).
 */
export const payoutPollWaits = [
  10 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
];

/**
 * When the channel is queried about a refund that operators ended as failed, counted from its end. A call that was lost
 * can be carried out late (ADR 0019).
 */
export const failedRefundChecks = [hour, 24 * hour, 72 * hour, 168 * hour];

/** How long a payin that ended without its channel's answer is polled for late money. */
export const lateWatch = 24 * hour;

/** Waits between queries at the expiry, if the channel does not answer. */
export const expiryRetryWaits = [10 * second, 30 * second, minute, 5 * minute, 15 * minute];

/** Waits after the 1st, 2nd … failed attempt of a notification; after the last one it is exhausted (decisions 7.5). */
// biome-ignore format: a table
export const notificationWaits = [
  15 * second, 15 * second, 30 * second, 3 * minute, 10 * minute, 20 * minute, 30 * minute, 30 * minute, 30 * minute,
  hour, 3 * hour, 3 * hour, 3 * hour, 6 * hour, 6 * hour,
];

/** The longest wait that an endpoint can ask for by Retry-After (decisions 7.5). */
const maxRetryAfter = hour;

/** After so many failures in a row an endpoint gets only one attempt a minute, until one succeeds (decisions 7.6). */
export const breaker = { failures: 10, probeEvery: minute };

/** Attempts in flight at one host, over all workers (decisions 7.6). */
export const attemptsPerHost = 8;

/** How long a create may wait for its channel's answer (decisions 5.3). Not scaled: it is a promise to the caller. */
export const createDeadline = 8 * second;

/**
 * How long a create waits for a turn at its channel, before its order exists. Not scaled. The 8 s of its channel begin
 * after that.
 */
export const turnDeadline = 2 * second;

/** How long the worker waits for the turn of an order that it submits. Then it goes on with others. */
export const submitTurnDeadline = 8 * second;

/** How long one query or cancel may wait for its channel. */
export const callDeadline = 8 * second;

/**
 * A claimed piece of work is free again after this time, in case its worker died. Longer than any call that the worker
 * makes.
 */
export const workLease = 25 * second;

/** A claim that is answered later is given up: its lease could end during the call that sends money. */
export const claimDeadline = workLease - createDeadline;

/** The `n`th wait (0 is the first); the last one repeats. */
export function waitAt(waits: readonly number[], n: number): number {
  return waits[Math.min(n, waits.length - 1)] ?? 0;
}

/** `wait` ±10 % for `random` in [0, 1). */
export function jittered(wait: number, random: number): number {
  return Math.round(wait * (0.9 + 0.2 * random));
}

/**
 * The wait in ms after the `n`th failed attempt of a round (1 is the first); null after the last one (decisions 7.5).
 * `retryAfterMs` is the endpoint's Retry-After.
 */
export function waitAfterAttempt(
  n: number,
  retryAfterMs: number,
  random: number,
  scheduleScale: number,
): number | null {
  const wait = notificationWaits[n - 1];
  if (wait === undefined) return null;
  return Math.max(Math.round(jittered(wait, random) * scheduleScale), Math.min(retryAfterMs, maxRetryAfter));
}

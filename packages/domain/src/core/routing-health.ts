import type { ChannelAnswer } from './channel-answer.ts';

/** How one create at a channel ended. */
export interface CreateOutcome {
  /** When it ended, in Unix milliseconds. */
  at: number;
  /** Any definite answer, also a refusal (ADR 0018). */
  isAnswered: boolean;
}

/** `open`: new orders avoid the channel. `half_open`: single orders try whether it answers again. */
export type BreakerState = 'closed' | 'half_open' | 'open';

/** The health of a channel for new orders. */
export interface RoutingHealth {
  /** Answered creates divided by all of the last minutes, 0 to 1; null if there were too few. */
  successRate: number | null;
  breaker: BreakerState;
}

/** How a channel counts in one routing. */
export interface RouteHealth {
  /** Multiplies the weights of its routes. */
  weightFactor: number;
  /** Only tried if no other channel is left. */
  isLast: boolean;
}

/** The values for a channel about which nothing is known. */
export const configuredWeight: RouteHealth = { weightFactor: 1, isLast: false };

/** Only creates that are not older than this count, in ms. */
const windowMs = 5 * 60_000;
/** With fewer creates the success rate is not known. */
const minCreates = 10;
/** After this number of unanswered creates in a row the breaker opens. */
const unansweredInARow = 10;
/** How long an open breaker waits after the last unanswered create, in ms. */
export const breakerPauseMs = 30_000;
/** A bad channel keeps this share of its weight, so that its recovery is noticed. */
const minWeightFactor = 0.05;

/** The most outcomes of one channel that are kept and counted. */
export const keptOutcomes = 100;

/**
 * Whether the call reached the server of the channel, or may have reached it. Other calls do not count for the channel.
 */
export function wasSent(answer: ChannelAnswer): boolean {
  if (answer.outcome === 'refused') return answer.isUnsent !== true;
  return answer.outcome !== 'unknown' || (answer.isUnsent !== true && answer.isForbidden !== true);
}

/** Whether a channel answered. An order that it does not know, and one that is undecided, is an answer too. */
export function isAnswer(answer: ChannelAnswer): boolean {
  return answer.outcome !== 'unknown' || answer.why !== 'no_answer' || answer.isUndecided === true;
}

/**
 * The health of a channel by its last creates, oldest first. A run of unanswered creates counts also where it began
 * before the window, so that a breaker with few orders stays open while they fail.
 */
export function routingHealthOf(
  outcomes: readonly CreateOutcome[],
  now: number,
  { scheduleScale }: { scheduleScale: number },
): RoutingHealth {
  const recent = outcomes.filter(({ at }) => now - at < windowMs * scheduleScale);
  const answered = recent.filter(({ isAnswered }) => isAnswered).length;
  const successRate = recent.length < minCreates ? null : answered / recent.length;
  const run = outcomes.slice(-unansweredInARow);
  const last = recent.at(-1);
  if (!last || run.length < unansweredInARow || run.some(({ isAnswered }) => isAnswered))
    return { successRate, breaker: 'closed' };
  return { successRate, breaker: now - last.at < breakerPauseMs * scheduleScale ? 'open' : 'half_open' };
}

/**
 * The effective weight of a channel's routes divided by the configured one. The single orders of a half-open breaker
 * find it with its configured weight.
 */
export function weightFactorOf({ successRate, breaker }: RoutingHealth): number {
  if (successRate === null || breaker === 'half_open') return 1;
  return Math.max(successRate, minWeightFactor);
}

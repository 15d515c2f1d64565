import { type Attempt, clientAddress, type Metrics, openAttempts } from '@tidegate/process';
import type { FastifyRequest } from 'fastify';

/** Attempts to sign in or to redeem an invitation. Those of an address that has failed too often wait (ADR 0031). */
export interface SignInAttempts {
  /** Resolves when the attempt may begin. Call one of its two ends. */
  begin(request: FastifyRequest): Promise<Attempt>;
}

/** What a failed sign-in is charged, in ms: a look-up in the database, a log line, often a request to the identity provider. */
const failureMs = 5;

export function openSignInAttempts(metrics: Metrics, trustedProxies: number): SignInAttempts {
  const delayed = metrics.counter('tidegate_delayed_attempts_total');
  delayed.inc({}, 0);
  const attempts = openAttempts({ failureMs, isChargedAhead: true, delayed: () => delayed.inc({}) });
  return { begin: async ({ raw }) => attempts.begin(clientAddress(raw, trustedProxies)) };
}

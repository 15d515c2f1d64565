import type { Rejection } from '@tidegate/domain';
import { type Refusal, refuse } from './envelope.ts';
import { failureOf } from './errors.ts';

/** 40001: every invalid field by its dotted path, followed by the reason. */
export function invalidParameters(problems: readonly { path: string; reason: string }[]): Refusal {
  return refuse('invalid_parameter', { detail: problems.map(({ path, reason }) => `${path} ${reason}`).join('; ') });
}

/** The failure for a rejection of the domain. After a refusal by the channel, its detail is the number of the order that exists nevertheless. */
export function refuseRejection(refused: { rejection: Rejection; detail?: string; retryAfterMs?: number }): Refusal {
  const { rejection, detail, retryAfterMs } = refused;
  const failure = failureOf(rejection);
  if (failure === 'internal_error') throw new Error(`a merchant's request was refused with ${rejection}`);
  if (retryAfterMs !== undefined)
    return refuse(failure, { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)) });
  if (detail === undefined) return refuse(failure);
  const isOrderNo = failure === 'upstream_rejected' || failure === 'upstream_timeout';
  return refuse(failure, { detail, ...(isOrderNo && { orderNo: detail }) });
}

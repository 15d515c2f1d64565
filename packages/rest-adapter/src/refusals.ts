import type { Rejection } from '@tidegate/domain';
import { type Refusal, refuse } from './envelope.ts';
import { failureOf } from './errors.ts';

/** 40001: every invalid field by its dotted path, followed by the reason. */
export function invalidParameters(problems: readonly { path: string; reason: string }[]): Refusal {
  return refuse('invalid_parameter', { detail: problems.map(({ path, reason }) => `${path} ${reason}`).join('; ') });
}

/**
 * The failure for a rejection of the domain. Its detail, if any, is the number of an order that exists nevertheless.
 */
export function refuseRejection({ rejection, detail }: { rejection: Rejection; detail?: string }): Refusal {
  const failure = failureOf(rejection);
  if (failure === 'internal_error') throw new Error(`a merchant's request was refused with ${rejection}`);
  return refuse(failure, detail === undefined ? {} : { detail, orderNo: detail });
}

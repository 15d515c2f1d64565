import type { OperatorContext } from '@tidegate/domain';
import { refusal } from '../errors.ts';

/** Queues hold the work of all merchants. Throws a refusal for operators who may see only some. */
export function refuseRestricted({ countries, merchantIds }: OperatorContext): void {
  if (countries !== null || merchantIds !== null)
    throw refusal('FORBIDDEN', "queues are the whole platform's, and you are restricted to a part of it");
}

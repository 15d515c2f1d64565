import type { OperatorContext } from '@tidegate/domain';
import { refusal } from './errors.ts';

/** For what is no merchant's: queues, operators. Throws a refusal for operators who may see only some. */
export function refuseRestricted({ countries, merchantIds }: OperatorContext): void {
  if (countries !== null || merchantIds !== null)
    throw refusal('FORBIDDEN', "this is the whole platform's, and you are restricted to a part of it");
}

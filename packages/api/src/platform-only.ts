import type { OperatorContext } from '@tidegate/domain/operators';
import { refusal } from './errors.ts';

/** Whether somebody may see but a part: certain countries, certain merchants. */
export function isRestricted({ countries, merchantIds }: OperatorContext): boolean {
  return countries !== null || merchantIds !== null;
}

/** For what is no merchant's: queues, operators, keys of the service. Throws a refusal for operators who may see only some. */
export function refuseRestricted(operator: OperatorContext): void {
  if (isRestricted(operator))
    throw refusal('FORBIDDEN', "this is the whole platform's, and you are restricted to a part of it");
}

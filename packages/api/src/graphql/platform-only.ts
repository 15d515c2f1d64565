import type { OperatorContext } from '@tidegate/domain/operators';
import { refusal } from '../errors/errors.ts';

/** Whether an operator is restricted to certain countries or merchants. */
export function isRestricted({ countries, merchantIds }: OperatorContext): boolean {
  return countries !== null || merchantIds !== null;
}

/** For data of the platform: queues, operators. Throws a refusal for restricted operators. */
export function refuseRestricted(operator: OperatorContext): void {
  if (isRestricted(operator))
    throw refusal('FORBIDDEN', "this is the whole platform's, and you are restricted to a part of it");
}

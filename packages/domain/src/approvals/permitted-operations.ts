import { hasRole, type OperatorContext } from '../core/operator-rights.ts';
import type { AnyOperation } from './operation.ts';
import { type OperationName, operations } from './operations.ts';

/** The names of all operations, in the order of the table. */
export const operationNames = Object.keys(operations) as OperationName[];

/**
 * The operations that an operator may request, by roles and restriction. Each request is checked again: objects outside
 * the restriction are answered as not found.
 */
export function permittedOperations(
  operator: Pick<OperatorContext, 'roles' | 'countries' | 'merchantIds'>,
): OperationName[] {
  const isRestricted = operator.countries !== null || operator.merchantIds !== null;
  return operationNames.filter((name) => {
    const { roles, isPlatform }: AnyOperation = operations[name];
    return hasRole(operator, roles) && !(isPlatform === true && isRestricted);
  });
}

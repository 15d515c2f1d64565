import { type AnyOperation, type OperationName, operationNames, operations } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';

/** `adjustWallet` → `ADJUST_WALLET`. */
function enumName(name: OperationName): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase();
}

export const OperationNameEnum = builder.enumType('OperationName', {
  description: 'An operation of operators. The mutation has the same name in camel case, e.g. `adjustWallet`.',
  values: Object.fromEntries(
    operationNames.map((name) => {
      const { summary }: AnyOperation = operations[name];
      return [enumName(name), { value: name, description: summary }];
    }),
  ) as Record<string, { value: OperationName; description: string }>,
});

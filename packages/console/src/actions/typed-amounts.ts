import { amountProblem } from '@tidegate/settings/amount-problem';
import { readAmount } from '@tidegate/settings/typed-amount';
import { useState } from 'react';
import type { ActionField, ActionValues } from './action.ts';
import { type OperationName, operationNamed } from './operation.ts';

type Problems = Readonly<Record<string, string>>;

/**
 * Reads the amounts that people type into a form. The API's schema says which fields are amounts. `read` gives the values
 * as the API takes them; null if one cannot be read: then `problems` says why.
 */
export function useTypedAmounts(operation: OperationName): {
  problems: Problems;
  read(shown: readonly ActionField[], values: ActionValues): ActionValues | null;
} {
  const [problems, setProblems] = useState<Problems>({});
  const { fields } = operationNamed(operation);
  const read = (shown: readonly ActionField[], values: ActionValues): ActionValues | null => {
    const typed = shown.filter(({ name }) => fields[name]?.isAmount && (values[name] ?? '').trim() !== '');
    const found = typed.map(({ name }) => ({ name, text: values[name] ?? '', ...readAmount(values[name] ?? '') }));
    const wrong = found.flatMap((one) => (one.ok ? [] : [[one.name, amountProblem(one.fault, one.text)] as const]));
    setProblems(Object.fromEntries(wrong));
    const right = found.flatMap((one) => (one.ok ? [[one.name, one.amount] as const] : []));
    return wrong.length > 0 ? null : { ...values, ...Object.fromEntries(right) };
  };
  return { problems, read };
}

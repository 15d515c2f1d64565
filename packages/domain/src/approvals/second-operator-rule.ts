import type { AnyOperation } from './operation.ts';

/** When an operation needs a second operator. `depends`: on its input or its subject, as its summary says. */
export type SecondOperatorRule = 'never' | 'always' | 'above_limit' | 'depends';

/** Every request needs a second operator. */
export const always = (): true => true;

/** An operation counts towards the daily limit of its operator. Above the limit it needs a second operator. */
export const onlyAboveLimit = (): 'above_limit' => 'above_limit';

/** When an operation needs a second operator, for a table that people read. */
export function secondOperatorRule({ needsSecond }: Pick<AnyOperation, 'needsSecond'>): SecondOperatorRule {
  if (needsSecond === undefined) return 'never';
  if (needsSecond === always) return 'always';
  return needsSecond === onlyAboveLimit ? 'above_limit' : 'depends';
}

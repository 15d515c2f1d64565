import { numbersIn } from '@tidegate/domain/reconciliation';
import { BadRow } from './bad-row.ts';

/**
 * The order number of a row. `named`: the references that can be one, the most certain first. `texts`: what people or
 * banks wrote besides. One of our numbers anywhere counts before any other reference, because banks put their own
 * numbers into the fields for ours. Throws BadRow if the row has several of our numbers: only a person can tell which of
 * them it is about.
 */
export function findOrderNo(named: readonly (string | null)[], texts: readonly string[] = []): string | null {
  const [ours, ...others] = new Set([...named, ...texts].flatMap((text) => (text === null ? [] : numbersIn(text))));
  if (others.length > 0) throw new BadRow('it names several orders');
  return ours ?? named.find((one) => one !== null) ?? null;
}

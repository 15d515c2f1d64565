import type { OrderKind } from '@tidegate/domain';
import type { OrderRows } from './order-rows.ts';
import { orderSql } from './order-sql.ts';

/** The random values of each order: the merchant, the amount in cents, and a part of the order number. */
export const drawn = [
  '\\set m random(1, :wallets)',
  '\\set cents random(10000, 99999)',
  '\\set drawn random(0, 999999999999)',
];

/**
 * The script of pgbench: it writes the rows of `sample`, an order that Tidegate created, in one transaction per order.
 */
export function pgbenchScript(kind: OrderKind, sample: OrderRows): string {
  const { lock, writes } = orderSql(kind, sample, { variable: (name) => `:${name}`, check: refuseVariables });
  return [...drawn, 'begin;', `${lock} \\gset`, ...writes.map((sql) => `${sql};`), 'commit;', ''].join('\n');
}

/** Throws if pgbench would read a part of the text as a variable, i.e. a colon before a letter. */
function refuseVariables(text: string): void {
  if (/:[A-Za-z_]/.test(text)) throw new Error(`pgbench cannot write ${text}`);
}

import type { OrderKind } from '@tidegate/domain';
import type { OrderRows } from './order-rows.ts';
import { orderSql } from './order-sql.ts';
import { drawn } from './pgbench-script.ts';

/**
 * SQL of a database function that writes an order like `sample` in one call. It does the work of the ledger writer
 * without a round trip between the lock and the writes.
 */
export function orderFunction(kind: OrderKind, sample: OrderRows): string {
  const parameters = ['m', 'cents', 'drawn'];
  const variable = (name: string): string => (parameters.includes(name) ? `bench_${name}` : `r.${name}`);
  const { lock, writes } = orderSql(kind, sample, { variable, check: refuseQuote });
  return `create function bench_${kind}(bench_m integer, bench_cents integer, bench_drawn bigint) returns void language plpgsql as $bench$
declare r record;
begin
  for r in ${lock} loop
    ${writes.map((sql) => `${sql};`).join('\n    ')}
  end loop;
  if not found then raise exception 'there is no wallet %', bench_m; end if;
end $bench$`;
}

/** A pgbench script that calls the function of `orderFunction`, one transaction per order. */
export function functionScript(kind: OrderKind): string {
  return [...drawn, `select bench_${kind}(:m, :cents, :drawn);`, ''].join('\n');
}

function refuseQuote(text: string): void {
  if (text.includes('$bench$')) throw new Error(`the function cannot write ${text}`);
}

import { Migration } from '@mikro-orm/migrations';
import { access } from './baseline/access.ts';
import { audit } from './baseline/audit.ts';
import { bookings } from './baseline/bookings.ts';
import { cases } from './baseline/cases.ts';
import { channels } from './baseline/channels.ts';
import { configuration } from './baseline/configuration.ts';
import { decisions } from './baseline/decisions.ts';
import { jsonChecks } from './baseline/json-checks.ts';
import { ledger } from './baseline/ledger.ts';
import { lists } from './baseline/lists.ts';
import { notifications } from './baseline/notifications.ts';
import { operations } from './baseline/operations.ts';
import { orders } from './baseline/orders.ts';
import { payments } from './baseline/payments.ts';
import { reconciliation } from './baseline/reconciliation.ts';
import { records } from './baseline/records.ts';
import { rules } from './baseline/rules.ts';
import { settlement } from './baseline/settlement.ts';
import { statements } from './baseline/statements.ts';
import { verbs } from './baseline/verbs.ts';

/** The whole schema of the first release. Each part has its tables and, beside each table, what guards it (ADR 0034). */
export class Baseline extends Migration {
  override up(): void {
    const tables = [
      rules,
      configuration,
      channels,
      access,
      orders,
      payments,
      ledger,
      cases,
      decisions,
      notifications,
      audit,
      lists,
      statements,
      reconciliation,
      settlement,
      operations,
    ];
    for (const sql of [...tables, verbs, bookings, records, jsonChecks, bounds, calls]) this.addSql(sql);
  }
}

/**
 * A time, a day or an amount that no process can read would break each list and each sum that it is in: to PostgreSQL,
 * NaN is a number greater than all others. Progress and retention begin at the beginning of time. Nor does a row have a
 * text that an index cannot take, or a number of attempts that cannot be counted on: a statement for many rows would fail.
 */
const bounds = `do $$
declare
  one record;
begin
  for one in
    select c.oid::regclass as name, c.relname, string_agg(format(case
        when a.atttypid = 'numeric'::regtype then 'abs(%1$I) < ''Infinity'''
        when a.atttypid = 'text'::regtype then 'octet_length(%1$I) <= 600'
        when a.atttypid = 'integer'::regtype then '%1$I < 1000000000'
        when c.relname = 'retention' or c.relname like '%\\_progress' then '%1$I < ''10000-01-01'''
        else '%1$I < ''10000-01-01'' and %1$I >= ''0001-01-01''' end, a.attname), ' and ' order by a.attnum) as rule
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (a.atttypid in ('timestamptz'::regtype, 'date'::regtype, 'numeric'::regtype)
        or a.atttypid = 'integer'::regtype and a.attname like '%attempt%'
        or a.atttypid = 'text'::regtype and exists (select from pg_index i where i.indrelid = c.oid and a.attnum = any(i.indkey)))
      and a.attnum > 0 and not a.attisdropped and c.relname <> 'migration'
    group by c.oid, c.relname order by c.relname
  loop
    execute format('alter table %s add constraint %I check (%s)', one.name, one.relname || '_bounds_check', one.rule);
  end loop;
end $$`;

/**
 * What runs with the owner's rights, or within a trigger, is called by nobody else: whoever may call a trigger's function
 * can attach it to a table of its own, where it writes what the rows there say.
 */
const calls = `do $$
declare
  one record;
begin
  for one in
    select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and (p.prosecdef or p.prorettype = 'trigger'::regtype)
  loop
    execute format('revoke execute on function %s from public', one.name);
  end loop;
end $$`;

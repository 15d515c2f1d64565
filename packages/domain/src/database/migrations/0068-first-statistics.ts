import { Migration } from '@mikro-orm/migrations';

/**
 * A function by which a service has the statistics of young `orders` gathered. Only the owner of a table may analyze it,
 * so the function runs with the owner's rights. It returns whether the table is still young. Of a partitioned table only
 * the partitions count: autovacuum never gathers the statistics of the whole.
 */
export class FirstStatistics extends Migration {
  override up(): void {
    this.addSql(`create or replace function gather_first_statistics() returns boolean language plpgsql
      security definer set search_path from current as $$
      declare young constant boolean := (
        select coalesce(sum(greatest(reltuples, 0)), 0) < 100000 from pg_catalog.pg_class
        where relkind = 'r' and (oid = 'orders'::regclass or oid in (select relid from pg_partition_tree('orders'))));
      begin
        -- Skipped if another session analyzes the table or changes it.
        if young then analyze (skip_locked) orders; end if;
        return young;
      end $$`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * A function by which a service has the statistics of young `orders` gathered. Only the owner of a table may analyze it,
 * so the function runs with the owner's rights. It returns whether the table is still young.
 */
export class FirstStatistics extends Migration {
  override up(): void {
    this.addSql(`create or replace function gather_first_statistics() returns boolean language plpgsql
      security definer set search_path from current as $$
      declare young constant boolean := (select reltuples < 100000 from pg_class where oid = 'orders'::regclass);
      begin
        -- Skipped if another session analyzes the table or changes it.
        if young then analyze (skip_locked) orders; end if;
        return young;
      end $$`);
  }
}

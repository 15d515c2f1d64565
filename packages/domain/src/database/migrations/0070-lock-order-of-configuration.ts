import { Migration } from '@mikro-orm/migrations';

/**
 * Changes of what belongs to a merchant lock its rows in one order: first `merchant`, then `configuration_change`. Triggers
 * run in the order of their names. `configuration_added` came before `touch_merchant`, but a new service key, which has
 * no `configuration_added`, locks `merchant` first. So a new route and a new service key of one merchant at the same
 * time could wait for each other, and PostgreSQL ended one of them. Bank mappings of a channel likewise.
 */
export class LockOrderOfConfiguration extends Migration {
  override up(): void {
    this.addSql(`do $$
    declare
      found record;
    begin
      for found in select t.tgname as name, t.tgrelid::regclass as of_table from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = current_schema()::regnamespace
          and t.tgname in ('touch_merchant', 'touch_merchant_on_insert', 'touch_channel')
        order by c.oid, t.tgname
      loop
        execute format('alter trigger %I on %s rename to %I', found.name, found.of_table, replace(found.name, 'touch_', 'changes_'));
      end loop;
    end $$`);
  }
}

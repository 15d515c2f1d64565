import { Migration } from '@mikro-orm/migrations';
import { type IndexToMake, makeConcurrently, partitionsOf } from './concurrent-indexes.ts';

/**
 * Late notifications: given up, held back, or in a later attempt. They keep what lists of orders are sorted by, so that
 * indexes have their orders in the order of each list. Triggers write it, so the previous version does so too.
 */
export class LateNotifications extends Migration {
  // Indexes are created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const statement of columns) this.addSql(statement);
    const partitions = await this.#partitionsOf('notification');
    for (const index of indexes) for (const statement of makeConcurrently(index, partitions)) this.addSql(statement);
    this.addSql(fillSql);
  }

  async #partitionsOf(table: string): Promise<string[]> {
    // tests/migrations.test.ts collects the statements without a database.
    if (!this.driver) return [];
    const rows = await this.execute(partitionsOf(table));
    return rows.map((row) => String((row as { part?: unknown }).part));
  }
}

const isLate = (row: string): string =>
  `${row}state <> 'delivered' and (${row}state = 'exhausted' or ${row}held_by is not null or ${row}attempt > 1)`;

const columns = [
  'alter table notification add column if not exists order_created_at timestamptz(3)',
  'alter table notification add column if not exists order_amount numeric(14, 2)',
  'alter table notification add column if not exists order_completed_at timestamptz(3)',
  // Most notifications are delivered by their first attempt: the trigger does nothing for them.
  `create or replace function keep_order_of_late_notification() returns trigger language plpgsql as $$
  begin
    select o.created_at, o.amount, o.completed_at into new.order_created_at, new.order_amount, new.order_completed_at
      from orders o where o.merchant_id = new.merchant_id and o.order_no = new.order_no;
    return new;
  end $$`,
  `create or replace trigger order_of_late before insert or update on notification for each row
    when ((new.order_created_at is null or new.order_completed_at is null) and ${isLate('new.')})
    execute function keep_order_of_late_notification()`,
  'alter table notification enable always trigger order_of_late',
  // Merchants are notified of ended orders only. So an order has notifications before its completion only if it ended
  // in another way and was credited later. The services have no right to update the column by themselves.
  `create or replace function complete_late_notifications() returns trigger language plpgsql
    security definer set search_path from current as $$
  begin
    update notification n set order_completed_at = new.completed_at
      where n.merchant_id = new.merchant_id and n.order_no = new.order_no and n.order_created_at is not null;
    return null;
  end $$`,
  `create or replace trigger completed_late after update on orders for each row
    when (old.completed_at is null and new.completed_at is not null and old.status in ('failed', 'timeout', 'cancelled'))
    execute function complete_late_notifications()`,
];

const late = `state <> 'delivered' and order_created_at is not null`;

// The last columns of the first three are checked, not sorted by.
const indexes: readonly IndexToMake[] = [
  {
    name: 'notification_late_by_creation',
    table: 'notification',
    what: `(state, order_created_at, merchant_id, order_no, order_amount) where ${late}`,
  },
  {
    name: 'notification_late_by_amount',
    table: 'notification',
    what: `(state, order_amount, order_created_at, merchant_id, order_no) where ${late}`,
  },
  {
    name: 'notification_late_by_completion',
    table: 'notification',
    what: `(state, order_completed_at, merchant_id, order_no, order_created_at, order_amount) where ${late} and order_completed_at is not null`,
  },
  // Pending ones that are not late: mostly those of the last seconds.
  {
    name: 'notification_in_time',
    table: 'notification',
    what: `(next_attempt_at) where state = 'pending' and order_created_at is null`,
  },
  { name: 'notification_retried', table: 'notification', what: `(created_at) where state = 'pending' and attempt > 1` },
];

// In small transactions, so that nothing waits for long. Each condition is that of an index. A row that another session
// has locked is left out: it is changed there, and so filled by the trigger.
const fillSql = `do $$
declare
  found record;
  filled integer := 0;
begin
  for found in
    select merchant_id, order_no, status from (
      select * from notification where state = 'exhausted'
      union all select * from notification where held_by = 'host'
      union all select * from notification where held_by = 'pause'
      union all select * from notification where held_by = 'order' and body <> ''
      union all select * from notification where state = 'pending' and attempt > 1) n
    where order_created_at is null
  loop
    update notification n set order_created_at = null
      from (select merchant_id, order_no, status from notification
        where merchant_id = found.merchant_id and order_no = found.order_no and status = found.status and order_created_at is null
        for no key update skip locked) l
      where n.merchant_id = l.merchant_id and n.order_no = l.order_no and n.status = l.status;
    filled := filled + 1;
    if filled % 100 = 0 then
      commit;
    end if;
  end loop;
end $$`;

import { Migration } from '@mikro-orm/migrations';

/**
 * Ended orders whose outcome can still change at the provider, and the time of each one's next query. Also allows
 * purging what adapters stored about a single order.
 */
export class OrderWatch extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- Small, and apart from the orders: a query that says nothing new changes no order and none of their indexes.
create table order_watch (
  merchant_id text not null,
  order_no text not null,
  channel_id text not null references channel,
  ended_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  primary key (merchant_id, order_no)
);
create index order_watch_due on order_watch (channel_id, due_at);

-- Orders that ended up to "until" are watched. Those from before this migration are not.
create table order_watch_progress (
  name text primary key check (name = 'orders'),
  until timestamptz(3) not null
);
insert into order_watch_progress values ('orders', clock_timestamp());

-- Whether it is about one order. All else is kept for ever, and so is what an older version stores.
alter table channel_memory add column of_order boolean not null default false;
create index channel_memory_of_orders on channel_memory (created_at) where of_order;
alter table retention drop constraint retention_kind_check;
alter table retention add constraint retention_kind_check
  check (kind in ('notification', 'notification_attempt', 'channel_call', 'channel_memory'));
insert into retention (kind) values ('channel_memory');
`;

import { Migration } from '@mikro-orm/migrations';

/** Indexes for the lists of operators. Sums for dashboards and for the platform's accounts. */
export class ReadIndexes extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- Each costs the creation of an order some 1 to 3 µs; what is behind the time in the key is sorted among the few of one millisecond.
create index orders_by_time on orders (created_at);
-- Only for statements that say the same of created_at: the seam's look-ups by merchant and number, planned while the table is small, would
-- else take this index for as good as the key, and read a merchant's whole history once there is one.
create index orders_by_merchant_time on orders (merchant_id, created_at) where created_at > '-infinity';
create index orders_open_payins on orders (created_at) where kind = 'payin' and status in ('created', 'processing', 'partial_paid');
create index notification_at on notification (created_at);
create index notification_exhausted on notification (created_at) where state = 'exhausted';
-- Few rows: they cost nothing.
create index audit_record_at on audit_record (at);
create index audit_record_subject on audit_record (merchant_id, subject);
create index money_case_at on money_case (opened_at);
create index money_case_of_order on money_case (merchant_id, order_no) where order_no is not null;
create index approval_at on approval (asked_at);
create index audit_finding_at on audit_finding (found_at);

-- Ended orders, counted and summed by the hour and by the day (UTC) of their creation: of each merchant, and of all as PLATFORM.
-- Nobody writes here but the roll-up. Of completed ones how long they took: buckets of durations, and how many are in each.
${['hour', 'day']
  .map(
    (grain) => `
create table order_figures_by_${grain} (
  merchant_id text not null,
  starts_at timestamptz(3) not null,
  country text not null,
  currency text not null,
  kind text not null,
  channel_id text not null,
  status text not null,
  orders bigint not null,
  amount numeric(24, 2) not null,
  fee_amount numeric(24, 2) not null,
  buckets integer[] not null,
  counts integer[] not null,
  primary key (merchant_id, starts_at, country, kind, channel_id, status)
) with (fillfactor = 80);`,
  )
  .join('')}

-- Transitions up to this moment are in there.
create table order_figures_progress (
  name text primary key check (name = 'orders'),
  until timestamptz(3) not null
);
insert into order_figures_progress values ('orders', '-infinity');

-- What was debited and credited to the platform's accounts in a merchant's books, up to the transfer of that number.
create table account_total (
  merchant_id text not null,
  account text not null,
  currency text not null,
  debited numeric(24, 2) not null,
  credited numeric(24, 2) not null,
  transfers bigint not null,
  primary key (merchant_id, account)
) with (fillfactor = 80);
create table account_total_progress (
  merchant_id text primary key,
  transfer_no bigint not null
) with (fillfactor = 80);
`;

import { Migration } from '@mikro-orm/migrations';

/**
 * Orders, wallets and the ledger. Every key begins with `merchant_id`, so that tables can be partitioned by merchant.
 * Only the transaction that holds the row lock of a merchant's wallet writes rows of this merchant.
 */
export class OrdersAndLedger extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table wallet (
  merchant_id text primary key references merchant,
  currency text not null,
  available numeric(18, 2) not null default 0 check (available >= 0),
  frozen numeric(18, 2) not null default 0 check (frozen >= 0),
  last_entry_no bigint not null default 0,
  last_entry_hash text not null default repeat('0', 64),
  last_transfer_no bigint not null default 0,
  last_case_no bigint not null default 0,
  last_audit_no bigint not null default 0,
  last_audit_hash text not null default repeat('0', 64),
  updated_at timestamptz(3) not null default clock_timestamp()
) with (fillfactor = 50);

create table orders (
  merchant_id text not null references merchant,
  order_no text not null,
  merchant_order_no text not null check (merchant_order_no ~ '^[!-~]{1,64}$'),
  kind text not null,
  country text not null,
  currency text not null,
  mode text not null check (mode in ('upstream', 'market', 'manual')),
  status text not null,
  amount numeric(14, 2) not null check (amount > 0),
  fee_amount numeric(14, 2) not null check (fee_amount >= 0),
  net_amount numeric(14, 2) not null check (net_amount > 0),
  paid_amount numeric(14, 2) not null check (paid_amount between 0 and amount),
  fee_terms jsonb not null,
  bank_code text,
  channel_id text not null,
  channel_bank_code text,
  channel_ref text,
  pay_link text,
  pay_qr text,
  notify_url text check (length(notify_url) <= 512),
  details jsonb not null,
  task jsonb,
  failure_reason text,
  next_action text check (next_action in ('submit', 'poll', 'expire')),
  next_action_at timestamptz(3),
  attempt integer not null,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (merchant_id, order_no),
  unique (merchant_id, merchant_order_no),
  check ((country, currency) in (('CN', 'CNY'), ('TH', 'THB'), ('IN', 'INR'), ('PK', 'PKR'))),
  check (kind = 'payin' or (kind = 'payout' and country in ('IN', 'PK'))),
  check (order_no ~ case kind when 'payin' then '^PI[0-9A-Z]{1,30}$' else '^PO[0-9A-Z]{1,30}$' end),
  check (net_amount = case kind when 'payin' then amount - fee_amount else amount + fee_amount end),
  check (status in ('created', 'processing', 'completed', 'failed', 'cancelled')
    or (status = 'timeout' and country in ('TH', 'IN'))
    or (status = 'partial_paid' and kind = 'payin' and country = 'TH')
    or (status = 'market_available' and kind = 'payout' and country = 'PK')),
  check ((status = 'completed') = (completed_at is not null)),
  check ((next_action is null) = (next_action_at is null))
);
create index orders_open_payouts on orders (created_at) where kind = 'payout' and status in ('created', 'processing', 'market_available');
create index orders_due on orders (next_action_at) where next_action is not null;

create table order_transition (
  merchant_id text not null,
  order_no text not null,
  seq integer not null,
  "from" text not null,
  "to" text not null,
  trigger text not null,
  actor text not null,
  detail text,
  at timestamptz(3) not null,
  primary key (merchant_id, order_no, seq)
);

create table wallet_entry (
  merchant_id text not null,
  entry_no bigint not null,
  type text not null,
  available_change numeric(18, 2) not null,
  frozen_change numeric(18, 2) not null,
  available_before numeric(18, 2) not null,
  available_after numeric(18, 2) not null check (available_after >= 0),
  frozen_before numeric(18, 2) not null,
  frozen_after numeric(18, 2) not null check (frozen_after >= 0),
  order_no text,
  merchant_order_no text,
  remark text,
  booking_no text,
  created_at timestamptz(3) not null,
  hash text not null,
  primary key (merchant_id, entry_no),
  check (available_after = available_before + available_change),
  check (frozen_after = frozen_before + frozen_change),
  check (case type
    when 'PAYIN' then available_change > 0 and frozen_change = 0 and order_no is not null
    when 'PAYOUT_FREEZE' then frozen_change > 0 and available_change = -frozen_change and order_no is not null
    when 'PAYOUT_RELEASE' then frozen_change < 0 and available_change = -frozen_change and order_no is not null
    when 'PAYOUT' then frozen_change < 0 and available_change = 0 and order_no is not null
    when 'PAYOUT_RETURN' then available_change > 0 and frozen_change = 0 and order_no is not null
    when 'TOP_UP' then available_change > 0 and frozen_change = 0 and booking_no is not null
    when 'SETTLEMENT' then available_change < 0 and frozen_change = 0 and booking_no is not null
    when 'ADJUSTMENT' then available_change <> 0 and frozen_change = 0 and booking_no is not null
    else false end)
);
-- An order is credited once, frozen once, settled or released once, returned once.
create unique index wallet_entry_once on wallet_entry
  (merchant_id, order_no, (case type when 'PAYOUT_RELEASE' then 'PAYOUT' else type end)) where order_no is not null;
-- A top-up, settlement or adjustment is booked once, however often its request comes.
create unique index wallet_entry_booking on wallet_entry (merchant_id, booking_no) where booking_no is not null;

create table transfer (
  merchant_id text not null,
  transfer_no bigint not null,
  debit text not null,
  credit text not null,
  currency text not null,
  amount numeric(18, 2) not null check (amount > 0),
  cause text not null,
  order_no text,
  created_at timestamptz(3) not null,
  primary key (merchant_id, transfer_no),
  check (debit <> credit)
);

create table payment (
  merchant_id text not null,
  order_no text not null,
  reference text not null check (length(reference) between 1 and 128),
  channel_id text not null,
  amount numeric(14, 2) not null check (amount > 0),
  use text not null check (use in ('credited', 'part', 'suspense')),
  received_at timestamptz(3) not null,
  primary key (merchant_id, order_no, reference)
);

create table money_case (
  merchant_id text not null references merchant,
  case_no bigint not null,
  kind text not null check (kind in ('late', 'double', 'wrong_amount', 'parts_of_unpaid', 'unmatched', 'payout_returned', 'payout_paid_again')),
  state text not null default 'open' check (state in ('open', 'credited', 'returned')),
  order_no text,
  channel_id text not null,
  reference text,
  currency text not null,
  amount numeric(14, 2) not null check (amount > 0),
  detail text not null,
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3),
  primary key (merchant_id, case_no),
  check ((state = 'open') = (closed_at is null))
);
create index money_case_open on money_case (opened_at) where state = 'open';

create table audit_record (
  merchant_id text not null references merchant,
  audit_no bigint not null,
  actor text not null,
  approver text check (approver <> actor),
  action text not null,
  subject text not null,
  reason text not null check (reason <> ''),
  detail text not null,
  at timestamptz(3) not null,
  hash text not null,
  primary key (merchant_id, audit_no)
);

create table notification (
  merchant_id text not null,
  order_no text not null,
  status text not null,
  url text not null,
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted')),
  attempt integer not null default 0,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  primary key (merchant_id, order_no, status),
  foreign key (merchant_id, order_no) references orders,
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'delivered') = (delivered_at is not null))
);
create index notification_due on notification (next_attempt_at) where state = 'pending';

create table notification_attempt (
  merchant_id text not null,
  order_no text not null,
  status text not null,
  attempt integer not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  address text,
  http_status integer,
  reply text,
  error text,
  primary key (merchant_id, order_no, status, attempt)
);

create table channel_call (
  merchant_id text not null,
  order_no text not null,
  call_id text not null,
  channel_id text not null,
  operation text not null check (operation in ('create', 'query', 'cancel', 'callback')),
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  outcome text not null,
  detail text,
  primary key (merchant_id, order_no, call_id)
);

-- Where money is booked that belongs to no merchant's order: one tenant per country, which nobody can sign for.
insert into merchant (merchant_id, name, country, currency, status, payin_enabled, payout_enabled, tag)
  select 'PLATFORM-' || c, 'Platform ' || c, c, u, 'disabled', false, false, '----'
  from (values ('CN', 'CNY'), ('TH', 'THB'), ('IN', 'INR'), ('PK', 'PKR')) as t(c, u);
-- And one for audit records of what concerns no merchant: operators, channels. Its wallet stays empty; its country means nothing.
insert into merchant (merchant_id, name, country, currency, status, payin_enabled, payout_enabled, tag)
  values ('PLATFORM', 'Platform', 'CN', 'CNY', 'disabled', false, false, '----');
insert into wallet (merchant_id, currency) select merchant_id, currency from merchant;
`;

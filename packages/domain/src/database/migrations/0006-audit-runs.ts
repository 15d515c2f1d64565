import { Migration } from '@mikro-orm/migrations';

/** How far the audit has checked the ledger, its findings, and indexes by which it finds new rows and open orders. */
export class AuditRuns extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- One row for each kind of run: who runs it, until when unless they say so again, and how far they have come.
create table audit_run (
  run text primary key check (run in ('incremental', 'whole')),
  holder text,
  held_until timestamptz(3),
  position jsonb,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  finished_runs bigint not null default 0,
  check ((holder is null) = (held_until is null))
);
-- Orders from before this are the first whole run's.
insert into audit_run (run, position) values
  ('incremental', jsonb_build_object('seenUntil', floor(extract(epoch from clock_timestamp()) * 1000))), ('whole', null);

-- Up to where a merchant's books were found right: the sums and the hashes there, and the wallet's row as it was then.
create table audit_checkpoint (
  merchant_id text primary key,
  position jsonb not null,
  wallet_seen text,
  checked_at timestamptz(3) not null
);

create table audit_finding (
  merchant_id text not null,
  finding_no bigint generated always as identity,
  rule text not null,
  subject text not null,
  detail text not null,
  state text not null default 'open' check (state in ('open', 'repaired', 'accepted')),
  found_at timestamptz(3) not null default clock_timestamp(),
  last_found_at timestamptz(3) not null default clock_timestamp(),
  closed_at timestamptz(3),
  primary key (merchant_id, finding_no),
  check ((state = 'open') = (closed_at is null))
);
-- The same violation is one finding, however often it is found.
create unique index audit_finding_open on audit_finding (merchant_id, rule, subject) where state = 'open';
create index audit_finding_subject on audit_finding (merchant_id, rule, subject);
create trigger no_delete before delete on audit_finding for each row execute function refuse_change();
create trigger no_delete_whole before truncate on audit_finding for each statement execute function refuse_change();

-- What happened to orders since the last run, and what a ledger's rules ask of an order.
create index order_transition_at on order_transition (at);
create index transfer_of_order on transfer (merchant_id, order_no) where order_no is not null;
-- What is open at a merchant: few rows, whatever its history.
create index orders_held on orders (merchant_id) include (net_amount)
  where kind = 'payout' and status in ('created', 'processing', 'market_available');
create index orders_with_parts on orders (merchant_id) include (paid_amount)
  where kind = 'payin' and paid_amount > 0 and status in ('created', 'processing', 'partial_paid');
create index money_case_open_of_merchant on money_case (merchant_id) where state = 'open';
`;

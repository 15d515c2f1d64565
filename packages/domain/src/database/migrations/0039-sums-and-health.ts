import { Migration } from '@mikro-orm/migrations';

/**
 * Sums of wallet entries for statements, the health of channels per minute and hour, and the health of the hosts that
 * receive notifications. The worker fills the tables from entries and logs, in bounded steps. The previous version does
 * not use them.
 */
export class SumsAndHealth extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- Block n has the sums of the entries n * 1000 + 1 to (n + 1) * 1000 of a wallet, by type. A block is written once, when its last entry is there.
create table wallet_entry_sum (
  merchant_id text not null,
  block_no bigint not null,
  type text not null,
  entries bigint not null,
  available numeric(24, 2) not null,
  frozen numeric(24, 2) not null,
  primary key (merchant_id, block_no, type)
);

-- Calls to channels, and of channels, by the minute and hour in which they began. Minutes are kept for two hours, hours for eight days.
create table channel_health (
  channel_id text not null,
  grain text not null check (grain in ('minute', 'hour')),
  starts_at timestamptz(3) not null,
  operation text not null,
  calls bigint not null,
  -- With an answer of the channel, whatever it said; and those refused outright.
  answered bigint not null,
  refused bigint not null,
  -- Durations: buckets, and how many calls are in each.
  buckets integer[] not null,
  counts integer[] not null,
  last_error text,
  last_error_at timestamptz(3),
  primary key (channel_id, grain, starts_at, operation)
) with (fillfactor = 80);

-- The last attempts at the hosts of each merchant's notifications. Kept for 30 days after the last attempt.
create table host_health (
  merchant_id text not null,
  host text not null,
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_error text,
  last_http_status integer,
  last_attempt_at timestamptz(3) not null,
  primary key (merchant_id, host)
) with (fillfactor = 80);

-- The logs are in there up to these moments, which are whole minutes.
create table log_progress (
  log text primary key check (log in ('channel_call', 'notification_attempt')),
  until timestamptz(3) not null
);
insert into log_progress select log, date_trunc('hour', clock_timestamp()) - interval '7 days'
  from (values ('channel_call'), ('notification_attempt')) as l(log);
`;

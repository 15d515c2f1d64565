import { notBeyondNow } from './rules.ts';

/** Days, hours and 15 minutes, all of UTC. */
const grains = ['day', 'hour', 'quarter'] as const;

const sums = `orders bigint not null,
  amount numeric(24, 2) not null,
  fee_amount numeric(24, 2) not null,
  buckets integer[] not null,
  counts integer[] not null,`;

/** Sums of orders by bank code, and by the reason why they failed. */
const facetsBy = (grain: string): string => `create table order_facets_by_${grain} (
  merchant_id text,
  facet text check (facet in ('bank', 'reason')),
  starts_at timestamptz(3),
  value text,
  country text,
  currency text not null,
  kind text,
  channel_id text,
  status text,
  ${sums}
  primary key (merchant_id, facet, starts_at, country, kind, channel_id, status, value)
) with (fillfactor = 80);`;

/** Sums of orders by status. */
const figuresBy = (grain: string): string => `create table order_figures_by_${grain} (
  merchant_id text,
  starts_at timestamptz(3),
  country text,
  currency text not null,
  kind text,
  channel_id text,
  status text,
  ${sums}
  primary key (merchant_id, starts_at, country, kind, channel_id, status)
) with (fillfactor = 80);`;

/** What lists and figures of orders are read from. */
export const lists = `
create table order_search (
  merchant_id text,
  order_no text,
  merchant_order_no text not null,
  created_at timestamptz(3) not null,
  account_key text,
  phone_key text,
  name text,
  last_name text,
  primary key (merchant_id, order_no)
);
create index order_search_by_account on order_search (account_key) where account_key is not null;
create index order_search_by_phone on order_search (phone_key) where phone_key is not null;
create index order_search_by_time on order_search (created_at);
create index order_search_by_number on order_search (order_no text_pattern_ops);
create index order_search_by_merchant_number on order_search (merchant_order_no text_pattern_ops);
create index order_search_by_name on order_search (name text_pattern_ops) where name is not null;
create index order_search_by_last_name on order_search (last_name text_pattern_ops) where last_name is not null;

create table order_search_progress (
  name text primary key check (name = 'orders'),
  since timestamptz(3) not null,
  until timestamptz(3) not null
);
insert into order_search_progress values ('orders', clock_timestamp() + interval '1 ms', clock_timestamp());

${notBeyondNow('order_search_progress')}

${grains.map(facetsBy).join('\n')}

-- Transitions up to this moment are in there.
create table order_facets_progress (
  name text primary key check (name = 'facets'),
  until timestamptz(3) not null
);
insert into order_facets_progress values ('facets', '-infinity');
${notBeyondNow('order_facets_progress')}

${grains.map(figuresBy).join('\n')}

-- Transitions up to this moment are in there.
create table order_figures_progress (
  name text primary key check (name = 'orders'),
  until timestamptz(3) not null
);
insert into order_figures_progress values ('orders', '-infinity');
${notBeyondNow('order_figures_progress')}

-- Small, and apart from the orders: a query that says nothing new changes no order and none of their indexes.
create table order_watch (
  merchant_id text,
  order_no text,
  channel_id text not null references channel,
  ended_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  primary key (merchant_id, order_no)
);
create index order_watch_due on order_watch (channel_id, due_at);

-- Orders that ended up to "until" are watched.
create table order_watch_progress (
  name text primary key check (name = 'orders'),
  until timestamptz(3) not null
);
insert into order_watch_progress values ('orders', clock_timestamp());
${notBeyondNow('order_watch_progress')}

-- The logs are in there up to these moments, which are whole minutes.
create table log_progress (
  log text primary key check (log in ('channel_call', 'notification_attempt')),
  until timestamptz(3) not null
);
insert into log_progress select log, date_trunc('hour', clock_timestamp()) - interval '7 days' from unnest(array['channel_call', 'notification_attempt']) as log;
${notBeyondNow('log_progress')}
`;

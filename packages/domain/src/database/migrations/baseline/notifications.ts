import { appendOnly, unchangeable } from './rules.ts';

/** Notifications of merchants and their attempts. */
export const notifications = `
create table notification (
  merchant_id text,
  order_no text,
  status text,
  url text not null,
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted')),
  attempt integer not null default 0,
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  delivered_at timestamptz(3),
  -- Name and port that it goes to.
  host text not null default '',
  -- What keeps a due one off the schedule: the line at its host, or the pause of its merchant.
  held_by text check (held_by in ('host', 'pause', 'order')),
  -- Attempts of earlier rounds: a resend begins another round of the schedule.
  earlier_attempts integer not null default 0,
  traceparent text,
  seq integer not null default 0,
  is_repeat boolean not null default false,
  primary key (merchant_id, order_no, status),
  constraint notification_check check ((state = 'pending') = (next_attempt_at is not null)),
  constraint notification_check1 check ((state = 'delivered') = (delivered_at is not null)),
  constraint notification_check2 check (held_by is null or state = 'pending'),
  constraint notification_check3 check (earlier_attempts >= 0 and earlier_attempts <= attempt),
  foreign key (merchant_id, order_no) references orders(merchant_id, order_no)
);
create index notification_due_first on notification (next_attempt_at) where state = 'pending' and held_by is null and attempt = 0;
create index notification_due_retry on notification (next_attempt_at) where state = 'pending' and held_by is null and attempt > 0;
create index notification_in_line on notification (host, merchant_id, ((attempt > 0)), next_attempt_at) where held_by = 'host';
create index notification_paused on notification (merchant_id, next_attempt_at) where held_by = 'pause';
-- Only for whoever says this condition, which is always true: on a small table the planner would take it for look-ups by key, and keep that plan.
create index notification_by_time on notification (merchant_id, created_at) where body <> '';
create index notification_at on notification (created_at);
create index notification_exhausted on notification (created_at) where state = 'exhausted';
create index notification_behind_older on notification (next_attempt_at) where held_by = 'order' and body <> '';
create index notification_backlogs_of_merchant on notification (merchant_id, host) where held_by = 'host'
  and created_at > '-infinity'::timestamp with time zone;
create index notification_retried on notification (created_at) where state = 'pending' and attempt > 1;

-- A notification says what became of its order, to the address of the order. It is signed later, by another process.
create function refuse_forged_notifications() returns trigger language plpgsql as $$
declare
  forged pg_catalog.text;
begin
  select n.order_no into forged from new_rows n where (
    select case when pg_catalog.pg_input_is_valid(n.body, 'pg_catalog.jsonb') then (
        -- The last of two equal keys is read here, and perhaps the first one by the merchant.
        select case pg_catalog.jsonb_typeof(b) when 'object' then (select count(*) from pg_catalog.json_object_keys(n.body::pg_catalog.json)) = (select count(*) from pg_catalog.jsonb_object_keys(b))
          and (b ->> 'orderNo', b ->> 'merchantOrderNo', b ->> 'status', b ->> 'orderType', b ->> 'amount', b ->> 'feeAmount', b ->> 'netAmount')
            = (o.order_no, o.merchant_order_no, n.status, o.kind, o.amount::pg_catalog.text, o.fee_amount::pg_catalog.text, o.net_amount::pg_catalog.text)
            and (b ->> 'currency' = o.currency) is not false and (b ->> 'countryCode' = o.country) is not false
            and (b ->> 'completedAt' = pg_catalog.floor(extract(epoch from o.completed_at))::pg_catalog.text) is not false
            and (pg_catalog.length(b ->> 'failureReason') <= 500) is not false
            and not exists (select from pg_catalog.jsonb_object_keys(b) k where k <> all(array['orderType', 'orderNo', 'merchantOrderNo', 'status', 'amount', 'feeAmount', 'netAmount',
              'currency', 'countryCode', 'failureReason', 'completedAt'])) end
        from (select n.body::pg_catalog.jsonb as b) said) end
      and (o.status = n.status or exists (
        -- It went on from there, by steps that its kind of order has, to where it is.
        select from public.order_transition t where t.merchant_id = o.merchant_id and t.order_no = o.order_no and t."to" = n.status
          and o.status = (select l."to" from public.order_transition l where l.merchant_id = t.merchant_id and l.order_no = t.order_no order by l.seq desc limit 1)
          and not exists (select from public.order_transition l
            where l.merchant_id = t.merchant_id and l.order_no = t.order_no and l.seq > t.seq and l."from" <> l."to" and not exists (
              select from public.transition_rule r where r.kind = o.kind and r.country = o.country and r."from" = l."from" and r."to" = l."to"))))
    from public.orders o where o.merchant_id = n.merchant_id and o.order_no = n.order_no and o.notify_url = n.url) is not true limit 1;
  if forged is not null and not public.owns(tg_relid) then
    raise exception 'notification of %: it is not what became of the order, or goes elsewhere', forged using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger says_what_happened after insert on notification referencing new table as new_rows for each statement execute function refuse_forged_notifications();

create table notification_attempt (
  merchant_id text,
  order_no text,
  status text,
  attempt integer,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  address text,
  http_status integer,
  reply text,
  error text,
  primary key (merchant_id, order_no, status, attempt)
);
-- Some 100 bytes for each MiB of rows, and next to nothing for a row that is written.
create index notification_attempt_by_time on notification_attempt using brin (started_at);
create trigger kept_long_enough before delete on notification_attempt for each row execute function refuse_early_deletion('notification_attempt');
${unchangeable('notification_attempt')}

-- A request to resend, under a key of whoever asks: the same key again resends nothing.
create table notification_resend (
  merchant_id text references merchant,
  request_key text check (octet_length(request_key) >= 1 and octet_length(request_key) <= 64),
  -- What was asked for, as JSON.
  asked jsonb not null,
  matched integer not null check (matched >= 0),
  put_back integer not null,
  requested_by text not null,
  requested_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, request_key),
  constraint notification_resend_check check (put_back >= 0 and put_back <= matched)
);
${appendOnly('notification_resend')}

-- The last attempts at the hosts of each merchant's notifications. Kept for 30 days after the last attempt.
create table host_health (
  merchant_id text,
  host text,
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_error text,
  last_http_status integer,
  last_attempt_at timestamptz(3) not null,
  primary key (merchant_id, host)
) with (fillfactor = 80);
`;

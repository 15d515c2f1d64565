import { Migration } from '@mikro-orm/migrations';

/**
 * Delivery of notifications: host backlogs, pauses of merchants, rounds of attempts, and resends with a request key.
 */
export class Delivery extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
alter table merchant add column notifications_paused boolean not null default false;

alter table notification
  -- Name and port that it goes to; empty where an older release wrote the row, and then nothing limits it.
  add column host text not null default '',
  -- What keeps a due one off the schedule: the line at its host, or the pause of its merchant.
  add column held_by text check (held_by in ('host', 'pause')),
  -- Attempts of earlier rounds: a resend begins another round of the schedule.
  add column earlier_attempts integer not null default 0,
  add check (held_by is null or state = 'pending'),
  add check (earlier_attempts between 0 and attempt);
update notification set host = lower(regexp_replace(substring(url from '^[a-zA-Z]+://([^/?#]+)'), '\\.?(:[0-9]+)?$', ''))
  || coalesce(substring(url from '^[a-zA-Z]+://[^/?#]+(:[0-9]+)([/?#]|$)'), case when url ~* '^https' then ':443' else ':80' end);

-- What is due, first attempts and retries apart, so that no backlog of the one hides the other; then the lines, and what is paused.
drop index notification_due;
create index notification_due_first on notification (next_attempt_at) where state = 'pending' and held_by is null and attempt = 0;
create index notification_due_retry on notification (next_attempt_at) where state = 'pending' and held_by is null and attempt > 0;
create index notification_in_line on notification (host, merchant_id, (attempt > 0), next_attempt_at) where held_by = 'host';
create index notification_paused on notification (merchant_id, next_attempt_at) where held_by = 'pause';
-- Only for whoever says this condition, which is always true: on a small table the planner would take it for look-ups by key, and keep that plan.
create index notification_by_time on notification (merchant_id, created_at) where body <> '';

-- A request to resend, under a key of whoever asks: the same key again resends nothing.
create table notification_resend (
  merchant_id text not null references merchant,
  request_key text not null check (octet_length(request_key) between 1 and 64),
  -- What was asked for, as JSON.
  asked jsonb not null,
  matched integer not null check (matched >= 0),
  put_back integer not null check (put_back between 0 and matched),
  requested_by text not null,
  requested_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, request_key)
);
create trigger append_only before update or delete on notification_resend for each row execute function refuse_change();
create trigger append_only_whole before truncate on notification_resend for each statement execute function refuse_change();
`;

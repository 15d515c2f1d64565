import { Migration } from '@mikro-orm/migrations';

/**
 * Saved views and preferences of operators. Also allows wiping the secrets of approvals that ended without a decision.
 */
export class ConsoleSettings extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table saved_view (
  view_id uuid primary key,
  owner_id text not null references operator,
  screen text not null check (screen ~ '^[a-z_]{1,40}$'),
  name text not null check (length(name) between 1 and 80),
  query text not null check (length(query) <= 2000),
  shared boolean not null,
  changed_at timestamptz(3) not null default clock_timestamp(),
  constraint saved_view_name unique (owner_id, screen, name)
);
create index saved_view_shared on saved_view (screen, name) where shared;

create table operator_preferences (
  operator_id text primary key references operator,
  time_zone text not null check (length(time_zone) <= 64),
  colour_scheme text not null check (colour_scheme in ('light', 'dark', 'system')),
  -- Per screen the names of its columns, in their order.
  columns jsonb not null check (length(columns::text) <= 32000)
);

-- What was asked for never changes, and what was decided stays decided. Once it is over its secrets may go.
create or replace function refuse_second_decision() returns trigger language plpgsql as $$
begin
  if new.secrets is null and (old.state <> 'pending' or old.expires_at <= clock_timestamp())
    and to_jsonb(new) - 'secrets' = to_jsonb(old) - 'secrets' then
    return new;
  end if;
  if old.state <> 'pending' or new.state = 'pending'
    or (new.operation, new.subject, new.input, new.asked_by, new.reason, new.asked_at, new.expires_at)
      is distinct from (old.operation, old.subject, old.input, old.asked_by, old.reason, old.asked_at, old.expires_at) then
    raise exception 'approval %: it is decided once, and never changed', old.approval_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
`;

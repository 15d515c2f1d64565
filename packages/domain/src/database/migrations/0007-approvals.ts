import { Migration } from '@mikro-orm/migrations';

/** Approvals by a second operator, restrictions of operators to countries and merchants, and the last use of tokens. */
export class Approvals extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
alter table operator
  -- Null: not restricted.
  add column countries text[] check (countries <@ array['CN', 'TH', 'IN', 'PK'] and cardinality(countries) > 0),
  add column merchant_ids text[] check (cardinality(merchant_ids) between 1 and 1000),
  -- Who they are to an identity provider: its issuer and their subject there.
  add column external_id text unique;
alter table operator_token add column last_used_at timestamptz(3);
create index operator_token_of on operator_token (operator_id);

create table approval (
  -- Of a merchant, or of the tenant PLATFORM for what concerns all of them.
  merchant_id text not null references merchant,
  approval_id text not null,
  operation text not null,
  subject text not null,
  input jsonb not null,
  asked_by text not null,
  reason text not null check (reason <> ''),
  asked_at timestamptz(3) not null,
  expires_at timestamptz(3) not null check (expires_at > asked_at),
  -- One that is pending when its time is over counts as expired.
  state text not null default 'pending' check (state in ('pending', 'executed', 'rejected', 'failed')),
  decided_by text check (decided_by <> asked_by),
  decided_at timestamptz(3),
  outcome text,
  primary key (merchant_id, approval_id),
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'pending') = (decided_by is null))
);
create index approval_by_id on approval (approval_id);
create index approval_pending on approval (asked_at) where state = 'pending';

-- What was asked for never changes, and what was decided stays decided.
create function refuse_second_decision() returns trigger language plpgsql as $$
begin
  if old.state <> 'pending' or new.state = 'pending'
    or (new.operation, new.subject, new.input, new.asked_by, new.reason, new.asked_at, new.expires_at)
      is distinct from (old.operation, old.subject, old.input, old.asked_by, old.reason, old.asked_at, old.expires_at) then
    raise exception 'approval %: it is decided once, and never changed', old.approval_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger decided_once before update on approval for each row execute function refuse_second_decision();
create trigger no_delete before delete on approval for each row execute function refuse_change();
create trigger no_delete_whole before truncate on approval for each statement execute function refuse_change();
`;

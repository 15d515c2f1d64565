import { Migration } from '@mikro-orm/migrations';

/** The version that the requester of an approval saw. It is compared again when the approval is executed. */
export class ExpectedVersions extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- Of configuration only. 'new': it did not exist. Null: it is not checked, also for requests of the version before.
alter table approval add column expected_version text;

-- What was asked for never changes, and what was decided stays decided. Once it is over its secrets may go.
create or replace function refuse_second_decision() returns trigger language plpgsql as $$
begin
  if new.secrets is null and (old.state <> 'pending' or old.expires_at <= clock_timestamp())
    and to_jsonb(new) - 'secrets' = to_jsonb(old) - 'secrets' then
    return new;
  end if;
  if old.state <> 'pending' or new.state = 'pending'
    or (new.operation, new.subject, new.input, new.asked_by, new.reason, new.asked_at, new.expires_at, new.expected_version)
      is distinct from (old.operation, old.subject, old.input, old.asked_by, old.reason, old.asked_at, old.expires_at, old.expected_version) then
    raise exception 'approval %: it is decided once, and never changed', old.approval_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
`;

import { Migration } from '@mikro-orm/migrations';

/**
 * The time at which each secret of a channel was set. The previous version sets all secrets without a time; it is then
 * unknown.
 */
export class CredentialTimes extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- By the names of the secrets: times as text. Null: not known.
alter table channel add column credentials_set_at jsonb;

create function clear_credential_times() returns trigger language plpgsql as $$
begin
  new.credentials_set_at := null;
  return new;
end $$;
create trigger credential_times before update of credentials on channel for each row
  when (old.credentials is distinct from new.credentials and old.credentials_set_at is not distinct from new.credentials_set_at)
  execute function clear_credential_times();
`;

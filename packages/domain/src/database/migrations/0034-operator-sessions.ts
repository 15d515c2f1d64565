import { Migration } from '@mikro-orm/migrations';

/** Sessions of the operators' console (docs/adr/0017-sessions-of-the-console.md). */
export class OperatorSessions extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table operator_session (
  -- The SHA-256 of a random id that only the browser's cookie holds.
  session_hash text primary key check (session_hash ~ '^[0-9a-f]{64}$'),
  operator_id text not null references operator,
  -- What it was begun with: a token of ours, or an identity of the identity provider.
  token_hash text references operator_token,
  external_id text,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  -- Written at most once a minute.
  last_used_at timestamptz(3) not null default clock_timestamp(),
  constraint operator_session_begun_with check (num_nonnulls(token_hash, external_id) = 1)
);
create index operator_session_of on operator_session (operator_id);
create index operator_session_end on operator_session (expires_at);
`;

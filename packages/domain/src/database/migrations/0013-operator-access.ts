import { Migration } from '@mikro-orm/migrations';

/**
 * Access of operators: invitations, amounts that an operator has moved alone in a day, what the identity provider last
 * said about a person, and withdrawn approvals.
 */
export class OperatorAccess extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
alter table operator
  -- The roles that the identity provider named when it last let this person in, and when that was.
  add column identity_roles text[],
  add column identity_seen_at timestamptz(3);

create table operator_invitation (
  -- The beginning of the code's hash, as with tokens.
  invitation_id text primary key,
  operator_id text not null references operator,
  code_hash text not null check (code_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null check (expires_at > created_at),
  -- Until when the token that it gives lets in; null: until it is revoked.
  token_expires_at timestamptz(3),
  wrong_tries integer not null default 0,
  redeemed_at timestamptz(3),
  -- It was taken back, or guessed at too often.
  ended_at timestamptz(3)
);
create index operator_invitation_of on operator_invitation (operator_id);

-- How much money an operator moved without a second one, by UTC day and currency.
create table operator_day (
  operator_id text not null,
  day date not null,
  currency text not null,
  amount numeric(18, 2) not null default 0 check (amount >= 0),
  primary key (operator_id, day, currency)
);

-- What is there met the stricter constraints of before, so that nothing is to be validated.
alter table approval
  -- Secrets of the input, sealed; gone once it is decided.
  add column secrets bytea,
  drop constraint approval_state_check,
  drop constraint approval_check1,
  add constraint approval_state check (state in ('pending', 'executed', 'rejected', 'failed', 'withdrawn')) not valid,
  -- Another operator decides; the one who asked can only withdraw.
  add constraint approval_decider check (decided_by is null or (decided_by = asked_by) = (state = 'withdrawn')) not valid;
`;

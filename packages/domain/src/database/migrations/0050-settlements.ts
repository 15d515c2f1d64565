import { Migration } from '@mikro-orm/migrations';

/** Settlement cycles, bank accounts and settlements of merchants (ADR 0022). Also the case of a failed settlement. */
export class Settlements extends Migration {
  // The wider check of cases is validated without blocking the opening of cases. Each statement may run again after a
  // crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const caseKinds = `'late', 'double', 'wrong_amount', 'parts_of_unpaid', 'unmatched', 'payout_returned', 'payout_paid_again',
  'payout_wrong_amount', 'payout_underpaid', 'contradiction', 'settlement_failed'`;

const statements = [
  `create table if not exists settlement_account (
    merchant_id text not null references merchant,
    account_id text not null,
    sealed bytea not null,
    -- The last characters of the number, so that people can tell accounts apart.
    ending text not null check (length(ending) between 1 and 4),
    created_at timestamptz(3) not null default clock_timestamp(),
    primary key (merchant_id, account_id)
  )`,
  `create table if not exists settlement_cycle (
    merchant_id text primary key references merchant,
    working_days integer not null check (working_days between 1 and 30),
    weekdays text[] not null check (weekdays <@ array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] and cardinality(weekdays) between 1 and 7),
    minimum numeric(14, 2) not null check (minimum >= 0),
    keep numeric(14, 2) not null check (keep >= 0),
    begins_on date not null,
    account_id text,
    foreign key (merchant_id, account_id) references settlement_account
  )`,
  `create table if not exists settlement (
    merchant_id text not null references merchant,
    seq bigint not null check (seq > 0),
    settlement_no text not null check (length(settlement_no) between 1 and 35),
    state text not null check (state in ('draft', 'approved', 'paid', 'confirmed', 'failed')),
    currency text not null,
    version integer not null,
    run_day date not null,
    cut_off date not null check (cut_off < run_day),
    opening numeric(18, 2) not null,
    sums jsonb not null,
    closing numeric(18, 2) not null,
    pending numeric(18, 2) not null check (pending >= 0),
    keep numeric(14, 2) not null,
    amount numeric(18, 2) not null check (amount between 0 and greatest(closing - keep, 0)),
    settled_before jsonb not null,
    settled_days jsonb not null,
    scan_after bigint not null,
    after_entry_no bigint not null,
    through_entry_no bigint not null,
    pending_after bigint not null,
    account_id text,
    reference text check (length(reference) between 1 and 128),
    case_no bigint,
    drafted_at timestamptz(3) not null,
    approved_at timestamptz(3),
    paid_at timestamptz(3),
    confirmed_at timestamptz(3),
    failed_at timestamptz(3),
    primary key (merchant_id, seq),
    unique (merchant_id, settlement_no),
    foreign key (merchant_id, account_id) references settlement_account,
    check ((state = 'draft') = (approved_at is null)),
    check (state = 'draft' or (amount > 0 and account_id is not null)),
    check ((state = 'failed') = (failed_at is not null and case_no is not null))
  )`,
  'create index if not exists settlement_at on settlement (drafted_at, merchant_id, seq)',
  `create index if not exists settlement_open on settlement (state, drafted_at) where state in ('draft', 'approved', 'paid')`,
  `create or replace function refuse_settlement_change() returns trigger language plpgsql as $$
  begin
    -- What two operators approved never changes, and a settlement never goes back.
    if old.state <> 'draft' and (to_jsonb(new) - array['state', 'reference', 'case_no', 'paid_at', 'confirmed_at', 'failed_at'])
        is distinct from (to_jsonb(old) - array['state', 'reference', 'case_no', 'paid_at', 'confirmed_at', 'failed_at'])
      or (old.state, new.state) not in (('draft', 'draft'), ('draft', 'approved'), ('approved', 'paid'), ('approved', 'confirmed'),
        ('paid', 'confirmed'), ('approved', 'failed'), ('paid', 'failed'), ('confirmed', 'failed')) then
      raise exception 'settlement % cannot become %', old.settlement_no, new.state using errcode = 'restrict_violation';
    end if;
    return new;
  end $$`,
  'create or replace trigger settlement_goes_on before update on settlement for each row execute function refuse_settlement_change()',
  'create or replace trigger no_delete before delete on settlement for each row execute function refuse_change()',
  'create or replace trigger no_delete_whole before truncate on settlement for each statement execute function refuse_change()',
  'create or replace trigger no_delete before delete on settlement_account for each row execute function refuse_change()',
  'create or replace trigger no_delete_whole before truncate on settlement_account for each statement execute function refuse_change()',
  `create or replace function is_configuration_change(action text) returns boolean immutable language sql as $$
    select action = any (array['createMerchant', 'setMerchant', 'setMerchantStatus', 'pauseNotifications', 'resumeNotifications',
      'addMerchantKey', 'retireMerchantKey', 'rotateServiceKey', 'useOwnServiceKey', 'endCommonServiceKey',
      'setFeeRule', 'removeFeeRule', 'setRoute', 'removeRoute', 'setChannel', 'setChannelEnabled', 'mapBank',
      'createFirstOperator', 'createOperator', 'createOperatorOfIdentity', 'changeOperator', 'setOperatorEnabled',
      'inviteOperator', 'redeemInvitation', 'revokeOperatorTokens', 'linkIdentity', 'unlinkIdentity', 'changeSecret',
      'setSettlementCycle', 'removeSettlementCycle'])
  $$`,
  `alter table money_case drop constraint if exists money_case_kind_check,
     add constraint money_case_kind_check check (kind in (${caseKinds})) not valid`,
  'alter table money_case validate constraint money_case_kind_check',
];

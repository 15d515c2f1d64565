import { Migration } from '@mikro-orm/migrations';
import { makeConcurrently } from './concurrent-indexes.ts';

/**
 * Bank files of settlements (ADR 0022). The previous version does not use them. A settlement that it claims is in no
 * file, and files of other settlements stay unchanged.
 */
export class SettlementFiles extends Migration {
  // The index is created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of statements) this.addSql(statement);
    for (const statement of makeConcurrently(index, [])) this.addSql(statement);
  }
}

const index = {
  name: 'settlement_of_file',
  table: 'settlement',
  what: '(file_no, merchant_id, seq) where file_no is not null',
};

const changeable = `array['state', 'reference', 'case_no', 'paid_at', 'confirmed_at', 'failed_at', 'file_no']`;

const statements = [
  `create table if not exists settlement_file (
    -- The platform's tenant of the country.
    merchant_id text not null references merchant,
    file_no text not null check (file_no ~ '^SF[A-Z]{2}[0-9]{6,}$'),
    state text not null check (state in ('open', 'ready')),
    currency text not null,
    -- The account that pays.
    account_id text not null,
    execution_day date not null,
    settlements integer not null default 0,
    total numeric(24, 2) not null default 0,
    sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
    created_by text not null,
    created_at timestamptz(3) not null default clock_timestamp(),
    primary key (merchant_id, file_no),
    foreign key (merchant_id, account_id) references settlement_account,
    check ((state = 'ready') = (sha256 is not null)),
    check (state = 'open' or settlements > 0)
  )`,
  "create unique index if not exists settlement_file_open on settlement_file (merchant_id) where state = 'open'",
  'create index if not exists settlement_file_at on settlement_file (created_at, merchant_id, file_no)',
  'create or replace trigger no_delete before delete on settlement_file for each row execute function refuse_change()',
  'create or replace trigger no_delete_whole before truncate on settlement_file for each statement execute function refuse_change()',
  'alter table settlement add column if not exists file_no text',
  `create or replace function refuse_settlement_change() returns trigger language plpgsql as $$
  begin
    -- What two operators approved never changes, and a settlement never goes back.
    if old.state <> 'draft' and (to_jsonb(new) - ${changeable}) is distinct from (to_jsonb(old) - ${changeable})
      or (old.state, new.state) not in (('draft', 'draft'), ('draft', 'approved'), ('approved', 'paid'), ('approved', 'confirmed'),
        ('paid', 'confirmed'), ('approved', 'failed'), ('paid', 'failed'), ('confirmed', 'failed')) then
      raise exception 'settlement % cannot become %', old.settlement_no, new.state using errcode = 'restrict_violation';
    end if;
    -- A claim puts it into one file, as long as that is not ready. The lock keeps the file open until the claim is written.
    if new.file_no is distinct from old.file_no then
      perform from settlement_file f where f.file_no = new.file_no and f.state = 'open' for share;
      if not found or old.file_no is not null or (old.state, new.state) <> ('approved', 'paid') then
        raise exception 'settlement % cannot enter the file %', old.settlement_no, new.file_no using errcode = 'restrict_violation';
      end if;
    end if;
    return new;
  end $$`,
];

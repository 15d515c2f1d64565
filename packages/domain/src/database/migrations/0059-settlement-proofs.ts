import { Migration } from '@mikro-orm/migrations';
import { makeConcurrently } from './concurrent-indexes.ts';

/**
 * Lines of bank statements that prove settlements (ADR 0022). The previous version does not use these columns. Its
 * breaks name no settlement, and operators confirm settlements by hand as before.
 */
export class SettlementProofs extends Migration {
  // The indexes are created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of statements) this.addSql(statement);
    for (const index of indexes) for (const statement of makeConcurrently(index, [])) this.addSql(statement);
    for (const index of unique)
      for (const statement of makeConcurrently(index, []))
        this.addSql(statement.replace('create index', 'create unique index'));
  }
}

const indexes = [
  {
    name: 'reconciliation_break_named',
    table: 'reconciliation_break',
    what: "(merchant_id, break_no) where names is not null and state = 'open'",
  },
];

/**
 * `matched_line` has one break per line. So a line belongs to at most one merchant, and an index per merchant is
 * enough.
 */
const unique = ['debit', 'return'].map((line) => ({
  name: `settlement_${line}_line`,
  table: 'settlement',
  what: `(merchant_id, ${line}_line) where ${line}_line is not null`,
}));

const changeable = `array['state', 'reference', 'case_no', 'paid_at', 'confirmed_at', 'failed_at', 'file_no', 'debit_line', 'return_line']`;

const statements = [
  // The line is written as file/row/part, in a statement of the country's tenant.
  'alter table settlement add column if not exists debit_line text, add column if not exists return_line text',
  'alter table settlement_file add column if not exists debit_line text',
  // The settlement or bank file that the line of a break names. Null if it names none, or several.
  'alter table reconciliation_break add column if not exists names text',
  `create or replace function refuse_settlement_change() returns trigger language plpgsql as $$
  begin
    -- What two operators approved never changes, and a settlement never goes back.
    if old.state <> 'draft' and (to_jsonb(new) - ${changeable}) is distinct from (to_jsonb(old) - ${changeable})
      or (old.state, new.state) not in (('draft', 'draft'), ('draft', 'approved'), ('approved', 'paid'), ('approved', 'confirmed'),
        ('paid', 'confirmed'), ('approved', 'failed'), ('paid', 'failed'), ('confirmed', 'failed'), ('confirmed', 'confirmed'), ('failed', 'failed')) then
      raise exception 'settlement % cannot become %', old.settlement_no, new.state using errcode = 'restrict_violation';
    end if;
    -- After its end it only gets the lines that prove it.
    if old.state = new.state and old.state <> 'draft' and (to_jsonb(new) - array['debit_line', 'return_line'])
        is distinct from (to_jsonb(old) - array['debit_line', 'return_line']) then
      raise exception 'settlement % cannot become %', old.settlement_no, new.state using errcode = 'restrict_violation';
    end if;
    -- A line that proves it stays.
    if new.debit_line is distinct from old.debit_line and (old.debit_line is not null or new.state not in ('confirmed', 'failed'))
      or new.return_line is distinct from old.return_line and (old.return_line is not null or new.state <> 'failed') then
      raise exception 'settlement % has another line', old.settlement_no using errcode = 'restrict_violation';
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

import { Migration } from '@mikro-orm/migrations';
import { makeConcurrently } from './concurrent-indexes.ts';

/**
 * Settlements that are paid through a channel (ADR 0022). The previous version does not write these columns. If it
 * confirms or fails such a settlement, this version still queries the channel.
 */
export class SettlementsByChannel extends Migration {
  // The indexes are created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of statements) this.addSql(statement);
    for (const statement of makeConcurrently(due, [])) this.addSql(statement);
    for (const statement of makeConcurrently(named, [])) this.addSql(statement);
    for (const statement of makeConcurrently(once, []))
      this.addSql(statement.replace('create index', 'create unique index'));
  }
}

const due = {
  name: 'settlement_due_by_channel',
  table: 'settlement',
  what: '(channel_id, next_action_at) where next_action_at is not null',
};
/** A statement names a payment only by its number. */
const named = { name: 'settlement_payment_no', table: 'settlement', what: '(payment_no) where payment_no is not null' };
const once = {
  name: 'settlement_payment_once',
  table: 'settlement',
  what: '(merchant_id, payment_no) where payment_no is not null',
};

/** Columns that change with each call of the channel, even after the settlement has ended. */
const ofCalls = `'channel_ref', 'answer', 'next_action', 'next_action_at', 'attempt', 'command_id', 'transfer_no'`;
const ofProofs = `'debit_line', 'return_line'`;
const changeable = `array['state', 'reference', 'case_no', 'paid_at', 'confirmed_at', 'failed_at', 'file_no', 'channel_id', 'payment_no',
      'channel_bank_code', 'return_transfer_no', ${ofProofs}, ${ofCalls}]`;

const statements = [
  `alter table settlement add column if not exists channel_id text,
    add column if not exists payment_no text,
    add column if not exists channel_bank_code text,
    add column if not exists channel_ref text,
    add column if not exists answer text,
    add column if not exists next_action text,
    add column if not exists next_action_at timestamptz(3),
    add column if not exists attempt integer not null default 0,
    add column if not exists command_id uuid,
    add column if not exists transfer_no bigint,
    add column if not exists return_transfer_no bigint`,
  // Not validated, because no row has values in these columns yet.
  `alter table settlement drop constraint if exists settlement_of_channel, add constraint settlement_of_channel check (
    (channel_id is null) = (payment_no is null)
    -- It is paid by a file or by a channel.
    and (payment_no is null or (file_no is null and state in ('paid', 'confirmed', 'failed')))
    and (payment_no is not null or (transfer_no is null and return_transfer_no is null and next_action is null))
    and (return_transfer_no is null or (transfer_no is not null and state = 'failed'))
    -- The line of a statement and the channel do not both pay it.
    and (transfer_no is null or debit_line is null)
    and (next_action in ('send', 'query')) is not false and (next_action is null) = (next_action_at is null)
    and (next_action is distinct from 'send' or state = 'paid')) not valid`,
  `create or replace function refuse_settlement_change() returns trigger language plpgsql as $$
  begin
    -- What two operators approved never changes, and a settlement never goes back.
    if old.state <> 'draft' and (to_jsonb(new) - ${changeable}) is distinct from (to_jsonb(old) - ${changeable})
      or (old.state, new.state) not in (('draft', 'draft'), ('draft', 'approved'), ('approved', 'paid'), ('approved', 'confirmed'), ('paid', 'paid'),
        ('paid', 'confirmed'), ('approved', 'failed'), ('paid', 'failed'), ('confirmed', 'failed'), ('confirmed', 'confirmed'), ('failed', 'failed')) then
      raise exception 'settlement % cannot become %', old.settlement_no, new.state using errcode = 'restrict_violation';
    end if;
    -- In one state it only gets what its channel says, and after its end the lines that prove it.
    if old.state = new.state and old.state <> 'draft' and (to_jsonb(new) - array[${ofProofs}, ${ofCalls}])
        is distinct from (to_jsonb(old) - array[${ofProofs}, ${ofCalls}]) then
      raise exception 'settlement % cannot become %', old.settlement_no, new.state using errcode = 'restrict_violation';
    end if;
    -- A line that proves it stays, and so does what its channel moved.
    if new.debit_line is distinct from old.debit_line and (old.debit_line is not null or new.state not in ('confirmed', 'failed'))
      or new.return_line is distinct from old.return_line and (old.return_line is not null or new.state <> 'failed')
      or new.transfer_no is distinct from old.transfer_no and (old.transfer_no is not null or new.state not in ('confirmed', 'failed')) then
      raise exception 'settlement % has another line', old.settlement_no using errcode = 'restrict_violation';
    end if;
    -- One claim says who pays it.
    if (new.channel_id, new.payment_no) is distinct from (old.channel_id, old.payment_no)
        and (old.payment_no is not null or (old.state, new.state) <> ('approved', 'paid')) then
      raise exception 'settlement % cannot be paid by %', old.settlement_no, new.channel_id using errcode = 'restrict_violation';
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

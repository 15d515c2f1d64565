import { Migration } from '@mikro-orm/migrations';

/**
 * Refunds of cases through the channel (ADR 0019). A case with a refund in progress stays `open`, so that the previous
 * version can read and audit it. A trigger refuses that version's decisions about such a case.
 */
export class Refunds extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table refund (
  merchant_id text not null,
  refund_no text not null,
  case_no bigint not null,
  channel_id text not null,
  -- The order number and the reference by which the channel knows the payment.
  order_no text not null,
  reference text not null check (length(reference) between 1 and 128),
  currency text not null,
  amount numeric(14, 2) not null check (amount > 0),
  reason text not null,
  state text not null check (state in ('requested', 'accepted', 'refunded', 'failed')),
  refund_ref text check (length(refund_ref) between 1 and 128),
  answer text,
  next_action text check (next_action in ('send', 'query')),
  next_action_at timestamptz(3),
  attempt integer not null,
  sends integer not null,
  -- Of a failed refund: its money left after it had failed.
  transfer_no bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  ended_at timestamptz(3),
  command_id uuid,
  primary key (merchant_id, refund_no),
  check ((state in ('requested', 'accepted')) = (next_action_at is not null)),
  check ((next_action is null) = (next_action_at is null)),
  check ((ended_at is null) = (next_action_at is not null)),
  check (state <> 'refunded' or transfer_no is not null)
);
-- A case has one refund that is under way or that returned its money, and a transfer books one refund.
create unique index refund_once on refund (merchant_id, case_no) where state <> 'failed';
create unique index refund_transfer on refund (merchant_id, transfer_no) where transfer_no is not null;
create index refund_of_case on refund (merchant_id, case_no, created_at);
create index refund_due on refund (next_action_at) where next_action_at is not null;
create trigger no_delete before delete on refund for each row execute function refuse_change();
create trigger no_delete_whole before truncate on refund for each statement execute function refuse_change();

create function refuse_decision_while_refunding() returns trigger language plpgsql as $$
declare
  found_state text := (select state from refund r where r.merchant_id = old.merchant_id and r.refund_no = old.refund_no);
begin
  -- Its own refund returns the case. After a failed one it is free again, for whatever the same transaction decides then.
  if (new.refund_no is not distinct from old.refund_no and new.state = 'returned' and found_state = 'refunded')
    or (new.refund_no is distinct from old.refund_no and old.state = 'open' and found_state = 'failed') then
    return new;
  end if;
  raise exception 'case % of %: refund % is %', old.case_no, old.merchant_id, old.refund_no, found_state using errcode = 'check_violation';
end $$;

-- Not validated: the rows there are were checked by the narrower constraint.
alter table channel_call drop constraint channel_call_operation_check,
  add constraint channel_call_operation_check check (operation in ('create', 'query', 'cancel', 'callback', 'refund', 'query_refund')) not valid;

-- Last, because these locks would hold up decisions about cases.
alter table money_case add column refund_no text, add column payment_order_no text;
create trigger decision_while_refunding before update on money_case for each row
  when (old.refund_no is not null and (old.state, old.refund_no) is distinct from (new.state, new.refund_no))
  execute function refuse_decision_while_refunding();
`;

import { Migration } from '@mikro-orm/migrations';

/**
 * Adds transfers, payments, transitions and new orders to a hash chain of their merchant, one link for each transaction
 * of the ledger writer. Rows without `batch_no` are older, or the previous version wrote them during the upgrade.
 */
export class LedgerChain extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table ledger_batch (
  merchant_id text not null,
  batch_no bigint not null,
  at timestamptz(3) not null,
  -- The rows that the hash covers, in its order: o: orders, s: transitions, p: payments, t: transfers.
  rows text[] not null,
  hash text not null,
  primary key (merchant_id, batch_no)
);
create trigger append_only before update or delete on ledger_batch for each row execute function refuse_change();
create trigger append_only_whole before truncate on ledger_batch for each statement execute function refuse_change();

alter table wallet add column last_batch_no bigint not null default 0,
  add column last_batch_hash text not null default '0000000000000000000000000000000000000000000000000000000000000000';
alter table orders add column batch_no bigint;
alter table order_transition add column batch_no bigint;
alter table payment add column batch_no bigint;
alter table transfer add column batch_no bigint;

-- Since when every row has to be in the chain; null as long as the version before may still write.
create table ledger_chain (
  chain text primary key check (chain = 'ledger'),
  began_at timestamptz(3) not null,
  required_since timestamptz(3),
  -- When all rows from before that were sealed.
  sealed_at timestamptz(3)
);
-- Where nothing was written yet no version before can be at work: required from the start, and nothing to seal.
insert into ledger_chain (chain, began_at) values ('ledger', clock_timestamp());
update ledger_chain set required_since = began_at, sealed_at = began_at where not exists (select from orders) and not exists (select from transfer);

-- What a merchant's rows without a batch came to when they were sealed, table by table.
create table ledger_seal (
  merchant_id text not null,
  table_name text not null,
  required_since timestamptz(3) not null,
  rows bigint not null,
  hash text not null,
  sealed_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, table_name, required_since)
);
create trigger append_only before update or delete on ledger_seal for each row execute function refuse_change();
create trigger append_only_whole before truncate on ledger_seal for each statement execute function refuse_change();

-- What was found right stays as it was found: a checkpoint only moves forward, and is never deleted. What the version before does not know of stays.
create function refuse_rewritten_checkpoint() returns trigger language plpgsql as $$
declare chain text[];
begin
  new.position := old.position || new.position;
  foreach chain slice 1 in array array[['entryNo', 'entryHash'], ['transferNo', 'transferNo'], ['auditNo', 'auditHash'], ['batchNo', 'batchHash']] loop
    if (new.position ->> chain[1])::bigint < (old.position ->> chain[1])::bigint
      or ((new.position ->> chain[1]) = (old.position ->> chain[1]) and (new.position ->> chain[2]) <> (old.position ->> chain[2])) then
      raise exception 'audit_checkpoint of % only moves forward', old.merchant_id using errcode = 'restrict_violation';
    end if;
  end loop;
  return new;
end $$;
create trigger only_forward before update on audit_checkpoint for each row execute function refuse_rewritten_checkpoint();
create trigger no_delete before delete on audit_checkpoint for each row execute function refuse_change();
create trigger no_delete_whole before truncate on audit_checkpoint for each statement execute function refuse_change();
`;

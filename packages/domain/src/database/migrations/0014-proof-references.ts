import { Migration } from '@mikro-orm/migrations';

/** A bank reference can prove only one payout of the task market in its country, whichever program writes the proof. */
export class ProofReferences extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table proof_reference (
  country text not null,
  -- In capital letters and digits alone: people type the same reference in several ways.
  reference text not null,
  -- Over all merchants, so that it is no merchant's row.
  owner text not null,
  order_no text not null,
  primary key (country, reference)
);
create function plain_reference(typed text) returns text language sql immutable as $$
  select coalesce(nullif(upper(regexp_replace(typed, '[^[:alnum:]]', '', 'g')), ''), typed)
$$;
-- Of two old proofs with one reference the first has it.
insert into proof_reference
  select country, plain_reference(task->'proof'->>'reference'), merchant_id, order_no from orders
  where kind = 'payout' and mode = 'market' and task->'proof'->>'reference' is not null
  order by (task->'proof'->>'at')::float8
  on conflict do nothing;

create function keep_proof_reference() returns trigger language plpgsql as $$
declare
  plain text := plain_reference(new.task->'proof'->>'reference');
begin
  insert into proof_reference values (new.country, plain, new.merchant_id, new.order_no) on conflict do nothing;
  if not exists (select from proof_reference r where r.country = new.country and r.reference = plain
      and r.owner = new.merchant_id and r.order_no = new.order_no) then
    raise exception 'order %: its proof has the reference of another', new.order_no
      using errcode = 'unique_violation', constraint = 'proof_reference_pkey';
  end if;
  return new;
end $$;
create trigger proof_reference_once before update on orders for each row
  when (new.task is distinct from old.task and new.task->'proof'->>'reference' is not null) execute function keep_proof_reference();
`;

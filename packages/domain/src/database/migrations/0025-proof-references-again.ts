import { Migration } from '@mikro-orm/migrations';

/**
 * A reference of the task market belongs to the payout whose proof is accepted or undecided. Rejecting the proof
 * releases the reference, because it may be the correct one of another payout.
 */
export class ProofReferencesAgain extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create or replace function take_reference(of_country text, typed text, of_owner text, of_order text) returns void language plpgsql as $$
declare
  plain text := plain_reference(typed);
  holder proof_reference;
begin
  -- Waits for whoever is taking it in another transaction.
  insert into proof_reference values (of_country, plain, of_owner, of_order) on conflict do nothing;
  -- Of two that want it from the one that gave it free the second waits here, and then sees what the first one wrote.
  select r.* into strict holder from proof_reference r where r.country = of_country and r.reference = plain for update;
  if (holder.owner, holder.order_no) = (of_owner, of_order) then
    return;
  end if;
  if exists (select from orders o where o.merchant_id = holder.owner and o.order_no = holder.order_no
      and (o.kind = 'payin' or plain_reference(o.task->'proof'->>'reference') = plain)) then
    raise exception 'order %: its bank reference stands for another transfer', of_order
      using errcode = 'unique_violation', constraint = 'proof_reference_pkey';
  end if;
  update proof_reference r set owner = of_owner, order_no = of_order where r.country = of_country and r.reference = plain;
end $$;
`;

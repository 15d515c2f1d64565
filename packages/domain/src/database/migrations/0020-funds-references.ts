import { Migration } from '@mikro-orm/migrations';

/**
 * A bank reference belongs to one transfer in its country. So it can confirm the funds of only one payin, whichever
 * program writes the confirmation, including the previous version. Each statement is separate, and can run again.
 */
export class FundsReferences extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

/** If two old confirmations have the same reference, the first one keeps it. */
const takeOld = `insert into proof_reference
  select o.country, plain_reference(r.reference), o.merchant_id, o.order_no
  from (select merchant_id, subject, at, case when detail is json object then detail::jsonb->>'reference' end as reference
    from audit_record where action = 'confirmFunds') as r
  join orders o on o.merchant_id = r.merchant_id and o.order_no = r.subject
  where r.reference is not null order by r.at
  on conflict do nothing`;

export const statements = [
  // The same rule as `plainReference` of the core. It does not depend on a locale.
  String.raw`create or replace function plain_reference(typed text) returns text language sql immutable as $$
    select coalesce(nullif(regexp_replace(upper(normalize(typed, NFKC) collate "C"),
      '[^A-Z0-9\u0080-\U0010ffff]|[\u0080-\u00a9\u00ab-\u00b4\u2000-\u206f\u2212\u3000-\u303f\ufeff]', '', 'g'), ''), typed)
  $$`,
  `create or replace function take_reference(of_country text, typed text, of_owner text, of_order text) returns void language plpgsql as $$
  declare
    plain text := plain_reference(typed);
  begin
    -- Waits for whoever is taking it in another transaction.
    insert into proof_reference values (of_country, plain, of_owner, of_order) on conflict do nothing;
    if not exists (select from proof_reference r where r.country = of_country and r.reference = plain
        and r.owner = of_owner and r.order_no = of_order) then
      raise exception 'order %: its bank reference stands for another transfer', of_order
        using errcode = 'unique_violation', constraint = 'proof_reference_pkey';
    end if;
  end $$`,
  `create or replace function keep_proof_reference() returns trigger language plpgsql as $$
  begin
    perform take_reference(new.country, new.task->'proof'->>'reference', new.merchant_id, new.order_no);
    return new;
  end $$`,
  `create or replace function keep_funds_reference() returns trigger language plpgsql as $$
  declare
    typed text := new.detail::jsonb->>'reference';
  begin
    -- Confirmed with it before there was this rule: said once more.
    if exists (select from payment p where p.merchant_id = new.merchant_id and p.order_no = new.subject
        and p.received_at < new.at and plain_reference(p.reference) = plain_reference(typed)) then
      return new;
    end if;
    perform take_reference(o.country, typed, o.merchant_id, o.order_no) from orders o
      where o.merchant_id = new.merchant_id and o.order_no = new.subject;
    if not found then raise exception 'funds are confirmed for order %, which is not there', new.subject; end if;
    return new;
  end $$`,
  takeOld,
  // The trigger is on the audit record of the decision. `payment` would be the wrong table: most of its rows come from
  // channels and have no bank reference.
  `create or replace trigger funds_reference_once before insert on audit_record for each row
    when (new.action = 'confirmFunds') execute function keep_funds_reference()`,
  // Once more, for confirmations that were written since the first time.
  takeOld,
];

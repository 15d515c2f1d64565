import { Migration } from '@mikro-orm/migrations';

/**
 * Triggers that refuse wrong changes by any program: changes of history, impossible transitions, and changes of an
 * order's number, amount or fee.
 */
export class Guards extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

/** The transitions as they were when this migration was written. A later migration adds later ones. */
function transitionRows(): string {
  const rows: string[] = [];
  const add = (kind: string, countries: string, from: string, to: string): void => {
    for (const country of countries.split(' '))
      for (const f of from.split(' ')) rows.push(`('${kind}', '${country}', '${f}', '${to}')`);
  };
  add('payin', 'CN TH IN PK', 'created', 'processing');
  add('payin', 'CN TH IN PK', 'created processing', 'failed');
  add('payin', 'CN TH IN PK', 'created processing', 'cancelled');
  add('payin', 'CN TH IN PK', 'created processing failed cancelled', 'completed');
  add('payin', 'TH', 'created processing', 'partial_paid');
  add('payin', 'TH', 'partial_paid timeout', 'completed');
  add('payin', 'TH', 'created processing partial_paid', 'timeout');
  add('payin', 'IN', 'created processing', 'timeout');
  add('payin', 'IN', 'timeout', 'completed');
  add('payout', 'IN PK', 'created', 'processing');
  add('payout', 'IN PK', 'created processing', 'completed');
  add('payout', 'IN PK', 'created processing', 'failed');
  add('payout', 'IN PK', 'created processing', 'cancelled');
  add('payout', 'IN', 'processing', 'timeout');
  add('payout', 'PK', 'created processing', 'market_available');
  add('payout', 'PK', 'market_available', 'processing');
  add('payout', 'PK', 'market_available', 'cancelled');
  return rows.join(',\n');
}

const sql = `
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
${['order_transition', 'wallet_entry', 'transfer', 'payment', 'audit_record', 'notification_attempt', 'channel_call']
  .map(
    (table) => `
create trigger append_only before update or delete on ${table} for each row execute function refuse_change();
create trigger append_only_whole before truncate on ${table} for each statement execute function refuse_change();`,
  )
  .join('')}
create trigger no_delete before delete on orders for each row execute function refuse_change();
create trigger no_delete_whole before truncate on orders for each statement execute function refuse_change();
create trigger no_delete before delete on wallet for each row execute function refuse_change();
create trigger no_delete_whole before truncate on wallet for each statement execute function refuse_change();

-- The transition table of the domain, without triggers: which status may follow which. A test compares the two.
create table transition_rule (
  kind text not null,
  country text not null,
  "from" text not null,
  "to" text not null,
  primary key (kind, country, "from", "to")
);
insert into transition_rule values
${transitionRows()};

create function refuse_impossible_transition() returns trigger language plpgsql as $$
begin
  if new.status <> old.status and not exists (
    select from transition_rule r where r.kind = new.kind and r.country = new.country and r."from" = old.status and r."to" = new.status
  ) then
    raise exception 'order %: % to % is impossible', new.order_no, old.status, new.status using errcode = 'check_violation';
  end if;
  if (new.merchant_order_no, new.kind, new.country, new.currency, new.amount, new.fee_amount, new.net_amount, new.fee_terms, new.created_at)
    is distinct from
     (old.merchant_order_no, old.kind, old.country, old.currency, old.amount, old.fee_amount, old.net_amount, old.fee_terms, old.created_at) then
    raise exception 'order %: what it is about never changes', new.order_no using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger possible_transition before update on orders for each row execute function refuse_impossible_transition();

create function refuse_first_status() returns trigger language plpgsql as $$
begin
  raise exception 'order %: does not begin as %', new.order_no, new.status using errcode = 'check_violation';
end $$;
create trigger possible_first_status before insert on orders for each row
  when (new.status not in ('created', 'processing', 'market_available')) execute function refuse_first_status();
`;

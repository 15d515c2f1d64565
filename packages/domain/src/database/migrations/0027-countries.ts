import { Migration } from '@mikro-orm/migrations';

/**
 * Moves the countries into tables, so that a new one needs no migration. `migrate` adds missing rows from the code's
 * list of countries (database/synchronise-countries.ts). Triggers replace the checks that listed the countries.
 */
export class Countries extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table country (
  code text primary key check (code ~ '^[A-Z][A-Z]$'),
  currency text not null check (currency ~ '^[A-Z][A-Z][A-Z]$')
);
insert into country values ('CN', 'CNY'), ('TH', 'THB'), ('IN', 'INR'), ('PK', 'PKR');

create function refuse_unknown_country() returns trigger language plpgsql as $$
begin
  if not exists (select from country c where c.code = new.country and c.currency = new.currency) then
    raise exception '% with % is no country of the service', new.country, new.currency using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger known_country before insert or update of country, currency on merchant
  for each row execute function refuse_unknown_country();
alter table merchant drop constraint merchant_check;

-- An order begins in one of three statuses, if its country offers this kind of order and has the status at all.
create or replace function refuse_first_status() returns trigger language plpgsql as $$
begin
  if new.status not in ('created', 'processing', 'market_available') or not exists (
    select from transition_rule r where r.kind = new.kind and r.country = new.country and new.status in (r."from", r."to")
  ) then
    raise exception 'order %: no % of % begins as %', new.order_no, new.kind, new.country, new.status using errcode = 'check_violation';
  end if;
  if not exists (select from country c where c.code = new.country and c.currency = new.currency) then
    raise exception 'order %: % with % is no country of the service', new.order_no, new.country, new.currency using errcode = 'check_violation';
  end if;
  return new;
end $$;
drop trigger possible_first_status on orders;
create trigger possible_first_status before insert on orders for each row execute function refuse_first_status();
alter table orders drop constraint orders_check1, drop constraint orders_check2, drop constraint orders_check5;

create function refuse_unknown_countries() returns trigger language plpgsql as $$
begin
  if cardinality(new.countries) = 0 or exists (select from unnest(new.countries) as given(code) where not exists (
    select from country c where c.code = given.code
  )) then
    raise exception 'operator %: % has an unknown country', new.operator_id, new.countries using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger known_countries before insert or update of countries on operator
  for each row when (new.countries is not null) execute function refuse_unknown_countries();
alter table operator drop constraint operator_countries_check;
`;

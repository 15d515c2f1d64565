import { Migration } from '@mikro-orm/migrations';

/** Gives each merchant a key pair of the service. A merchant's own public key can belong to no other merchant. */
export class KeysOfMerchants extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

// The previous version goes on signing with the common key in `service_key`, so this migration does not change that
// table.
const sql = `
create table merchant_service_key (
  merchant_id text not null references merchant,
  key_id text not null,
  public_key_pem text not null,
  private_key bytea not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- From when it signs; null: once the common key has ended.
  signs_from timestamptz(3),
  -- Null: the merchant's current key. Until then an old one stays published.
  retires_at timestamptz(3),
  primary key (merchant_id, key_id)
);
create unique index merchant_service_key_current on merchant_service_key (merchant_id) where retires_at is null;
create trigger touch_merchant_on_insert after insert or delete on merchant_service_key for each row execute function touch_merchant();
create trigger touch_merchant after update of signs_from, retires_at on merchant_service_key for each row execute function touch_merchant();

-- Whose a public key is, over all merchants: a request that two merchants' keys verify could be sent again under the other number.
create table public_key_owner (
  key_id text primary key,
  owner text not null
);
create function claim_public_key() returns trigger language plpgsql as $$
begin
  insert into public_key_owner (key_id, owner) values (new.key_id, new.merchant_id) on conflict (key_id) do nothing;
  if (select owner from public_key_owner where key_id = new.key_id) <> new.merchant_id then
    raise exception 'this public key is registered for another merchant'
      using errcode = 'unique_violation', constraint = 'public_key_owner_pkey';
  end if;
  return new;
end $$;
create trigger claim_public_key before insert on merchant_key for each row execute function claim_public_key();
-- Of keys that several merchants have already, the first one owns it; the others go on verifying, and the audit lists them.
insert into public_key_owner (key_id, owner)
select distinct on (key_id) key_id, merchant_id from merchant_key order by key_id, created_at, merchant_id on conflict (key_id) do nothing;
`;

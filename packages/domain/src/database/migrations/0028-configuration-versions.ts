import { Migration } from '@mikro-orm/migrations';

/**
 * Numbers the changes of configuration of each tenant, by its audit records: 1, 2, 3 … Each statement stands for itself, and can be run
 * again. The number of a record follows from the records before it, so that those of before can be numbered while new ones come.
 */
export class ConfigurationVersions extends Migration {
  // Numbering what is there must not hold up who writes audit records.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  `create table if not exists configuration_version (
    merchant_id text not null,
    version_no bigint not null check (version_no > 0),
    audit_no bigint not null,
    primary key (merchant_id, version_no),
    unique (merchant_id, audit_no)
  )`,
  `create or replace function is_configuration_change(action text) returns boolean immutable language sql as $$
    select action = any (array['createMerchant', 'setMerchant', 'setMerchantStatus', 'pauseNotifications', 'resumeNotifications',
      'addMerchantKey', 'retireMerchantKey', 'rotateServiceKey', 'useOwnServiceKey', 'endCommonServiceKey',
      'setFeeRule', 'removeFeeRule', 'setRoute', 'removeRoute', 'setChannel', 'setChannelEnabled', 'mapBank',
      'createFirstOperator', 'createOperator', 'createOperatorOfIdentity', 'changeOperator', 'setOperatorEnabled',
      'inviteOperator', 'redeemInvitation', 'revokeOperatorTokens', 'linkIdentity', 'unlinkIdentity', 'changeSecret'])
  $$`,
  // Whoever writes an audit record holds the wallet of its tenant, so that a tenant's records come one after the other, also those of the
  // version before. The first one that comes after this migration numbers all before it, if the last statement here has not done so yet.
  `create or replace function number_configuration_change() returns trigger language plpgsql as $$
  declare
    latest bigint;
  begin
    select max(version_no) into latest from configuration_version where merchant_id = new.merchant_id;
    if latest is null then
      insert into configuration_version (merchant_id, version_no, audit_no)
        select new.merchant_id, row_number() over (order by audit_no), audit_no from audit_record
        where merchant_id = new.merchant_id and is_configuration_change(action)
        on conflict do nothing;
    else
      insert into configuration_version (merchant_id, version_no, audit_no) values (new.merchant_id, latest + 1, new.audit_no);
    end if;
    return null;
  end $$`,
  `create or replace trigger configuration_versioned after insert on audit_record
    for each row when (is_configuration_change(new.action)) execute function number_configuration_change()`,
  'create or replace trigger append_only before update or delete on configuration_version for each row execute function refuse_change()',
  'create or replace trigger append_only_whole before truncate on configuration_version for each statement execute function refuse_change()',
  `insert into configuration_version (merchant_id, version_no, audit_no)
    select merchant_id, row_number() over (partition by merchant_id order by audit_no), audit_no from audit_record
    where is_configuration_change(action)
    on conflict do nothing`,
];

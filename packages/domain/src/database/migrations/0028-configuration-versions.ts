import { Migration } from '@mikro-orm/migrations';

/**
 * Numbers each tenant's changes of configuration: 1, 2, 3 … A number follows only from the tenant's earlier audit
 * records. So old records can be numbered while new ones are written. Each statement is separate, and can run again.
 */
export class ConfigurationVersions extends Migration {
  // Not one transaction, because numbering the old records must not delay the writing of new ones.
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
  // Each writer of an audit record holds the wallet of its tenant, also in the previous version. So the records of a
  // tenant are written one after the other. If the first new record comes before the last statement below, it numbers
  // all older ones.
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

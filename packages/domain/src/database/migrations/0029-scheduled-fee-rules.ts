import { Migration } from '@mikro-orm/migrations';

/**
 * Fee rules that begin at a set time. Until the first one begins, the rule in `fee_rule` applies. The previous version
 * reads only that table.
 */
export class ScheduledFeeRules extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table scheduled_fee_rule (
  merchant_id text not null references merchant,
  kind text not null check (kind in ('payin', 'payout')),
  bank_code text not null default '',
  begins_at timestamptz(3) not null,
  percent numeric(7, 4) not null check (percent between 0 and 100),
  fixed numeric(14, 2) not null check (fixed >= 0),
  minimum numeric(14, 2) check (minimum >= 0),
  maximum numeric(14, 2) check (maximum >= minimum),
  primary key (merchant_id, kind, bank_code, begins_at)
);
create trigger touch_merchant after insert or update or delete on scheduled_fee_rule for each row execute function touch_merchant();
create trigger configuration_added after insert or delete on scheduled_fee_rule
  for each row execute function record_configuration_change('merchant', 'merchant_id');
create trigger configuration_changed after update on scheduled_fee_rule for each row
  when (old.* is distinct from new.*) execute function record_configuration_change('merchant', 'merchant_id');
create trigger configuration_emptied after truncate on scheduled_fee_rule
  for each statement execute function record_configuration_change('merchant', 'merchant_id');
alter table scheduled_fee_rule enable always trigger configuration_added;
alter table scheduled_fee_rule enable always trigger configuration_changed;
alter table scheduled_fee_rule enable always trigger configuration_emptied;
`;

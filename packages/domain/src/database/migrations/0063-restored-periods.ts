import { Migration } from '@mikro-orm/migrations';

/**
 * Periods whose archived rows were inserted again. Workers of the previous version do not read this table, and purge
 * the rows too early.
 */
export class RestoredPeriods extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
create table restored_period (
  period_from timestamptz(3) not null,
  period_to timestamptz(3) not null,
  -- Until then the rows of the period are not purged.
  keep_until timestamptz(3) not null,
  primary key (period_from, period_to),
  check (period_from < period_to)
);
`;

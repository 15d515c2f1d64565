import { Migration } from '@mikro-orm/migrations';

/**
 * A failed settlement brings its money back by itself, so its case is never credited. A version that does not know such cases would credit them from
 * suspense: the database refuses that.
 */
export class SettlementCases extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

// Not validated: what an older version has credited stays as it is, and the audit shows it.
const sql = `alter table money_case add constraint money_case_settlement_not_credited
  check (kind <> 'settlement_failed' or state <> 'credited') not valid`;

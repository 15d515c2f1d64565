import { Migration } from '@mikro-orm/migrations';

/**
 * Adds cases to the ledger chain of their merchant: their facts, not the decision about them. Older cases are sealed
 * together with all older rows.
 */
export class CasesInTheChain extends Migration {
  override up(): void {
    this.addSql('alter table money_case add column batch_no bigint');
    this.addSql(
      'update ledger_chain set required_since = clock_timestamp(), sealed_at = null where required_since is not null and exists (select from money_case)',
    );
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Cases enter the ledger chain of their merchant: what they are about, not how they are decided. Those of before are sealed with all rows of before. */
export class CasesInTheChain extends Migration {
  override up(): void {
    this.addSql('alter table money_case add column batch_no bigint');
    this.addSql(
      'update ledger_chain set required_since = clock_timestamp(), sealed_at = null where required_since is not null and exists (select from money_case)',
    );
  }
}

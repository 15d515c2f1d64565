import { Migration } from '@mikro-orm/migrations';

/** Sorts the list of cases by amount. */
export class CasesByAmount extends Migration {
  // Indexes are created concurrently. Each statement may run again after a crash.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, what] of indexes) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on money_case ${what}`);
    }
  }
}

const indexes = [
  ['money_case_by_amount', '(amount, merchant_id, case_no)'],
  ['money_case_open_by_amount', "(amount, merchant_id, case_no) where state = 'open'"],
] as const;

import { Migration } from '@mikro-orm/migrations';

/**
 * New kinds of cases and payments: a payout of another amount than requested, returned money, funds that an operator
 * confirmed, and a report that contradicts a final status. Each statement is separate, and can run again.
 */
export class MoneyMovements extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const caseKinds = `'late', 'double', 'wrong_amount', 'parts_of_unpaid', 'unmatched', 'payout_returned', 'payout_paid_again',
  'payout_wrong_amount', 'payout_underpaid', 'contradiction'`;

const statements = [
  'alter table orders add column if not exists contradiction text',
  `alter table money_case drop constraint if exists money_case_kind_check,
     add constraint money_case_kind_check check (kind in (${caseKinds})) not valid`,
  'alter table money_case validate constraint money_case_kind_check',
  `alter table payment drop constraint if exists payment_use_check,
     add constraint payment_use_check check (use in ('credited', 'part', 'suspense', 'unasked', 'returned', 'evidence')) not valid`,
  'alter table payment validate constraint payment_use_check',
];

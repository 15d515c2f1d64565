import { Migration } from '@mikro-orm/migrations';

/**
 * What was in flight when an export was requested. A number of one transaction is not enough: those of other databases of the server count too.
 */
export class ExportsInFlight extends Migration {
  override up(): void {
    this.addSql(`alter table data_export
  -- Transactions that wrote the ledger when it was requested. It is written when they have ended. Null: requested by the version before.
  add column in_flight text[]`);
  }
}

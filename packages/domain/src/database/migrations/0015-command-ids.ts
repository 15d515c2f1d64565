import { Migration } from '@mikro-orm/migrations';

/**
 * Stores a command's id together with its effect, so that a retry finds out that it was executed. Each statement is
 * separate, and can run again.
 */
export class CommandIds extends Migration {
  // The index is created concurrently.
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  'alter table orders add column if not exists command_id uuid',
  'alter table audit_record add column if not exists command_id uuid',
  'drop index concurrently if exists audit_record_by_command',
  'create unique index concurrently audit_record_by_command on audit_record (merchant_id, command_id) where command_id is not null',
];

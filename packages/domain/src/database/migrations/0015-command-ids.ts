import { Migration } from '@mikro-orm/migrations';

/** A command's id is kept with its effect, so that a command that is tried again finds it. Each statement stands for itself, and can be run again. */
export class CommandIds extends Migration {
  // The index is made concurrently.
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

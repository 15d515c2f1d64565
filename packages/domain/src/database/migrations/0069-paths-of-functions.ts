import { Migration } from '@mikro-orm/migrations';

/**
 * Functions with the owner's rights find their tables by a fixed search path. PostgreSQL searches the temporary schema of
 * the calling session first, unless the path names it. So a role could have had its own code run with the owner's
 * rights, by a temporary table with the name of ours.
 */
export class PathsOfFunctions extends Migration {
  override up(): void {
    this.addSql(`do $$ begin
      execute format('alter function complete_late_notifications() set search_path = pg_catalog, %I, pg_temp', current_schema());
      execute format('alter function gather_first_statistics() set search_path = pg_catalog, %I, pg_temp', current_schema());
    end $$`);
    // The services have the right by their roles (role-grants.ts). The owner keeps it.
    this.addSql('revoke execute on function gather_first_statistics() from public');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Versions of a statement, and how many bytes each attempt to fetch one has transferred. The previous version does not
 * use these columns.
 */
export class StatementVersions extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- Bytes that the attempts for the day have transferred, used or not.
alter table statement_fetch add column bytes bigint not null default 0 check (bytes >= 0);

-- Lines that a later version of their statement shows otherwise, or not at all.
create table superseded_line (
  merchant_id text not null,
  file_no bigint not null,
  line_no integer not null,
  part integer not null,
  by_file_no bigint not null,
  superseded_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, file_no, line_no, part)
);
create index superseded_line_by on superseded_line (merchant_id, by_file_no);
create trigger append_only before update or delete on superseded_line for each row execute function refuse_change();
create trigger append_only_whole before truncate on superseded_line for each statement execute function refuse_change();
`;

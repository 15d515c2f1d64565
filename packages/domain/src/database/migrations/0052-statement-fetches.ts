import { Migration } from '@mikro-orm/migrations';

/**
 * Fetches statements from channels that offer them: which days are due, and each result. The bytes of old statements
 * are deleted. The previous version does neither, and does not read these columns.
 */
export class StatementFetches extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const sql = `
-- Whether the channel's statements are fetched by schedule.
alter table reconciled_channel add column fetches boolean not null default false;
-- The day for which a file was fetched: it is covered, also if the file has no lines. Null: it was uploaded.
alter table statement_file add column fetched_day date,
  -- When the bytes of an imported or refused file were deleted, because their time was over.
  add column content_deleted_at timestamptz(3);
create index statement_file_content_kept on statement_file (uploaded_at) where state in ('imported', 'refused') and content_deleted_at is null;

-- The file of a channel's day, in one format. Days are those of the country.
create table statement_fetch (
  merchant_id text not null references merchant,
  channel_id text not null references channel,
  format text not null check (length(format) between 1 and 64),
  day date not null,
  -- received: the file waits for its import. given_up: it did not come in time; an operator can ask for it again.
  state text not null default 'due' check (state in ('due', 'received', 'fetched', 'given_up')),
  attempts integer not null default 0,
  next_at timestamptz(3) not null,
  give_up_at timestamptz(3) not null,
  -- What came of the last attempt, in words without personal data. Null: none was made.
  outcome text check (outcome in ('not_ready', 'unknown', 'refused')),
  detail text check (length(detail) <= 300),
  -- Which attempt is at it, and until when no other may begin.
  holder text,
  held_until timestamptz(3),
  -- The operator who asked for it; null: the schedule.
  asked_by text,
  file_no bigint,
  primary key (merchant_id, channel_id, format, day),
  check ((holder is null) = (held_until is null)),
  check (state <> 'received' or file_no is not null)
) with (fillfactor = 70);
create index statement_fetch_missing on statement_fetch (next_at) where state in ('due', 'given_up');
create index statement_fetch_held on statement_fetch (channel_id) where held_until is not null;
create index statement_fetch_received on statement_fetch (merchant_id, file_no) where state = 'received';
`;

import { Migration } from '@mikro-orm/migrations';

/**
 * Notes, assignments of work, and files of operators. Each is about an order, a case, a merchant or a booking, which is
 * named as in audit records.
 */
export class WorkOfOperators extends Migration {
  override up(): void {
    this.addSql(sql);
  }
}

const appendOnly = (table: string): string => `
create trigger append_only before update or delete on ${table} for each row execute function refuse_change();
create trigger append_only_whole before truncate on ${table} for each statement execute function refuse_change();`;

const sql = `
create table note (
  merchant_id text not null references merchant,
  subject text not null check (length(subject) between 1 and 128),
  -- 1, 2, 3 … of the subject.
  note_no integer not null check (note_no > 0),
  author text not null,
  text text not null check (length(text) between 1 and 2000),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, subject, note_no)
);
${appendOnly('note')}

create table assignment (
  merchant_id text not null references merchant,
  subject text not null check (length(subject) between 1 and 128),
  assignee text not null,
  assigned_by text not null,
  assigned_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, subject)
);
create index assignment_of on assignment (assignee, merchant_id, subject);

-- Each content of a merchant once. It is in a table of its own, so that lists of files read none of it.
create table file_content (
  merchant_id text not null references merchant,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content bytea not null check (length(content) between 1 and 2097152),
  primary key (merchant_id, sha256)
);
-- It is compressed already.
alter table file_content alter column content set storage external;
create table attached_file (
  merchant_id text not null references merchant,
  subject text not null check (length(subject) between 1 and 128),
  file_no integer not null check (file_no > 0),
  sha256 text not null,
  name text not null check (length(name) between 1 and 100),
  media_type text not null check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
  size integer not null check (size between 1 and 2097152),
  uploaded_by text not null,
  uploaded_at timestamptz(3) not null default clock_timestamp(),
  primary key (merchant_id, subject, file_no),
  unique (merchant_id, subject, sha256),
  foreign key (merchant_id, sha256) references file_content
);
create index attached_file_content on attached_file (merchant_id, sha256);
create trigger append_only before update on file_content for each row execute function refuse_change();
create trigger append_only before update on attached_file for each row execute function refuse_change();
`;

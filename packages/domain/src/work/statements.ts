import { millis } from '../database/columns.ts';

// Each runs under the lock of its tenant, so that numbers follow each other and of two who take the same one is first.

/** Adds a note about $2 of the merchant $1: its text $3 and author $4. No row: there are $5 already. */
export const insertNoteSql = `insert into note (merchant_id, subject, note_no, text, author)
     select $1, $2, coalesce(max(note_no), 0) + 1, $3, $4 from note where merchant_id = $1 and subject = $2 having count(*) < $5
     returning note_no as "noteNo", ${millis('created_at')} as "createdAt"`;

/** The assignment of $2 of the merchant $1. */
export const assignmentSql = `select assignee, assigned_by as "assignedBy", ${millis('assigned_at')} as "assignedAt" from assignment
     where merchant_id = $1 and subject = $2`;

/** Gives $2 of the merchant $1 to the operator $3; $4 says so. */
export const assignSql = `insert into assignment (merchant_id, subject, assignee, assigned_by) values ($1, $2, $3, $4)
     on conflict (merchant_id, subject) do update set assignee = excluded.assignee, assigned_by = excluded.assigned_by,
       assigned_at = excluded.assigned_at
     returning assignee, assigned_by as "assignedBy", ${millis('assigned_at')} as "assignedAt"`;

export const releaseSql = 'delete from assignment where merchant_id = $1 and subject = $2';

/** Whether the operator $1 may sign in, their restriction, and the country of the merchant $2. */
export const assigneeSql = `select o.enabled, o.countries, o.merchant_ids as "merchantIds", m.country
     from operator o, merchant m where o.operator_id = $1 and m.merchant_id = $2`;

const fileColumns = `merchant_id as "merchantId", subject, file_no as "fileNo", sha256, name, media_type as "mediaType", size,
     uploaded_by as "uploadedBy", ${millis('uploaded_at')} as "uploadedAt"`;

/** How many files $2 of the merchant $1 has, and whether one has the content $3. */
export const fileCountSql = `select count(*)::integer as count, coalesce(bool_or(sha256 = $3), false) as "isKnown"
     from attached_file where merchant_id = $1 and subject = $2`;

/** Keeps the content $3 of the merchant $1 under its hash $2. */
export const insertContentSql =
  'insert into file_content (merchant_id, sha256, content) values ($1, $2, $3) on conflict (merchant_id, sha256) do nothing';

/** The file about $2 of the merchant $1 that has the content $3. */
export const fileByContentSql = `select ${fileColumns} from attached_file where merchant_id = $1 and subject = $2 and sha256 = $3`;

/** Adds a file about $2 of the merchant $1. No row: there are $8 already. */
export const insertFileSql = `insert into attached_file (merchant_id, subject, file_no, sha256, name, media_type, size, uploaded_by)
     select $1, $2, coalesce(max(file_no), 0) + 1, $3, $4, $5, $6, $7 from attached_file
     where merchant_id = $1 and subject = $2 having count(*) < $8
     returning ${fileColumns}`;

/** The content of a file by its hash. Parameters: $1 merchant, $2 hash. */
export const contentSql = 'select content from file_content where merchant_id = $1 and sha256 = $2';

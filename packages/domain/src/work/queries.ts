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

/**
 * What is used of the limits of files: by $2 of the merchant $1, by the operator $4 today, and by all. Whether $2 has the
 * content $3. Sizes are in bytes. That of all files is of the table on disk, which is known without reading it.
 */
export const fileUseSql = `select s.files, s.bytes, s."isKnown", o.files as "filesToday", o.bytes as "bytesToday",
     pg_total_relation_size('file_content')::float8 as "bytesOfAll"
   from (select count(*)::integer as files, coalesce(sum(size), 0)::float8 as bytes, coalesce(bool_or(sha256 = $3), false) as "isKnown"
       from attached_file where merchant_id = $1 and subject = $2) s,
     (select count(*)::integer as files, coalesce(sum(size), 0)::float8 as bytes from attached_file
       where uploaded_by = $4 and uploaded_at >= date_trunc('day', clock_timestamp(), 'UTC')) o`;

const liveBooking = (merchant: string, bookingNo: string): string =>
  `exists (select from wallet_entry e where e.merchant_id = ${merchant} and e.booking_no = ${bookingNo})
     or exists (select from approval a where a.merchant_id = ${merchant} and a.subject = ${bookingNo} and a.state = 'pending'
       and a.expires_at > clock_timestamp() and a.operation in ('topUpWallet', 'settleWallet', 'adjustWallet', 'reverseBooking'))`;

/** Whether what is worked on exists, by its key $2 within the merchant $1. */
export const existsSql = {
  order: 'select from orders where merchant_id = $1 and order_no = $2',
  case: 'select from money_case where merchant_id = $1 and case_no = $2::bigint',
  break: 'select from reconciliation_break where merchant_id = $1 and break_no = $2::bigint',
  merchant: 'select from merchant where merchant_id = $1 and merchant_id = $2',
  /** A booking that is in the wallet, or that waits for a second operator. */
  booking: `select where ${liveBooking('$1', '$2')}`,
} as const;

/** Deletes files of bookings that never came to be: a day after their upload, if no approval waits. $1: at most. */
export const purgeOrphansSql = `with orphans as (select f.merchant_id, f.subject, f.file_no from attached_file f
     where f.subject like 'booking %' and f.uploaded_at < clock_timestamp() - interval '1 day' and f.uploaded_at > clock_timestamp() - interval '90 days'
       and not (${liveBooking('f.merchant_id', "substr(f.subject, length('booking ') + 1)")}) limit $1)
   select count(*)::integer as count, purge_attached_files(json_agg(o)) from orphans o having count(*) > 0`;

/** Deletes contents that no file has, a day after they were stored. $1: at most. */
export const purgeContentsSql = `with orphans as (select merchant_id, sha256 from file_content c
     where c.stored_at < clock_timestamp() - interval '1 day'
       and not exists (select from attached_file f where f.merchant_id = c.merchant_id and f.sha256 = c.sha256) limit $1)
   select count(*)::integer as count, purge_file_contents(json_agg(o)) from orphans o having count(*) > 0`;

/** Keeps the content $3 of the merchant $1 under its hash $2. */
export const insertContentSql =
  'insert into file_content (merchant_id, sha256, content) values ($1, $2, $3) on conflict (merchant_id, sha256) do nothing';

/** The file about $2 of the merchant $1 that has the content $3. */
export const fileByContentSql = `select ${fileColumns} from attached_file where merchant_id = $1 and subject = $2 and sha256 = $3`;

/** Adds a file about $2 of the merchant $1. No row: there are $8 already, or more than $9 bytes. */
export const insertFileSql = `insert into attached_file (merchant_id, subject, file_no, sha256, name, media_type, size, uploaded_by)
     select $1, $2, coalesce(max(file_no), 0) + 1, $3, $4, $5, $6::integer, $7 from attached_file
     where merchant_id = $1 and subject = $2 having count(*) < $8 and coalesce(sum(size), 0) + $6::integer <= $9
     returning ${fileColumns}`;

/** The content of a file by its hash. Parameters: $1 merchant, $2 hash. */
export const contentSql = 'select content from file_content where merchant_id = $1 and sha256 = $2';

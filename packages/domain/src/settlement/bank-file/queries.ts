import { millis } from '../../database/columns.ts';

/** The approved settlements of a country that no file has, the oldest first. Parameters: $1 country, $2 limit. */
export const claimableSql = `select s.merchant_id as "merchantId", s.settlement_no as "settlementNo" from settlement s
  join merchant m on m.merchant_id = s.merchant_id and m.country = $1
  where s.state = 'approved' and not exists (select from payout_stop p where p.merchant_id = s.merchant_id and p.released_at is null)
  order by s.approved_at, s.merchant_id limit $2::integer`;

/** The settlements of a file, by their numbers. Parameters: $1 file number. */
export const ofFileSql = `select s.merchant_id as "merchantId", s.settlement_no as "settlementNo", s.amount::text as amount, s.account_id as "accountId",
    s.state = 'failed' as "isFailed"
  from settlement s where s.file_no = $1 order by s.settlement_no, s.merchant_id`;

/** The open file of a tenant. Parameters: $1 tenant. */
export const openFileSql = `select file_no as "fileNo" from settlement_file where merchant_id = $1 and state = 'open'`;

/** The number of the next file. Parameters: $1 tenant. */
export const nextFileSql = 'select count(*)::integer + 1 as next from settlement_file where merchant_id = $1';

/** The newest account of a tenant. Parameters: $1 tenant. */
export const newestAccountSql =
  'select account_id as "accountId" from settlement_account where merchant_id = $1 order by created_at desc, account_id desc limit 1';

/** A file by its number. Parameters: $1 file number. */
export const fileSql = `select merchant_id as "merchantId", file_no as "fileNo", state, currency, account_id as "accountId", execution_day::text as "executionDay",
    settlements, total::text as total, sha256, ${millis('downloaded_at')} as "downloadedAt", created_by as "createdBy", ${millis('created_at')} as "createdAt"
  from settlement_file where file_no = $1`;

/** Whether a file was downloaded. Parameters: $1 file number. */
export const isDownloadedSql = `select f.downloaded_at is not null as "isDownloaded" from settlement_file f where f.file_no = $1 for update`;

/** Keeps the first download of a file, and what it has then. Parameters: $1 file number, $2 payments, $3 sum, $4 hash. */
export const downloadSql = `update settlement_file set downloaded_at = clock_timestamp(), settlements = $2, total = $3, sha256 = $4
  where file_no = $1 and downloaded_at is null`;

/** The sealed accounts $2 of merchants $1. */
export const sealedAccountsSql = `select t.account_id as "accountId", t.sealed from settlement_account t
  join unnest($1::text[], $2::text[]) as k(m, a) on t.merchant_id = k.m and t.account_id = k.a`;

/** Locks a file against claims. Parameters: $1 tenant, $2 file number. */
export const lockFileSql = 'select from settlement_file where merchant_id = $1 and file_no = $2 for update';

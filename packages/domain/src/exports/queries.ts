import { millis } from '../database/columns.ts';
import { exportLimits } from './types.ts';

/** Requests of one operator run one after the other, so that two at once cannot both pass the limits. */
export const holdRequestsSql = 'select from operator where operator_id = $1 for no key update';

/** What the operator $1 has: exports that are open, all that are kept, and the bytes of their files. */
export const keptOfOperatorSql = `select count(*) filter (where state in ('waiting', 'running'))::integer as open, count(*)::integer as kept,
    coalesce(sum(size) filter (where state = 'ready'), 0)::float8 as bytes
  from data_export where requested_by = $1`;

/**
 * Adds an export, with the ids of the transactions that are writing the ledger now. Such a transaction locks a wallet before it takes the time of its
 * rows. So an earlier row that is not visible yet belongs to one of these transactions.
 */
export const insertExportSql = `insert into data_export (export_id, kind, format, tenant, requested_by, countries, merchant_ids, input, name, in_flight)
  values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, array(select distinct l.virtualtransaction from pg_locks l
    where l.database = (select oid from pg_database where datname = current_database()) and l.relation = 'wallet'::regclass
      and l.mode in ('RowShareLock', 'RowExclusiveLock') and l.pid is distinct from pg_backend_pid()))`;

export const countryOfMerchantSql = 'select country from merchant where merchant_id = $1';
export const knownChannelSql = 'select from channel where channel_id = $1';

/** The database's clock, in Unix milliseconds. */
export const nowSql = `select ${millis('clock_timestamp()')} as now`;

/** Ends an export that is open or ready. No row: it has already ended. */
export const cancelSql = `update data_export set state = 'cancelled', sha256 = null, expires_at = null, size = 0, leased_until = null,
    ended_at = clock_timestamp()
  where export_id = $1 and state in ('waiting', 'running', 'ready') returning export_id`;
/** Drops the file of the export $1 that ended without one, or what was written of it before its run $2. */
export const dropChunksSql = 'select drop_export_chunks($1, $2)';

/**
 * Claims for $1 ms the export that has waited longest, or whose process has ended. Two processes never claim the same
 * one. It waits for transactions that were open when the export was requested, which the limit of a transaction ends.
 */
export const claimSql = `with next as (
  select export_id from data_export w where (state = 'waiting' or (state = 'running' and leased_until < clock_timestamp()))
    and not exists (select from pg_locks l where l.virtualtransaction = any(w.in_flight))
  order by requested_at, export_id limit 1 for update skip locked)
update data_export e set state = 'running', run_no = e.run_no + 1, rows_written = 0, size = 0,
    leased_until = clock_timestamp() + $1 * interval '1 ms'
from next where e.export_id = next.export_id
returning e.export_id as "exportId", e.kind, e.format, e.name, e.countries, e.merchant_ids as "merchantIds", e.input, e.run_no as "runNo"`;

/** Only the run $2 of the export $1 may write, and only until it is cancelled. */
const held = `export_id = $1 and run_no = $2 and state = 'running'`;

/** Says how far it is: $3 rows of about $4. Holds it for $5 ms more. No row: it is not this run's any more. */
export const progressSql = `update data_export set rows_written = $3, rows_expected = coalesce($4, rows_expected),
    leased_until = clock_timestamp() + $5 * interval '1 ms' where ${held} returning export_id`;

/** Stores the chunk $3 with the content $4, and says how far it is: $5 rows. No row: it is not this run's any more. */
export const addChunkSql = `with held as (
  update data_export set rows_written = $5, size = size + length($4::bytea), leased_until = clock_timestamp() + $6 * interval '1 ms'
  where ${held} returning export_id)
insert into data_export_chunk (export_id, chunk_no, content) select export_id, $3, $4::bytea from held returning chunk_no`;

export const finishSql = `update data_export set state = 'ready', rows_written = $3, rows_expected = $3, size = $4, sha256 = $5, leased_until = null,
    ended_at = clock_timestamp(), expires_at = clock_timestamp() + interval '${exportLimits.days} days'
  where ${held} returning export_id`;
export const failSql = `update data_export set state = 'failed', failure = $3, leased_until = null, size = 0, ended_at = clock_timestamp()
  where ${held} returning export_id`;
/** Another process may begin it at once. */
export const giveBackSql = `update data_export set state = 'waiting', leased_until = null where ${held}`;

/** How long the export that has waited longest has done so, in seconds. */
export const longestWaitSql = `select coalesce(max(extract(epoch from clock_timestamp() - requested_at)), 0)::float8 as seconds from data_export
  where state = 'waiting' or (state = 'running' and leased_until < clock_timestamp())`;

export const chunkSql = 'select content from data_export_chunk where export_id = $1 and chunk_no = $2';

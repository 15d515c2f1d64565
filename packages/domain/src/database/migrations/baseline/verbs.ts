/**
 * What processes delete, as functions with the rights of the owner. Who may delete from a table can also lock it as a
 * whole, and so stop everyone else who needs it. The guards of tables let the owner do everything, so each function
 * itself says what may go. `functionGrants` says who may call it.
 */
function verb(signature: string, statements: string): string {
  return `create function ${signature} returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  ${statements};
end $$;
`;
}

interface Purge {
  table: string;
  key: string;
  age: string;
  when?: string;
}

/** Deletes the rows of these keys that are older than the retention of their kind, and of no restored period. */
function purge({ table, key, age, when = 'true' }: Purge): string {
  const matches = key.split(', ').map((column) => column.split(' ')[0]);
  return verb(
    `purge_${table}(keys json)`,
    `delete from ${table} t using json_to_recordset(keys) as k(${key})
    where ${matches.map((column) => `t.${column} = k.${column}`).join(' and ')} and ${when}
      and t.${age} < (select r.until from retention r where r.kind = '${table}')
      and not exists (select from restored_period p where p.keep_until > clock_timestamp() and t.${age} >= p.period_from and t.${age} < p.period_to)`,
  );
}

const oldestOpen = (kind: string, statuses: string): string =>
  `(select coalesce(min(o.created_at), 'infinity') from orders o where o.kind = '${kind}' and o.status in (${statuses}))`;

const purges: Purge[] = [
  {
    table: 'notification',
    key: 'merchant_id text, order_no text, status text',
    age: 'created_at',
    when: "t.state <> 'pending'",
  },
  {
    table: 'notification_attempt',
    key: 'merchant_id text, order_no text, status text, attempt integer',
    age: 'started_at',
  },
  { table: 'channel_call', key: 'merchant_id text, order_no text, call_id text', age: 'started_at' },
  // Refunds and open orders may still need what channels remember.
  {
    table: 'channel_memory',
    key: 'channel_id text, key text',
    age: 'created_at',
    when: `t.of_order and t.created_at < clock_timestamp() - interval '31 days'
      and t.created_at < ${oldestOpen('payin', "'created', 'processing', 'partial_paid'")}
      and t.created_at < ${oldestOpen('payout', "'created', 'processing', 'market_available'")}`,
  },
  { table: 'data_export', key: 'export_id text', age: 'ended_at' },
];

const ofFile = 'merchant_id = of_merchant and file_no = of_file';
const ofUpload = `f.merchant_id = of_merchant and f.state in ('uploading', 'uploaded')
      and (f.file_no = of_file or f.uploaded_at < clock_timestamp() - interval '1 day')`;

/** What processes may delete. */
export const verbs = `
${purges.map(purge).join('')}
-- The asker has its answer, or waits no longer. What a dead process left goes too.
${verb(
  'drop_channel_question(of_merchant text, of_question uuid)',
  `delete from channel_question where merchant_id = of_merchant
    and (question_id = of_question or asked_at < clock_timestamp() - interval '1 hour')`,
)}
-- Uploads that were broken off, or that nobody had imported within a day; with a number: this one alone.
${verb(
  'drop_upload(of_merchant text, of_file bigint)',
  `perform from statement_file f where ${ofUpload} for update;
  delete from statement_chunk c using statement_file f
    where c.merchant_id = f.merchant_id and c.file_no = f.file_no and ${ofUpload};
  delete from statement_file f where ${ofUpload}`,
)}
-- The bytes of a statement hold names and accounts of payers. 31 days is the shortest retention that can be configured.
${verb(
  'purge_statement_content(of_merchant text, of_file bigint)',
  `update statement_file set content_deleted_at = clock_timestamp()
    where ${ofFile} and state in ('imported', 'refused') and content_deleted_at is null and uploaded_at < clock_timestamp() - interval '31 days';
  if found then
    delete from statement_chunk where ${ofFile};
  end if`,
)}
-- Of an export that ended without its file, or of the earlier runs of one that is written again.
${verb(
  'drop_export_chunks(of_export text, of_run integer)',
  `perform from data_export where export_id = of_export
    and (state in ('cancelled', 'failed') or state = 'running' and run_no = of_run) for update;
  if found then
    delete from data_export_chunk where export_id = of_export;
  end if`,
)}
-- The guard of attached files says which may go.
${verb(
  'purge_attached_files(keys json)',
  `delete from attached_file f using json_to_recordset(keys) as k(merchant_id text, subject text, file_no integer)
    where f.merchant_id = k.merchant_id and f.subject = k.subject and f.file_no = k.file_no`,
)}
${verb(
  'purge_file_contents(keys json)',
  `delete from file_content c using json_to_recordset(keys) as k(merchant_id text, sha256 text)
    where c.merchant_id = k.merchant_id and c.sha256 = k.sha256 and c.stored_at < clock_timestamp() - interval '1 day'
      and not exists (select from attached_file f where f.merchant_id = c.merchant_id and f.sha256 = c.sha256)`,
)}
${verb(
  'purge_channel_health(as_of timestamptz)',
  `delete from channel_health where starts_at < least(as_of, clock_timestamp()) - case grain when 'minute' then interval '2 hours' else interval '8 days' end`,
)}
-- Hosts that are not used any more, and the oldest of a merchant with too many that was called in a period.
-- Hosts that never worked go first, so invented names replace no host that works.
${verb(
  'purge_host_health(called_from timestamptz, called_to timestamptz, most integer)',
  `delete from host_health h using (
    select merchant_id, host, row_number() over (partition by merchant_id order by (last_success_at is null), last_attempt_at desc, host) as place
    from host_health where merchant_id in (
      select merchant_id from notification_attempt where started_at >= called_from and started_at < called_to)) o
    where o.place > most and h.merchant_id = o.merchant_id and h.host = o.host;
  delete from host_health where last_attempt_at < least(called_to, clock_timestamp()) - interval '30 days'`,
)}
`;

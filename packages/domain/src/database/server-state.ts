import type pg from 'pg';

/** The state of the database server. */
export interface ServerState {
  version: string;
  /** The cluster's identifier. A copy that was made by initdb has another one. */
  cluster: string;
  /** It grows with each server that takes over. A smaller one than before belongs to a server that had been replaced. */
  timeline: number;
  /** Whether the server accepts writes, so it is not a standby. */
  acceptsWrites: boolean;
  /** Whether a commit waits until another server has it. */
  isSynchronous: boolean;
  /** synchronous_standby_names. */
  standbys: string;
  /** Whether a commit waits for the disk of the server, and a half-written page is repaired. */
  isDurable: boolean;
  /** Whether damaged pages are noticed. */
  hasChecksums: boolean;
  /** The roles for ordinary reads that may write wallets, although a role of their own could. */
  writersBesides: string[];
  /** The version of TLS of this connection, for example TLSv1.3; null if it is not encrypted. */
  tls: string | null;
}

/** Reads the state of the server behind the next connection. Needs no right of its own. */
export async function readServerState(pool: Pick<pg.Pool, 'query'>): Promise<ServerState> {
  const { rows } = await pool.query<ServerState>(stateSql);
  const [state] = rows;
  if (!state) throw new Error('the database does not say what it is');
  return state;
}

// The control file shows the timeline of the last checkpoint, so a primary is asked for the one that it writes.
const stateSql = `select current_setting('server_version') as version,
  (select system_identifier::text from pg_control_system()) as cluster,
  case when pg_is_in_recovery() then (select timeline_id from pg_control_checkpoint())
    else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer end as timeline,
  not pg_is_in_recovery() as "acceptsWrites",
  current_setting('synchronous_standby_names') <> '' and current_setting('synchronous_commit') in ('on', 'remote_apply')
    as "isSynchronous",
  current_setting('synchronous_standby_names') as standbys,
  current_setting('fsync')::boolean and current_setting('full_page_writes')::boolean as "isDurable",
  current_setting('data_checksums')::boolean as "hasChecksums",
  (select coalesce(array_agg(r.rolname::text order by r.rolname), '{}') from pg_roles r where r.rolname in ('tidegate_rest', 'tidegate_api', 'tidegate_worker', 'tidegate_audit')
    and to_regclass('wallet') is not null and has_any_column_privilege(r.oid, 'wallet'::regclass, 'update')) as "writersBesides",
  (select version from pg_stat_ssl where pid = pg_backend_pid() and ssl) as tls`;

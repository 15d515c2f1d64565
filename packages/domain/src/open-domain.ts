import { useOwnWords } from '@tidegate/settings/zod-words';
import type { Pool } from 'pg';
import type { ApprovalRules } from './approvals/operation.ts';
import type { CallTurns } from './channels/call-limiter.ts';
import { openCallLog } from './channels/call-log.ts';
import { openCallbackQueries } from './channels/callback-queries.ts';
import type { ChannelAccess } from './channels/channel-access.ts';
import type { ChannelAdapters } from './channels/channel-adapter.ts';
import { openChannelHealth } from './channels/channel-health.ts';
import { openChannelQuestions } from './channels/channel-questions.ts';
import { openChannelRouting, type SharedOutcomes } from './channels/channel-routing.ts';
import { openChannelSlots } from './channels/channel-slots.ts';
import { type ChannelsOptions, openChannels } from './channels/channels.ts';
import { type DirectoryAccess, openDirectory } from './configuration/directory.ts';
import { type OperatorsAccess, openOperators } from './configuration/operators.ts';
import { openServiceKeys, type ServiceKeysAccess } from './configuration/service-keys.ts';
import { networks } from './core/address.ts';
import type { Announce } from './core/change.ts';
import type { Environment } from './core/environment.ts';
import type { Log, Observer } from './core/log.ts';
import type { SignIn } from './core/operator-rights.ts';
import type { WakeUp } from './core/queued-work.ts';
import { workLease } from './core/schedule.ts';
import type { Telemetry } from './core/telemetry.ts';
import { noTracer, type Tracer } from './core/tracer.ts';
import { orderRules } from './countries/index.ts';
import { boundsThatServerHas } from './database/begin.ts';
import { type Database, openDatabase } from './database/database.ts';
import { requireEnvironment } from './database/environment.ts';
import { gatherFirstStatistics } from './database/first-statistics.ts';
import { readReplica } from './database/replica.ts';
import { requireSchema } from './database/require-schema.ts';
import { openVault } from './database/vault.ts';
import type { ChangeAccess } from './ledger/change-configuration.ts';
import type { LedgerAccess } from './ledger/ledger-access.ts';
import { type OrderReadAccess, openOrderReads } from './ledger/order-reads.ts';
import { makeStatements } from './ledger/queries.ts';
import { openRehearsal, type RehearsalAccess } from './ledger/rehearse.ts';
import { traceCommits } from './ledger/trace-writer.ts';
import { openLedgerWriter } from './ledger/writer.ts';
import { type DeliveryAccess, openDeliveries } from './notifications/deliveries.ts';
import { publish } from './publish.ts';
import type { StatementAccess } from './reconciliation/statement-access.ts';

/**
 * All parts of the domain, put together once per process by `openDomain`. A function takes only the parts that it
 * needs.
 */
export interface Domain
  extends LedgerAccess,
    ChangeAccess,
    DirectoryAccess,
    OperatorsAccess,
    ServiceKeysAccess,
    ChannelAccess,
    DeliveryAccess,
    OrderReadAccess,
    RehearsalAccess,
    ApprovalRules,
    StatementAccess,
    Telemetry {
  /** Throws when the database does not answer within a second. */
  ready(): Promise<void>;
  /** Finishes the waiting commands of the ledger writer, then closes the connections. */
  close(): Promise<void>;
}

export interface DomainOptions {
  databaseUrl: string;
  /** What the database has to be for. Another one is refused. Default: the environment of the database. */
  environment?: Environment;
  /** The same database with the role that may write the ledger; default: `databaseUrl` may. */
  databaseLedgerUrl?: string | undefined;
  /** A streaming replica for plain reads; default: the primary is read. */
  databaseReadUrl?: string | undefined;
  /** The key file of this process: what it may seal, open and hash (database/keys/purposes.ts). */
  keys: string;
  /** Channel adapters by the adapter name of channel rows. */
  adapters: ChannelAdapters;
  /** Formats of statements, by the name under which they are imported; default: none. */
  statementFormats?: StatementAccess['statementFormats'];
  /** Public URL of the REST adapter, for merchants and payers. */
  publicBaseUrl: string;
  wakeUp: WakeUp;
  /** The call limits of channels' accounts, for turns ahead of creates; default: creates have no limit. */
  callTurns?: CallTurns;
  /** How channels answered in all processes; default: routes have their configured weights. */
  channelOutcomes?: SharedOutcomes;
  /** Publishes every change of an order, a case or an approval; default: not published. */
  announce?: Announce;
  log: Log;
  observer?: Observer;
  /** Receives spans; default: no tracing. */
  tracer?: Tracer | undefined;
  /** Multiplies all waits of polling, retrying and expiry. 1, except in tests and sandboxes. */
  scheduleScale?: number;
  /** Private networks to which notifications may go, e.g. 127.0.0.0/8 in a sandbox. */
  notifyAllowCidrs?: readonly string[];
  /** Private networks in which channels may be, e.g. behind a VPN. */
  channelAllowCidrs?: readonly string[];
  /**
   * The amount that an operator may move in a UTC day without a second operator, in each currency; default 10000.00.
   */
  approvalLimit?: string;
  /**
   * The kind of sign-in for requests and approvals with two operators. Default: tokens, as long as no operator signs in
   * by an identity.
   */
  approvalSignIn?: SignIn;
  /** How long a second operator can approve, in milliseconds; default 24 hours. Not scaled, because people decide. */
  approvalLifetime?: number;
  /** The most payins that this process submits to one channel at once within merchants' requests; default 200. */
  createsPerChannel?: number;
  connections?: number;
  /** The connections of `databaseLedgerUrl`; default 6. */
  ledgerConnections?: number;
  /** How long a statement may take before the database counts as unavailable, in milliseconds. Default 20,000. */
  timeoutMs?: number;
  /** The most batches of the ledger writer at once; default 2. */
  batchesAtOnce?: number;
  batchSize?: number;
}

/**
 * How long a command waits for a wallet that another session holds, in ms. Longer than a migration waits for its lock.
 */
const maxHeldMs = 3_000;

/**
 * Opens the domain on a migrated database, once per process. Throws SchemaTooOld if migrations of this version have not
 * run, and WrongEnvironment for a database of the other environment.
 */
export async function openDomain(options: DomainOptions): Promise<Domain> {
  useOwnWords();
  const { log, observer = {}, tracer, scheduleScale = 1, connections = 10, timeoutMs = 20_000 } = options;
  const vault = openVault(options.keys);
  const database = await openDatabases(options, { connections, timeoutMs });
  const { pool, ledgerPool } = database;
  const environment = await environmentOf(database, options);
  const sql = makeStatements(database.orm);
  const settings = await boundsThatServerHas(pool);
  const writer = openLedgerWriter({
    pool: ledgerPool,
    sql,
    batchesAtOnce: options.batchesAtOnce ?? 2,
    batchSize: options.batchSize ?? 200,
    queueLimit: 10_000,
    heldTimeoutMs: Math.min(timeoutMs, maxHeldMs),
    settings,
    scheduleScale,
    rules: orderRules,
    committed: (written) => publish(written, options),
    created: gatherFirstStatistics(pool, (err) => log.warn({ err }, 'the statistics of orders cannot be gathered')),
    failed: (err, commands) => log.warn({ err, commands }, 'a batch failed: its commands are tried one by one'),
    ...(observer.batch && { observed: observer.batch }),
  });
  const serviceKeys = openServiceKeys(pool, vault);
  const directory = openDirectory(pool, { onError: notRefreshed(log), changed: serviceKeys.changed });
  const operators = openOperators(pool, (error) => log.warn({ err: error }, 'uses of tokens cannot be recorded'));
  const callLog = openCallLog(pool, (error) => log.warn({ err: error }, 'channel calls cannot be recorded'));
  return {
    database,
    sql,
    // Without tracing the ledger writer is not wrapped.
    commit: tracer ? traceCommits(writer.commit, tracer) : writer.commit,
    rehearse: openRehearsal({ pool: ledgerPool, sql, rules: orderRules, scheduleScale, settings }),
    directory,
    ...openChannels({ pool, ledgerPool, vault, environment, adapters: options.adapters, refused: reportTo(log) }),
    environment,
    adapters: options.adapters,
    statementFormats: options.statementFormats ?? {},
    channelHealth: openChannelHealth(),
    channelRouting: openChannelRouting(options.channelOutcomes ?? null, { scheduleScale }),
    createSlots: openChannelSlots(options.createsPerChannel ?? 200, observer),
    callTurns: options.callTurns ?? null,
    callbackQueries: openCallbackQueries(observer),
    callLog,
    questions: openChannelQuestions(database, vault, options.wakeUp, observer),
    orders: openOrderReads(database.reading, sql),
    deliveries: openDeliveries(pool, workLease, options.wakeUp),
    operators,
    serviceKeys,
    announce: (changes) => options.announce?.(changes),
    vault,
    log,
    observer,
    tracer: tracer ?? noTracer,
    publicBaseUrl: options.publicBaseUrl.replace(/\/$/, ''),
    scheduleScale,
    ...approvalRules(options),
    notifyNetworks: networks(options.notifyAllowCidrs ?? []),
    channelNetworks: networks(options.channelAllowCidrs ?? []),
    ready: async () => void (await Promise.all([pool, ledgerPool].map(requireAnswer))),
    close: async () => {
      await writer.drain();
      await directory.close();
      await callLog.close();
      await operators.close();
      await database.close();
    },
  };
}

const notRefreshed =
  (log: Log) =>
  (err: unknown): void =>
    log.warn({ err }, 'merchants cannot be refreshed');

/** Closes the database again if its migrations are older than this version, or if it is one of the other environment. */
async function environmentOf(
  database: Database,
  { environment, log, observer }: Pick<DomainOptions, 'environment' | 'log' | 'observer'>,
): Promise<Environment> {
  try {
    await requireSchema(database);
    await database.checkJsonColumns((err, rows) => {
      log.error({ err, rows }, 'a list leaves out rows that cannot be read');
      observer?.dataRejected?.('database', 'wrong_shape');
    });
    return await requireEnvironment(database.pool, environment);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Logs a channel that the environment must not use. */
function reportTo(log: Log): ChannelsOptions['refused'] {
  return ({ channelId, mode, problem }) =>
    log.error({ channelId, mode }, `the channel ${channelId} is not used: it ${problem}`);
}

/** The database, which reads from the replica if there is one. */
function openDatabases(
  { databaseUrl, databaseLedgerUrl, databaseReadUrl: url, ledgerConnections = 6, log, observer }: DomainOptions,
  limits: { connections: number; timeoutMs: number },
): Promise<Database> {
  const replica = { ...limits, log, ...(observer?.read && { observed: observer.read }) };
  return openDatabase(databaseUrl, {
    ...limits,
    ledger: databaseLedgerUrl === undefined ? undefined : { url: databaseLedgerUrl, connections: ledgerConnections },
    ...(url !== undefined && { readFrom: (pool, check) => readReplica(pool, { ...replica, url }, check) }),
  });
}

async function requireAnswer(pool: Pool): Promise<void> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(reject, 1_000, new Error('the database does not answer')).unref(),
  );
  await Promise.race([pool.query('select 1'), late]);
}

function approvalRules({
  approvalLimit = '10000.00',
  approvalSignIn = null,
  approvalLifetime = 24 * 60 * 60_000,
}: Partial<ApprovalRules>): ApprovalRules {
  return { approvalLimit, approvalSignIn, approvalLifetime };
}

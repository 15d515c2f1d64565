import type { Pool } from 'pg';
import type { ApprovalRules } from './approvals/operation.ts';
import { openCallLog } from './channels/call-log.ts';
import { openCallbackQueries } from './channels/callback-queries.ts';
import type { ChannelAccess } from './channels/channel-access.ts';
import type { ChannelAdapters } from './channels/channel-adapter.ts';
import { openChannelHealth } from './channels/channel-health.ts';
import { openChannelRouting, type SharedOutcomes } from './channels/channel-routing.ts';
import { openChannelSlots } from './channels/channel-slots.ts';
import { openChannels } from './channels/channels.ts';
import { type DirectoryAccess, openDirectory } from './configuration/directory.ts';
import { type OperatorsAccess, openOperators } from './configuration/operators.ts';
import { openServiceKeys, type ServiceKeysAccess } from './configuration/service-keys.ts';
import { networks } from './core/address.ts';
import type { Announce, Change } from './core/change.ts';
import type { LedgerEvent } from './core/events.ts';
import type { Log, Observer } from './core/log.ts';
import type { SignIn } from './core/operator-rights.ts';
import type { WakeUp, Work } from './core/queued-work.ts';
import { workLease } from './core/schedule.ts';
import type { Telemetry } from './core/telemetry.ts';
import { noTracer, type Tracer } from './core/tracer.ts';
import { orderRules } from './countries/index.ts';
import { boundsThatServerHas } from './database/begin.ts';
import { type Database, openDatabase } from './database/database.ts';
import { gatherFirstStatistics } from './database/first-statistics.ts';
import { readReplica } from './database/replica.ts';
import { requireSchema } from './database/require-schema.ts';
import { openVault } from './database/vault.ts';
import type { ChangeAccess } from './ledger/change-configuration.ts';
import type { LedgerAccess } from './ledger/ledger-access.ts';
import { type OrderReadAccess, openOrderReads } from './ledger/order-reads.ts';
import { openRehearsal, type RehearsalAccess } from './ledger/rehearse.ts';
import { makeStatements } from './ledger/statements.ts';
import { traceCommits } from './ledger/trace-writer.ts';
import { openLedgerWriter, type Written } from './ledger/writer.ts';
import { type DeliveryAccess, openDeliveries } from './notifications/deliveries.ts';
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
  /** A streaming replica for plain reads; default: the primary is read. */
  databaseReadUrl?: string | undefined;
  /** 64 hexadecimal digits. Seals secrets in the database, and makes checkout tokens. */
  secret: string;
  /** Channel adapters by the adapter name of channel rows. */
  adapters: ChannelAdapters;
  /** Formats of statements, by the name under which they are imported; default: none. */
  statementFormats?: StatementAccess['statementFormats'];
  /** Public URL of the REST adapter, for merchants and payers. */
  publicBaseUrl: string;
  wakeUp: WakeUp;
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
 * run.
 */
export async function openDomain(options: DomainOptions): Promise<Domain> {
  const { log, observer = {}, tracer, scheduleScale = 1, connections = 10, timeoutMs = 20_000 } = options;
  const vault = openVault(options.secret);
  const database = await openDatabases(options, { connections, timeoutMs });
  const { pool } = database;
  await requireSchema(database);
  const sql = makeStatements(database.orm);
  const settings = await boundsThatServerHas(pool);
  const writer = openLedgerWriter({
    pool,
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
  const notRefreshed = (err: unknown): void => log.warn({ err }, 'merchants cannot be refreshed');
  const directory = openDirectory(pool, { onError: notRefreshed, changed: serviceKeys.changed });
  const operators = openOperators(pool, (error) => log.warn({ err: error }, 'uses of tokens cannot be recorded'));
  const callLog = openCallLog(pool, (error) => log.warn({ err: error }, 'channel calls cannot be recorded'));
  return {
    database,
    sql,
    // Without tracing the ledger writer is not wrapped.
    commit: tracer ? traceCommits(writer.commit, tracer) : writer.commit,
    rehearse: openRehearsal({ pool, sql, rules: orderRules, scheduleScale, settings }),
    directory,
    channels: openChannels(pool, vault, options.adapters),
    adapters: options.adapters,
    statementFormats: options.statementFormats ?? {},
    channelHealth: openChannelHealth(),
    channelRouting: openChannelRouting(options.channelOutcomes ?? null, { scheduleScale }),
    createSlots: openChannelSlots(options.createsPerChannel ?? 200),
    callbackQueries: openCallbackQueries(),
    callLog,
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
    ready: () => requireAnswer(pool),
    close: async () => {
      await writer.drain();
      await directory.close();
      await callLog.close();
      await operators.close();
      await database.close();
    },
  };
}

/** The database, which reads from the replica if there is one. */
function openDatabases(
  { databaseUrl, databaseReadUrl: url, log, observer }: DomainOptions,
  limits: { connections: number; timeoutMs: number },
): Promise<Database> {
  const replica = { ...limits, log, ...(observer?.read && { observed: observer.read }) };
  return openDatabase(databaseUrl, {
    ...limits,
    ...(url !== undefined && { readFrom: (pool) => readReplica(pool, { ...replica, url }) }),
  });
}

/** Wakes the workers, and announces what was committed. */
function publish(written: Written, { wakeUp, announce, observer }: DomainOptions): void {
  const due = dueOf(written);
  if (due.length > 0) wakeUp(due);
  announce?.(changesOf(written));
  if (observer?.orderMoved) for (const move of movesOf(written)) observer.orderMoved(move);
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

function movesOf({ orders, events }: Written): Parameters<Required<Observer>['orderMoved']>[0][] {
  const moved = new Map(orders.map((order) => [order.orderNo, order]));
  return events.flatMap((event) => {
    const order = 'transition' in event ? moved.get(event.transition.orderNo) : undefined;
    return order && 'transition' in event
      ? [{ kind: order.kind, country: order.country, to: event.transition.to }]
      : [];
  });
}

function changesOf({ events }: Written): Change[] {
  return events.flatMap((event) => changeOf(event) ?? []);
}

function changeOf(event: LedgerEvent): Change | null {
  if ('transition' in event) {
    const { merchantId, orderNo, to } = event.transition;
    return { type: 'order', merchantId, orderNo, status: to };
  }
  if (event.type === 'approval requested' || event.type === 'approval decided') {
    const { merchantId, approvalId, state } = event.approval;
    return { type: 'approval', merchantId, approvalId, state };
  }
  if (event.type !== 'case opened' && event.type !== 'case closed') return null;
  const { merchantId, caseNo, state } = event.type === 'case opened' ? event.opened : event.closed;
  return { type: 'case', merchantId, caseNo, state };
}

/** Work that is due now. Later work is found by the dispatcher. */
function dueOf({ orders, events }: Written): Work[] {
  const due: Work[] = [];
  for (const event of events) {
    if (event.type === 'refund requested') {
      const { merchantId, caseNo, refundNo, orderNo, channelId, createdAt } = event.refund;
      due.push({ queue: 'refund', merchantId, caseNo, refundNo, orderNo, channelId, dueAt: createdAt });
    }
    if (event.type === 'settlement written') {
      const { merchantId, paymentNo: orderNo, channelId, nextAction, nextActionAt } = event.settlement;
      if (orderNo !== null && channelId !== null && nextAction === 'send' && nextActionAt !== null)
        due.push({ queue: 'settle', merchantId, orderNo, channelId, dueAt: nextActionAt });
    }
    if (event.type !== 'notification due') continue;
    const { merchantId, orderNo, status, host, createdAt, traceparent } = event.notification;
    const traced = traceparent !== null && { traceparent };
    due.push({ queue: 'notify', merchantId, orderNo, status, host, dueAt: createdAt, ...traced });
  }
  for (const { merchantId, orderNo, channelId, nextAction, nextActionAt, updatedAt, traceparent } of orders) {
    if (nextAction === null || nextActionAt === null || nextActionAt > updatedAt) continue;
    const traced = traceparent !== null && { traceparent };
    due.push({ queue: nextAction, merchantId, orderNo, channelId, dueAt: nextActionAt, ...traced });
  }
  return due;
}

import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { limitAnswers } from './answer-limit.ts';
import { countConnections, type HasConnections } from './connection-counts.ts';
import { surviveLoss } from './connection-loss.ts';
import { addressOf, connectionOptions, type MigrationTimeouts } from './connection-options.ts';
import {
  ApprovalRow,
  AuditRecordRow,
  ConfigurationVersionRow,
  Operator,
  OperatorDay,
  OperatorInvitation,
  OperatorSession,
  OperatorToken,
  PublicKeyOwner,
} from './entities/access.ts';
import {
  AuditCheckpointRow,
  AuditFindingRow,
  AuditRunRow,
  PayoutStopRow,
  PeriodSealRow,
  PeriodWalkRow,
  SealKeyRow,
} from './entities/audit.ts';
import { BankMappingRow, ChannelCall, ChannelRow, EnvironmentRow } from './entities/channel.ts';
import { OperatorPreferencesRow, SavedViewRow } from './entities/console.ts';
import { DataExportChunkRow, DataExportRow } from './entities/export.ts';
import {
  AccountTotal,
  AccountTotalProgress,
  ChannelHealthRow,
  HostHealthRow,
  LogProgress,
  OrderFacetsByDay,
  OrderFacetsByHour,
  OrderFacetsByQuarter,
  OrderFacetsProgress,
  OrderFiguresByDay,
  OrderFiguresByHour,
  OrderFiguresByQuarter,
  OrderFiguresProgress,
  WalletEntrySum,
} from './entities/figures.ts';
import {
  LedgerBatchRow,
  MoneyCaseRow,
  RefundRow,
  TransferRow,
  WalletEntryRow,
  WalletRow,
  WithheldMoneyRow,
} from './entities/ledger.ts';
import {
  FeeRuleRow,
  Merchant,
  MerchantKey,
  MerchantServiceKey,
  RouteRow,
  ScheduledFeeRuleRow,
} from './entities/merchant.ts';
import {
  NotificationAttempt,
  NotificationResend,
  NotificationRow,
  OrderRow,
  OrderSearchProgress,
  OrderSearchRow,
  OrderTransition,
  OrderWatchProgress,
  OrderWatchRow,
  PaymentRow,
} from './entities/order.ts';
import {
  ExpectationProgressRow,
  MatchedExpectationRow,
  MatchedLineRow,
  ReconciledChannelRow,
  ReconciliationBreakRow,
  ReconciliationDayRow,
  StatementBalanceRow,
  StatementChunkRow,
  StatementExpectationRow,
  StatementFetchRow,
  StatementFileRow,
  StatementLineRow,
  StatementUnparsedRow,
  SupersededLineRow,
} from './entities/reconciliation.ts';
import { RestoredPeriodRow, RetentionRow } from './entities/retention.ts';
import {
  SettlementAccountRow,
  SettlementCycleRow,
  SettlementFileRow,
  SettlementRow,
  SettlementRunRow,
} from './entities/settlement.ts';
import { AssignmentRow, AttachedFileRow, FileContentRow, NoteRow } from './entities/work.ts';
import { openResultCheck, type ReportUnreadable, type ResultCheck } from './json-columns.ts';
import { migrations } from './migrations/index.ts';
import { type Reading, readPrimary } from './reading.ts';

const entities = [
  Merchant,
  MerchantKey,
  FeeRuleRow,
  RouteRow,
  ScheduledFeeRuleRow,
  ChannelRow,
  BankMappingRow,
  ChannelCall,
  EnvironmentRow,
  MerchantServiceKey,
  PublicKeyOwner,
  Operator,
  OperatorToken,
  OperatorSession,
  OperatorInvitation,
  OperatorDay,
  SavedViewRow,
  OperatorPreferencesRow,
  AuditRecordRow,
  ConfigurationVersionRow,
  ApprovalRow,
  OrderRow,
  OrderSearchRow,
  OrderSearchProgress,
  OrderWatchRow,
  OrderWatchProgress,
  OrderTransition,
  PaymentRow,
  NotificationRow,
  NotificationAttempt,
  NotificationResend,
  WalletRow,
  WalletEntryRow,
  WithheldMoneyRow,
  TransferRow,
  MoneyCaseRow,
  RefundRow,
  LedgerBatchRow,
  AuditRunRow,
  RetentionRow,
  RestoredPeriodRow,
  NoteRow,
  AssignmentRow,
  AttachedFileRow,
  FileContentRow,
  AuditCheckpointRow,
  AuditFindingRow,
  PayoutStopRow,
  SealKeyRow,
  PeriodSealRow,
  PeriodWalkRow,
  OrderFiguresByQuarter,
  OrderFiguresByHour,
  OrderFiguresByDay,
  OrderFiguresProgress,
  OrderFacetsByQuarter,
  OrderFacetsByHour,
  OrderFacetsByDay,
  OrderFacetsProgress,
  WalletEntrySum,
  ChannelHealthRow,
  HostHealthRow,
  LogProgress,
  AccountTotal,
  AccountTotalProgress,
  ExpectationProgressRow,
  MatchedExpectationRow,
  MatchedLineRow,
  ReconciledChannelRow,
  ReconciliationBreakRow,
  ReconciliationDayRow,
  StatementChunkRow,
  StatementExpectationRow,
  StatementFetchRow,
  StatementFileRow,
  StatementLineRow,
  StatementUnparsedRow,
  StatementBalanceRow,
  SupersededLineRow,
  DataExportRow,
  DataExportChunkRow,
  SettlementRow,
  SettlementRunRow,
  SettlementFileRow,
  SettlementCycleRow,
  SettlementAccountRow,
];

/** The table with the names of the migrations that ran. */
export const migrationTable = 'migration';

export interface Database extends HasConnections {
  orm: MikroORM;
  pool: pg.Pool;
  /**
   * The connections that may write the ledger, for the ledger writer, `changeConfiguration`, the memory of channels and
   * their answers only. They have a database role of their own (ADR 0034). Without one it is `pool`.
   */
  ledgerPool: pg.Pool;
  /**
   * A few more connections of that role, for the reconciliation: its transactions are long, and no commit may wait for
   * them. They are opened when they are first used.
   */
  readonly reconciliationPool: pg.Pool;
  /** A new unit of work, whose flush is a transaction. */
  unitOfWork(): EntityManager;
  reading: Reading;
  /**
   * From now on an answer whose JSON columns do not have their shape is an error. A list leaves such rows out, and reports
   * them. The schema has to be there.
   */
  checkJsonColumns(report?: ReportUnreadable): Promise<void>;
  close(): Promise<void>;
}

/** The role that may write the ledger, by its URL, and how many connections it has. */
export interface LedgerConnections {
  url: string;
  connections: number;
}

/** For code that reads or writes tables itself. */
export interface DatabaseAccess {
  database: Database;
}

/** The connections of the reconciliation. It fetches, matches and rolls up beside each other. */
const reconciling = 4;

/** A pool with the same settings, so that values are parsed alike, for another role. */
function openPoolLike(
  pool: pg.Pool,
  { url, connections }: LedgerConnections,
  limits: { timeoutMs: number; check: ResultCheck },
): pg.Pool {
  const other = new pg.Pool({ ...pool.options, ...addressOf(url), max: connections });
  limitAnswers(other, limits.timeoutMs, limits.check);
  surviveLoss(other);
  return other;
}

/**
 * Opens the database.
 * - `orm`: for schema and reads.
 * - `pool`: the connections of the ORM, for named, pipelined and multi-row statements, which Kysely cannot send (ADR
 * 0002).
 * - `ledgerPool` and `reconciliationPool`: the connections of `ledger`.
 * - `reading`: for plain reads, made of the pool by `readFrom`.
 */
export async function openDatabase(
  url: string,
  options: {
    connections?: number;
    timeoutMs?: number;
    migrating?: MigrationTimeouts;
    ledger?: LedgerConnections | undefined;
    readFrom?: (pool: pg.Pool, check: ResultCheck) => Reading;
  } = {},
): Promise<Database> {
  const { timeoutMs = 20_000, migrating, ledger, readFrom = readPrimary } = options;
  const check = openResultCheck();
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    // Each migration runs in its own transaction, or in none if it says so. Its locks are released before the next
    // begins.
    migrations: {
      migrationsList: migrations,
      snapshot: false,
      silent: true,
      tableName: migrationTable,
      allOrNothing: false,
    },
    pool: { min: 0, max: options.connections ?? 10 },
    driverOptions: {
      ...connectionOptions(url, timeoutMs, migrating),
      application_name: 'tidegate',
      pipeline: true,
      query_timeout: 0,
      onPoolCreated: (pool: pg.Pool) => {
        surviveLoss(pool);
        if (!migrating) limitAnswers(pool, timeoutMs, check);
      },
    },
    discovery: { warnWhenNoEntities: false },
  });
  const connection = orm.em.getConnection();
  await connection.connect();
  const pool: pg.Pool = await connection.getNativeClient();
  const reading = readFrom(pool, check);
  const limits = { timeoutMs, check };
  const ledgerPool = ledger ? openPoolLike(pool, ledger, limits) : pool;
  let reconciliationPool = ledger ? null : pool;
  const others = (): pg.Pool[] => [ledgerPool, reconciliationPool ?? pool].filter((one) => one !== pool);
  return {
    orm,
    pool,
    ledgerPool,
    get reconciliationPool() {
      reconciliationPool ??= openPoolLike(pool, { url: ledger?.url ?? url, connections: reconciling }, limits);
      return reconciliationPool;
    },
    reading,
    checkJsonColumns: (report) => check.learn(pool, report),
    unitOfWork: () => orm.em.fork(),
    connections: () => [
      countConnections('primary', pool),
      ...others().map((one) => countConnections(one === ledgerPool ? 'ledger' : 'reconciliation', one)),
      ...reading.connections(),
    ],
    close: async () => {
      await reading.close();
      await Promise.all(others().map((one) => one.end()));
      await orm.close(true);
    },
  };
}

import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { limitAnswers } from './answer-limit.ts';
import { connectionOptions, type MigrationTimeouts } from './connection-options.ts';
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
  ServiceKey,
} from './entities/access.ts';
import {
  AuditCheckpointRow,
  AuditFindingRow,
  AuditRunRow,
  PeriodSealRow,
  PeriodWalkRow,
  SealKeyRow,
} from './entities/audit.ts';
import { BankMappingRow, ChannelCall, ChannelRow } from './entities/channel.ts';
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
  LedgerChainRow,
  LedgerSealRow,
  MoneyCaseRow,
  RefundRow,
  TransferRow,
  WalletEntryRow,
  WalletRow,
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
  ServiceKey,
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
  TransferRow,
  MoneyCaseRow,
  RefundRow,
  LedgerBatchRow,
  LedgerChainRow,
  LedgerSealRow,
  AuditRunRow,
  RetentionRow,
  RestoredPeriodRow,
  NoteRow,
  AssignmentRow,
  AttachedFileRow,
  FileContentRow,
  AuditCheckpointRow,
  AuditFindingRow,
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

export interface Database {
  orm: MikroORM;
  pool: pg.Pool;
  /** A new unit of work, whose flush is a transaction. */
  unitOfWork(): EntityManager;
  reading: Reading;
  close(): Promise<void>;
}

/** For code that reads or writes tables itself. */
export interface DatabaseAccess {
  database: Database;
}

/**
 * Opens the database.
 * - `orm`: for schema and reads.
 * - `pool`: the connections of the ORM, for named, pipelined and multi-row statements, which Kysely cannot send (ADR
 * 0002).
 * - `reading`: for plain reads, made of the pool by `readFrom`.
 */
export async function openDatabase(
  url: string,
  options: {
    connections?: number;
    timeoutMs?: number;
    migrating?: MigrationTimeouts;
    readFrom?: (pool: pg.Pool) => Reading;
  } = {},
): Promise<Database> {
  const { timeoutMs = 20_000, migrating, readFrom = readPrimary } = options;
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
      onPoolCreated: (pool: pg.Pool) => (migrating ? undefined : limitAnswers(pool, timeoutMs)),
    },
    discovery: { warnWhenNoEntities: false },
  });
  const connection = orm.em.getConnection();
  await connection.connect();
  const pool: pg.Pool = await connection.getNativeClient();
  const reading = readFrom(pool);
  return {
    orm,
    pool,
    reading,
    unitOfWork: () => orm.em.fork(),
    close: async () => {
      await reading.close();
      await orm.close(true);
    },
  };
}

import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import {
  ApprovalRow,
  AuditRecordRow,
  ConfigurationVersionRow,
  Operator,
  OperatorDay,
  OperatorInvitation,
  OperatorToken,
  PublicKeyOwner,
  ServiceKey,
} from './entities/access.ts';
import { AuditCheckpointRow, AuditFindingRow, AuditRunRow } from './entities/audit.ts';
import { BankMappingRow, ChannelCall, ChannelRow } from './entities/channel.ts';
import {
  AccountTotal,
  AccountTotalProgress,
  OrderFiguresByDay,
  OrderFiguresByHour,
  OrderFiguresProgress,
} from './entities/figures.ts';
import {
  LedgerBatchRow,
  LedgerChainRow,
  LedgerSealRow,
  MoneyCaseRow,
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
  OrderTransition,
  PaymentRow,
} from './entities/order.ts';
import { RetentionRow } from './entities/retention.ts';
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
  OperatorInvitation,
  OperatorDay,
  AuditRecordRow,
  ConfigurationVersionRow,
  ApprovalRow,
  OrderRow,
  OrderTransition,
  PaymentRow,
  NotificationRow,
  NotificationAttempt,
  NotificationResend,
  WalletRow,
  WalletEntryRow,
  TransferRow,
  MoneyCaseRow,
  LedgerBatchRow,
  LedgerChainRow,
  LedgerSealRow,
  AuditRunRow,
  RetentionRow,
  AuditCheckpointRow,
  AuditFindingRow,
  OrderFiguresByHour,
  OrderFiguresByDay,
  OrderFiguresProgress,
  AccountTotal,
  AccountTotalProgress,
];

/** Of the session that migrates, in milliseconds: what a statement, and what waiting for one lock, may take. */
export interface MigrationTimeouts {
  statementMs: number;
  lockMs: number;
}

/** Where the database keeps which migrations ran, by their names. */
export const migrationTable = 'migration';

/** How long a service's statement waits for a lock at the most, in ms. */
const longestLockMs = 5_000;

export interface Database {
  orm: MikroORM;
  pool: pg.Pool;
  /** A new unit of work, whose flush is a transaction. */
  unitOfWork(): EntityManager;
  reading: Reading;
  close(): Promise<void>;
}

/** For what reads or writes tables by itself. */
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
    patienceMs?: number;
    migrating?: MigrationTimeouts;
    readFrom?: (pool: pg.Pool) => Reading;
  } = {},
): Promise<Database> {
  const { patienceMs = 20_000, migrating, readFrom = readPrimary } = options;
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    // Each in a transaction of its own, or in none if it says so: what one has locked is free again before the next begins.
    migrations: {
      ...{ migrationsList: migrations, snapshot: false, silent: true, tableName: migrationTable },
      allOrNothing: false,
    },
    pool: { min: 0, max: options.connections ?? 10 },
    // A transaction that lost its process must not hold a wallet; a statement that hangs must not hold a shard.
    driverOptions: {
      pipeline: true,
      application_name: 'tidegate',
      connectionTimeoutMillis: Math.min(5_000, patienceMs),
      // An index over all orders takes longer than any statement of a service.
      statement_timeout: migrating?.statementMs ?? 15_000,
      query_timeout: migrating ? 0 : patienceMs,
      // Shorter than our own patience: a statement that was given up waits for no lock, and holds none while it does.
      lock_timeout: migrating?.lockMs ?? Math.min(longestLockMs, Math.round(patienceMs * 0.7)),
      // A frozen process must not hold what others wait for; the ledger writer's own transactions set less.
      idle_in_transaction_session_timeout: migrating ? 15_000 : 5_000,
      keepAlive: true,
    },
    discovery: { warnWhenNoEntities: false },
  });
  const connection = orm.em.getConnection();
  await connection.connect();
  const pool: pg.Pool = await connection.getNativeClient();
  const reading = readFrom(pool);
  return {
    ...{ orm, pool, reading },
    unitOfWork: () => orm.em.fork(),
    close: async () => {
      await reading.close();
      await orm.close(true);
    },
  };
}

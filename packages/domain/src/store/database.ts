import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { ApprovalRow, AuditRecordRow, Operator, OperatorToken, ServiceKey } from './entities/access.ts';
import { AuditCheckpointRow, AuditFindingRow, AuditRunRow } from './entities/audit.ts';
import { BankMappingRow, ChannelCall, ChannelRow } from './entities/channel.ts';
import {
  AccountTotal,
  AccountTotalProgress,
  OrderFiguresByDay,
  OrderFiguresByHour,
  OrderFiguresProgress,
} from './entities/figures.ts';
import { MoneyCaseRow, TransferRow, WalletEntryRow, WalletRow } from './entities/ledger.ts';
import { FeeRuleRow, Merchant, MerchantKey, RouteRow } from './entities/merchant.ts';
import {
  NotificationAttempt,
  NotificationResend,
  NotificationRow,
  OrderRow,
  OrderTransition,
  PaymentRow,
} from './entities/order.ts';
import { migrations } from './migrations/index.ts';

const entities = [
  Merchant,
  MerchantKey,
  FeeRuleRow,
  RouteRow,
  ChannelRow,
  BankMappingRow,
  ChannelCall,
  ServiceKey,
  Operator,
  OperatorToken,
  AuditRecordRow,
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
  AuditRunRow,
  AuditCheckpointRow,
  AuditFindingRow,
  OrderFiguresByHour,
  OrderFiguresByDay,
  OrderFiguresProgress,
  AccountTotal,
  AccountTotalProgress,
];

export type Database = Awaited<ReturnType<typeof openDatabase>>;

/**
 * Opens the database: `orm` for schema and reads, `pool` (the very connections that the ORM uses) for the statements that
 * are named, pipelined and multi-row, which Kysely cannot send (docs/decisions/0002).
 */
export async function openDatabase(
  url: string,
  options: { connections?: number; patienceMs?: number; isMigrating?: boolean } = {},
) {
  const { patienceMs = 20_000, isMigrating = false } = options;
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, silent: true, tableName: 'migration' },
    pool: { min: 0, max: options.connections ?? 10 },
    // A transaction that lost its process must not hold a wallet; a statement that hangs must not hold a lane.
    driverOptions: {
      pipeline: true,
      application_name: 'tidegate',
      connectionTimeoutMillis: Math.min(5_000, patienceMs),
      // An index over all orders takes as long as it takes.
      statement_timeout: isMigrating ? 0 : 15_000,
      query_timeout: isMigrating ? 0 : patienceMs,
      idle_in_transaction_session_timeout: isMigrating ? 0 : 15_000,
      keepAlive: true,
    },
    discovery: { warnWhenNoEntities: false },
  });
  const connection = orm.em.getConnection();
  await connection.connect();
  const pool: pg.Pool = await connection.getNativeClient();
  return { orm, pool, close: () => orm.close(true) };
}

/** Brings the schema of the database at `url` up to date. Safe to run by several processes at once. */
export async function migrateDatabase(url: string): Promise<void> {
  const database = await openDatabase(url, { connections: 2, isMigrating: true });
  const lock = await database.pool.connect();
  try {
    await lock.query('select pg_advisory_lock(720140931)');
    await database.orm.migrator.up();
  } finally {
    await lock.query('select pg_advisory_unlock(720140931)').finally(() => lock.release());
    await database.close();
  }
}

import type { OrderRef } from '../core/order.ts';
import { type LedgerEnd, rowsBetween } from '../core/period-seal.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { checkWallets } from './check-wallets.ts';
import { ledgerSqlOf } from './ledger-sql.ts';
import { checkOrders, orderRules } from './order-rules.ts';
import { type Position, startOf } from './position.ts';
import type { SealKeys } from './seals/seal-keys.ts';
import { sealedEnds } from './seals/stored-seals.ts';
import { inSnapshot, type Read } from './snapshot.ts';
import { askRules, type Violation } from './violation.ts';
import { type RowsPosition, rowsStep, startOfRows } from './walk-rows.ts';

/**
 * The position of a walk over the whole database: the orders by their key, then the wallets, then the rows of the
 * chained tables.
 */
export type WholePosition =
  | { phase: 'orders'; after: OrderRef }
  | { phase: 'wallets'; after: string; positions: Position[] }
  | { phase: 'rows'; rows: RowsPosition };

export interface Checked {
  wallets: number;
  orders: number;
  entries: number;
  transfers: number;
  notifications: number;
}

export const nothing: Readonly<Checked> = { wallets: 0, orders: 0, entries: 0, transfers: 0, notifications: 0 };

export interface WholeStep {
  /** Null when all was read. */
  next: WholePosition | null;
  violations: Violation[];
  checked: Checked;
}

export const wholeStart: WholePosition = { phase: 'orders', after: { merchantId: '', orderNo: '' } };

/** The number of rows of one kind that one step reads, whatever the size of the database. */
const ordersPerStep = 1_000;
const rowsPerStep = 2_000;
const walletsPerStep = 100;

/**
 * One bounded step of a walk over the whole ledger. Each step has its own snapshot. An order's invariants hold in
 * every snapshot, and a wallet's past entries never change. So only the last page has to share its snapshot with the
 * wallet's row. With `keys` a wallet is read from its last seal on, if that is genuine.
 */
export function stepOn(
  domain: DatabaseAccess,
  position: WholePosition,
  keys: SealKeys | null = null,
): Promise<WholeStep> {
  return inSnapshot(domain, (read) => {
    switch (position.phase) {
      case 'orders':
        return ordersStep(read, position.after);
      case 'wallets':
        return walletsStep(read, domain, position, keys);
      case 'rows':
        return chainedRowsStep(read, position.rows);
      default:
        return position satisfies never;
    }
  });
}

async function ordersStep(read: Read, after: OrderRef): Promise<WholeStep> {
  const refs = await read<OrderRef>(ordersSql, [after.merchantId, after.orderNo, ordersPerStep]);
  const last = refs.at(-1);
  const { violations, orders, notifications } = await checkOrders(read, refs);
  return {
    next: last && refs.length === ordersPerStep ? { phase: 'orders', after: last } : firstWallets,
    violations,
    checked: { ...nothing, orders, notifications },
  };
}

const firstWallets: WholePosition = { phase: 'wallets', after: '', positions: [] };

async function walletsStep(
  read: Read,
  domain: DatabaseAccess,
  { after, positions: firstPositions }: Extract<WholePosition, { phase: 'wallets' }>,
  keys: SealKeys | null,
): Promise<WholeStep> {
  const positions = firstPositions.length > 0 ? firstPositions : await nextWallets(read, after, keys);
  const last = positions.at(-1);
  if (!last) return { next: { phase: 'rows', rows: startOfRows() }, violations: [], checked: nothing };
  const check = await checkWallets(read, ledgerSqlOf(domain.database.orm), positions, rowsPerStep);
  const left = check.positions.filter(({ merchantId }) => !check.ended.has(merchantId));
  return {
    next: { phase: 'wallets', after: firstPositions.length > 0 ? after : last.merchantId, positions: left },
    violations: [...check.violations, ...(await unknownOrders(read, check.named))],
    checked: { ...nothing, wallets: check.ended.size, entries: check.entries, transfers: check.transfers },
  };
}

async function chainedRowsStep(read: Read, position: RowsPosition): Promise<WholeStep> {
  const { next, violations } = await rowsStep(read, position);
  return { next: next && { phase: 'rows', rows: next }, violations, checked: nothing };
}

/** The next wallets by their key: as many as fill a step, and at least one. */
async function nextWallets(read: Read, after: string, keys: SealKeys | null): Promise<Position[]> {
  const wallets = await read<LedgerEnd & { merchantId: string }>(walletsSql, [after, walletsPerStep]);
  const starts = keys ? await sealedEnds(read, keys, after, walletsPerStep) : new Map<string, Position>();
  let sum = 0;
  const fitting = wallets
    .map((end) => ({ end, from: starts.get(end.merchantId) ?? startOf(end.merchantId) }))
    .filter(({ end, from }, i) => {
      sum += Math.max(0, rowsBetween(from, end));
      return i === 0 || sum <= rowsPerStep;
    });
  return fitting.map(({ from }) => from);
}

/** Entries and transfers of orders that do not exist. The rest is checked for each order. */
function unknownOrders(read: Read, named: readonly OrderRef[]): Promise<Violation[]> {
  const rule = 'an order that is named is there';
  const sql = orderRules[rule];
  if (sql === undefined || named.length === 0) return Promise.resolve([]);
  return askRules(read, { [rule]: sql }, [named.map((ref) => ref.merchantId), named.map((ref) => ref.orderNo), []]);
}

// The rows of a missing order are found under its number too.
const ordersSql = `select merchant_id as "merchantId", order_no as "orderNo" from (
  (select merchant_id, order_no from orders where (merchant_id, order_no) > ($1, $2) order by 1, 2 limit $3)
  union (select merchant_id, order_no from notification where (merchant_id, order_no) > ($1, $2) order by 1, 2 limit $3)
  union (select merchant_id, order_no from order_transition where (merchant_id, order_no) > ($1, $2) and seq = 1 order by 1, 2 limit $3)) as t
  order by merchant_id, order_no limit $3`;

const walletsSql = `select merchant_id as "merchantId", last_entry_no::float8 as "entryNo", last_transfer_no::float8 as "transferNo",
    last_audit_no::float8 as "auditNo", last_batch_no::float8 as "batchNo"
  from wallet where merchant_id > $1 order by merchant_id limit $2`;

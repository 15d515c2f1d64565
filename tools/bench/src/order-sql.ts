import type { OrderKind } from '@tidegate/domain';
import { merchantPrefix } from './merchants.ts';
import { type OrderRows, type OrderTable, orderTables } from './order-rows.ts';

/** How a script language writes variables, and which texts it cannot contain. */
export interface Language {
  /** `m`, `cents` and `drawn` are random values per order. The other names are columns of the `lock` statement. */
  variable(name: string): string;
  check(text: string): void;
}

/**
 * The statements that write an order like `sample`, which Tidegate created. They write every column, with the sample's
 * value if it does not vary, so the rows are as wide as ours. `lock` runs first: it locks the wallet and returns the
 * values that our process computes in JavaScript. `writes` follow in this order.
 */
export function orderSql(kind: OrderKind, sample: OrderRows, language: Language): { lock: string; writes: string[] } {
  const inserts = orderTables[kind].map((table) => insert(table, sample[table] ?? [], language));
  return { lock: lock(kind, sample, language), writes: [...inserts, updateWallet(kind, language)] };
}

function updateWallet(kind: OrderKind, { variable }: Language): string {
  const moved = ['available', 'frozen', 'last_entry_no', 'last_transfer_no'];
  const linked = ['last_batch_no', 'last_batch_hash', 'updated_at', 'recorded_at'];
  const set = [...(kind === 'payout' ? moved : []), ...linked].map(
    (column) => `${column} = ${variable(ofWallet[column] ?? '')}`,
  );
  return `update wallet set ${set.join(', ')} where merchant_id = ${variable('merchant')}`;
}

const ofWallet: Readonly<Record<string, string>> = {
  available: 'available_after',
  frozen: 'frozen_after',
  last_entry_no: 'entry_no',
  last_transfer_no: 'transfer_no',
  last_batch_no: 'batch_no',
  last_batch_hash: 'batch_hash',
  updated_at: 'now',
  recorded_at: 'now',
};

function lock(kind: OrderKind, sample: OrderRows, { variable }: Language): string {
  // The rows of the link: {o:<order>:<transitions>,e:<from>:<to>,t:<from>:<to>}, without a colon, which pgbench would read.
  const names = `'{o-', o.order_no, '-${sample.order_transition?.length ?? 0}'${kind === 'payout' ? `, ${rangeAfter('e', 'w.last_entry_no')}, ${rangeAfter('t', 'w.last_transfer_no')}` : ''}, '}'`;
  const [m, cents, drawn] = ['m', 'cents', 'drawn'].map(variable);
  return `select w.merchant_id as merchant, w.available, w.frozen, w.last_entry_no + 1 as entry_no, w.last_transfer_no + 1 as transfer_no,
  p.amount, p.fee, p.amount ${kind === 'payout' ? '+' : '-'} p.fee as net, -p.amount - p.fee as net_out, w.available - p.amount - p.fee as available_after,
  w.frozen + p.amount + p.fee as frozen_after, clock_timestamp() as now, clock_timestamp() + interval '30 minutes' as expiry, o.order_no,
  w.last_batch_no + 1 as batch_no,
  encode(sha256((w.last_batch_hash || w.last_batch_no)::bytea), 'hex') as batch_hash, replace(concat(${names}), '-', chr(58)) as batch_rows
  from wallet w, (select round((${cents})::numeric / 100, 2) as amount, round((${cents})::numeric / 10000 + 5, 2) as fee) p,
  (select '${kind === 'payout' ? 'PO' : 'PI'}' || (extract(epoch from clock_timestamp()) * 1000)::bigint || lpad((${drawn})::text, 12, '0') as order_no) o
  where w.merchant_id = '${merchantPrefix(kind)}' || (${m})::text for update of w`;
}

/** A range of the one row after the last. */
const rangeAfter = (letter: string, last: string): string => `',${letter}-', ${last} + 1, '-', ${last} + 1`;

/** The columns that vary between orders. Merchant order numbers are as long as the sample's own. */
const varying: Readonly<Record<string, string>> = {
  merchant_id: 'merchant',
  order_no: 'order_no',
  merchant_order_no: 'order_no',
  amount: 'amount',
  fee_amount: 'fee',
  net_amount: 'net',
  next_action_at: 'now',
  created_at: 'now',
  updated_at: 'now',
  expires_at: 'expiry',
  at: 'now',
  entry_no: 'entry_no',
  transfer_no: 'transfer_no',
  available_change: 'net_out',
  frozen_change: 'net',
  available_before: 'available',
  available_after: 'available_after',
  frozen_before: 'frozen',
  frozen_after: 'frozen_after',
  batch_no: 'batch_no',
  rows: 'batch_rows',
};

function insert(table: OrderTable, rows: Record<string, unknown>[], { variable, check }: Language): string {
  const columns = Object.keys(rows[0] ?? {});
  const expression = (row: Record<string, unknown>, column: string): string => {
    if (table === 'transfer' && column === 'amount') return variable('net');
    if (table === 'ledger_batch' && column === 'hash') return variable('batch_hash');
    if (table === 'ledger_batch' && column === 'rows') return `(${variable('batch_rows')})::text[]`;
    const name = varying[column];
    if (row[column] === null) return 'null';
    return name === undefined ? literal(row[column], check) : variable(name);
  };
  const values = rows.map((row) => `(${columns.map((column) => expression(row, column)).join(', ')})`);
  return `insert into ${table} (${columns.map((column) => `"${column}"`).join(', ')}) values ${values.join(', ')}`;
}

function literal(value: unknown, check: Language['check']): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  check(text);
  return `'${text.replaceAll("'", "''")}'`;
}

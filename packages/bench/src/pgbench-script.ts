import type { OrderKind } from '@tidegate/domain';
import { merchantPrefix } from './merchants.ts';
import { type OrderRows, type OrderTable, orderTables } from './order-rows.ts';

/**
 * The script of pgbench: it writes the rows of `sample`, an order that Tidegate created, in one transaction per order.
 * It writes every column, with the sample's value if it does not vary, so the rows are as wide as ours.
 */
export function pgbenchScript(kind: OrderKind, sample: OrderRows): string {
  return [
    '\\set m random(1, :wallets)',
    '\\set cents random(10000, 99999)',
    '\\set drawn random(0, 999999999999)',
    'begin;',
    lock(kind, sample),
    ...orderTables[kind].map((table) => insert(table, sample[table] ?? [])),
    kind === 'payout' ? freeze : link,
    'commit;',
    '',
  ].join('\n');
}

const freeze = `update wallet set available = :available_after, frozen = :frozen_after, last_entry_no = :entry_no, last_entry_hash = :hash,
  last_transfer_no = :transfer_no, last_batch_no = :batch_no, last_batch_hash = :batch_hash, updated_at = :now where merchant_id = :merchant;`;
const link = `update wallet set last_batch_no = :batch_no, last_batch_hash = :batch_hash, updated_at = :now where merchant_id = :merchant;`;

/** Locks the wallet and computes the values that our process computes in JavaScript. */
function lock(kind: OrderKind, sample: OrderRows): string {
  // The rows of the link: {o:<order>:<transitions>,t:<from>:<to>}. pgbench would read a colon before a letter as a
  // variable.
  const names = `'{o-', o.order_no, '-${sample.order_transition?.length ?? 0}'${kind === 'payout' ? ", ',t-', w.last_transfer_no + 1, '-', w.last_transfer_no + 1" : ''}, '}'`;
  return `select w.merchant_id as merchant, w.available, w.frozen, w.last_entry_no + 1 as entry_no, w.last_transfer_no + 1 as transfer_no,
  p.amount, p.fee, p.amount ${kind === 'payout' ? '+' : '-'} p.fee as net, -p.amount - p.fee as net_out, w.available - p.amount - p.fee as available_after,
  w.frozen + p.amount + p.fee as frozen_after, clock_timestamp() as now, clock_timestamp() + interval '30 minutes' as expiry, o.order_no,
  encode(sha256((w.last_entry_hash || w.last_entry_no)::bytea), 'hex') as hash, w.last_batch_no + 1 as batch_no,
  encode(sha256((w.last_batch_hash || w.last_batch_no)::bytea), 'hex') as batch_hash, replace(concat(${names}), '-', chr(58)) as batch_rows
  from wallet w, (select round((:cents)::numeric / 100, 2) as amount, round((:cents)::numeric / 10000 + 5, 2) as fee) p,
  (select '${kind === 'payout' ? 'PO' : 'PI'}' || (extract(epoch from clock_timestamp()) * 1000)::bigint || lpad((:drawn)::text, 12, '0') as order_no) o
  where w.merchant_id = '${merchantPrefix(kind)}' || (:m)::text for update of w \\gset`;
}

/** The columns that vary between orders. Merchant order numbers are as long as the sample's own. */
const varying: Readonly<Record<string, string>> = {
  merchant_id: ':merchant',
  order_no: ':order_no',
  merchant_order_no: ':order_no',
  amount: ':amount',
  fee_amount: ':fee',
  net_amount: ':net',
  next_action_at: ':now',
  created_at: ':now',
  updated_at: ':now',
  expires_at: ':expiry',
  at: ':now',
  entry_no: ':entry_no',
  transfer_no: ':transfer_no',
  available_change: ':net_out',
  frozen_change: ':net',
  available_before: ':available',
  available_after: ':available_after',
  frozen_before: ':frozen',
  frozen_after: ':frozen_after',
  hash: ':hash',
  batch_no: ':batch_no',
  rows: ':batch_rows',
};

function insert(table: OrderTable, rows: Record<string, unknown>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const expression = (row: Record<string, unknown>, column: string): string => {
    if (table === 'transfer' && column === 'amount') return ':net';
    if (table === 'ledger_batch' && column === 'hash') return ':batch_hash';
    return row[column] === null ? 'null' : (varying[column] ?? literal(row[column]));
  };
  const values = rows.map((row) => `(${columns.map((column) => expression(row, column)).join(', ')})`);
  return `insert into ${table} (${columns.map((column) => `"${column}"`).join(', ')}) values ${values.join(', ')};`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // pgbench would read a colon before a letter as the name of a variable.
  if (/:[A-Za-z_]/.test(text)) throw new Error(`pgbench cannot write ${text}`);
  return `'${text.replaceAll("'", "''")}'`;
}

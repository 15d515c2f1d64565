import type { EntityName, MikroORM } from '@mikro-orm/postgresql';
import { type Column, columnsOfEntity, millis, read, type Statement } from '../database/columns.ts';
import { ApprovalRow, AuditRecordRow } from '../database/entities/access.ts';
import { LedgerBatchRow, MoneyCaseRow, TransferRow, WalletEntryRow, WalletRow } from '../database/entities/ledger.ts';
import { NotificationRow, OrderRow, OrderTransition, PaymentRow } from '../database/entities/order.ts';

/** The seam's statements. Each takes whole batches: keys as arrays, rows as one JSON text of the core's own objects. */
export type Statements = ReturnType<typeof makeStatements>;

/** Derives the statements' columns from the entities, so that a column is named once. */
export function makeStatements(orm: MikroORM) {
  const columns = (entity: EntityName): Column[] => columnsOfEntity(orm, entity);
  const orders = columns(OrderRow);
  const lockWallets = `select ${selectList(columns(WalletRow))}, ${millis('clock_timestamp()')} as "now" from wallet t
    where merchant_id = any($1::text[]) order by merchant_id`;
  const byOrder = 'join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.order_no = k.n';
  return {
    lockWallets: { name: 'lock-wallets', text: `${lockWallets} for update` },
    /** Leaves out the wallets that another session holds, instead of waiting for them. */
    lockFreeWallets: { name: 'lock-free-wallets', text: `${lockWallets} for update skip locked` },
    orderByNo: {
      name: 'order-by-no',
      text: `select ${selectList(orders)} from orders t where merchant_id = $1 and order_no = $2`,
    },
    orderByMerchantOrderNo: {
      name: 'order-by-merchant-order-no',
      text: `select ${selectList(orders)} from orders t where merchant_id = $1 and merchant_order_no = $2`,
    },
    /** How many open payouts wait for too long, counted up to $2. */
    stuckPayoutCount: {
      name: 'stuck-payout-count',
      text: `select count(*)::integer as count from (select from orders where ${isStuck('$1')} limit $2) t`,
    },
    ordersByMerchantOrderNo: {
      name: 'orders-by-merchant-order-no',
      text: `select ${selectList(orders)} from orders t
        join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.merchant_order_no = k.n`,
    },
    ordersByKey: { name: 'orders-by-key', text: `select ${selectList(orders)} from orders t ${byOrder}` },
    transitionCounts: {
      name: 'transition-counts',
      text: `select t.merchant_id as "merchantId", t.order_no as "orderNo", max(t.seq) as "count" from order_transition t ${byOrder} group by 1, 2`,
    },
    paymentsByOrder: {
      name: 'payments-by-order',
      text: `select ${selectList(columns(PaymentRow))} from payment t ${byOrder}`,
    },
    takenOrderNos: {
      name: 'taken-order-nos',
      text: `select t.merchant_id as "merchantId", t.merchant_order_no as "merchantOrderNo", t.order_no as "orderNo"
        from orders t join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.merchant_order_no = k.n`,
    },
    bookedNos: {
      name: 'booked-nos',
      text: `select t.merchant_id as "merchantId", t.booking_no as "bookingNo", t.type as entry, t.available_change::text as amount
        from wallet_entry t join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.booking_no = k.n`,
    },
    ...caseReads(columns(MoneyCaseRow), byOrder),
    approvalsById: {
      name: 'approvals-by-id',
      text: `select ${selectList(columns(ApprovalRow))} from approval t join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.approval_id = k.n`,
    },
    /** Of these commands those whose decision is on record. */
    decidedCommands: {
      name: 'decided-commands',
      text: `select t.merchant_id as "merchantId", t.command_id::text as id from audit_record t
        join unnest($1::text[], $2::uuid[]) as k(m, n) on t.merchant_id = k.m and t.command_id = k.n`,
    },
    ...writesOf(columns),
  } as const satisfies Record<string, Statement>;
}

function writesOf(columns: (entity: EntityName) => Column[]) {
  const orders = columns(OrderRow);
  return {
    insertOrders: insert('orders', orders),
    updateOrders: update('orders', orders, orderChanges),
    insertTransitions: insert('order_transition', columns(OrderTransition)),
    insertEntries: insert('wallet_entry', columns(WalletEntryRow)),
    insertTransfers: insert('transfer', columns(TransferRow)),
    insertPayments: insert('payment', columns(PaymentRow)),
    insertCases: insert('money_case', columns(MoneyCaseRow)),
    updateCases: update('money_case', columns(MoneyCaseRow), ['state', 'closedAt']),
    updateApprovals: decideApprovals(columns(ApprovalRow)),
    /** Holds what these operators ($1) move in the currencies of these merchants ($2) today, and gives how much it is. */
    holdOperatorDays: {
      name: 'hold-operator-days',
      text: `insert into operator_day as d (operator_id, day, currency)
        select distinct k.o, (clock_timestamp() at time zone 'UTC')::date, w.currency
        from unnest($1::text[], $2::text[]) as k(o, m) join wallet w on w.merchant_id = k.m order by 1, 3
        on conflict (operator_id, day, currency) do update set amount = d.amount
        returning operator_id as "operatorId", day::text as day, currency, amount::text as amount`,
    },
    updateOperatorDays: {
      name: 'update-operator-days',
      text: `update operator_day t set amount = r.amount
        from json_to_recordset($1::json) as r("operatorId" text, day date, currency text, amount numeric)
        where t.operator_id = r."operatorId" and t.day = r.day and t.currency = r.currency`,
    },
    insertBatches: insert('ledger_batch', columns(LedgerBatchRow)),
    insertAudits: insert('audit_record', columns(AuditRecordRow)),
    insertNotifications: insert('notification', columns(NotificationRow)),
    updateWallets: update('wallet', columns(WalletRow), walletChanges),
  };
}

function caseReads(cases: Column[], byOrder: string) {
  return {
    casesByNo: {
      name: 'cases-by-no',
      text: `select ${selectList(cases)} from money_case t
        join unnest($1::text[], $2::bigint[]) as k(m, n) on t.merchant_id = k.m and t.case_no = k.n`,
    },
    openCasesByOrder: {
      name: 'open-cases-by-order',
      text: `select ${selectList(cases)} from money_case t ${byOrder} where t.state = 'open'`,
    },
  } as const satisfies Record<string, Statement>;
}

/** What is decided needs its secrets no more. */
function decideApprovals(columns: Column[]): Statement {
  const { name, text } = update('approval', columns, ['state', 'decidedBy', 'decidedAt']);
  return { name, text: text.replace(' set ', ' set secrets = null, ') };
}

/** A payout that is open for longer than this, in milliseconds, waits too long for its channel (before scaling). */
export const stuckAfter = 60 * 60_000;

/**
 * An open payout that a channel has had for more than `millis`, or a market payout whose proof nobody has judged for as long; the partial
 * index `orders_open_payouts` holds just the open ones.
 */
export function isStuck(millis: string): string {
  return `kind = 'payout' and status in ('created', 'processing', 'market_available') and case mode
    when 'upstream' then created_at < clock_timestamp() - ${millis} * interval '1 ms'
    when 'market' then (task->'proof'->>'at')::float8 < extract(epoch from clock_timestamp()) * 1000 - ${millis}
    else false end`;
}

const orderChanges = [
  'status',
  'paidAmount',
  'channelId',
  'channelBankCode',
  'channelRef',
  'payLink',
  'payQr',
  'task',
  'failureReason',
  'contradiction',
  'nextAction',
  'nextActionAt',
  'attempt',
  'updatedAt',
  'completedAt',
  'commandId',
];
const walletChanges = [
  'available',
  'frozen',
  'lastEntryNo',
  'lastEntryHash',
  'lastTransferNo',
  'lastCaseNo',
  'lastAuditNo',
  'lastAuditHash',
  'lastBatchNo',
  'lastBatchHash',
  'updatedAt',
];

/** Columns as the core wants them: times as Unix milliseconds, 64-bit counters as numbers, numerics as text. */
function selectList(columns: Column[]): string {
  return columns.map((c) => `${read(c, 't')} as "${c.property}"`).join(', ');
}

/** `r(…)`: the rows of a JSON text, one column for each property, under the property's name. */
function rows(columns: Column[]): string {
  const type = (c: Column): string => (c.type === 'timestamptz' ? 'float8' : c.type);
  return `json_to_recordset($1::json) as r(${columns.map((c) => `"${c.property}" ${type(c)}`).join(', ')})`;
}

function value(column: Column): string {
  return column.type === 'timestamptz' ? `to_timestamp(r."${column.property}" / 1000)` : `r."${column.property}"`;
}

function insert(table: string, columns: Column[]): Statement {
  const text = `insert into ${table} (${columns.map((c) => c.name).join(', ')}) select ${columns.map(value).join(', ')} from ${rows(columns)}`;
  return { name: `insert-${table}`, text };
}

function update(table: string, columns: Column[], changing: string[]): Statement {
  const used = columns.filter((c) => c.primary || changing.includes(c.property));
  const set = used.filter((c) => !c.primary).map((c) => `${c.name} = ${value(c)}`);
  const key = used.filter((c) => c.primary).map((c) => `t.${c.name} = r."${c.property}"`);
  return {
    name: `update-${table}`,
    text: `update ${table} t set ${set.join(', ')} from ${rows(used)} where ${key.join(' and ')}`,
  };
}

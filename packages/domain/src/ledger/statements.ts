import type { EntityName, MikroORM } from '@mikro-orm/postgresql';
import { withoutOrder } from '../core/unmatched.ts';
import { type Column, columnsOf, columnsOfEntity, millis, read, type Statement } from '../database/columns.ts';
import { ApprovalRow, AuditRecordRow } from '../database/entities/access.ts';
import {
  LedgerBatchRow,
  MoneyCaseRow,
  RefundRow,
  TransferRow,
  WalletEntryRow,
  WalletRow,
} from '../database/entities/ledger.ts';
import { NotificationRow, OrderRow, OrderTransition, PaymentRow } from '../database/entities/order.ts';
import { SettlementRow } from '../database/entities/settlement.ts';
import { isAbout } from '../lists/conditions.ts';
import { orderChanges, refundChanges, walletChanges } from './changing-columns.ts';
import { stoppedPayoutsStatement } from './payout-stops/statements.ts';
import { asArrays, asJson, type WritingStatement } from './row-parameters.ts';

/** The ledger writer's statements. Each takes whole batches: keys as arrays, rows as one array per column or one JSON text. */
export type Statements = ReturnType<typeof makeStatements>;

/**
 * The first moment that no roll-up has behind it: none looks for rows from before. Each keeps its progress in one row. After the clock stepped back
 * this is later than now.
 */
const passedSql = `(select greatest(f.until, c.until, s.until, w.until) + interval '1 ms'
  from order_figures_progress f, order_facets_progress c, order_search_progress s, order_watch_progress w
  where f.name = 'orders' and c.name = 'facets' and s.name = 'orders' and w.name = 'orders')`;

/** Derives the statements' columns from the entities, so that a column is named once. */
export function makeStatements(orm: MikroORM) {
  const columns = (entity: EntityName): Column[] => columnsOfEntity(orm, entity);
  const orders = columns(OrderRow);
  const byOrder = 'join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.order_no = k.n';
  return {
    ...locksOf(columns(WalletRow)),
    stoppedPayouts: stoppedPayoutsStatement,
    orderByNo: {
      name: 'order-by-no',
      text: `select ${selectList(orders)} from orders t where merchant_id = $1 and order_no = $2`,
    },
    checkoutOrder: checkoutOrder(orders),
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
      text: `select t.merchant_id as "merchantId", t.booking_no as "bookingNo", t.type as entry, t.available_change::text as amount, t.counter
        from wallet_entry t join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.booking_no = k.n`,
    },
    ...caseReads(columns(MoneyCaseRow), byOrder),
    ...historyReads(byOrder),
    refundsByNo: {
      name: 'refunds-by-no',
      text: `select ${selectList(columns(RefundRow))} from refund t
        join unnest($1::text[], $2::text[]) as k(m, n) on t.merchant_id = k.m and t.refund_no = k.n`,
    },
    settlementsBySeq: settlementsBySeq(columns(SettlementRow)),
    ...approvalsOf(columns(ApprovalRow)),
    /** Of these commands, those with a recorded decision. */
    decidedCommands: {
      name: 'decided-commands',
      text: `select t.merchant_id as "merchantId", t.command_id::text as id from audit_record t
        join unnest($1::text[], $2::uuid[]) as k(m, n) on t.merchant_id = k.m and t.command_id = k.n`,
    },
    ...writesOf(columns),
  } as const satisfies Record<string, Statement>;
}

/** Approvals of the commands: those that they name, and those that wait about an object of a new one. */
function approvalsOf(columns: readonly Column[]) {
  const list = selectList(columns.filter(({ property }) => property !== 'secrets'));
  const keys = 'unnest($1::text[], $2::text[]) as k(m, n)';
  return {
    approvalsById: {
      name: 'approvals-by-id',
      text: `select ${list} from approval t join ${keys} on t.merchant_id = k.m and t.approval_id = k.n`,
    },
    /** Few approvals are pending, and an index has exactly these. */
    waitingApprovals: {
      name: 'waiting-approvals',
      text: `select ${list} from approval t join ${keys} on t.merchant_id = k.m and ${isAbout('k.n')}
        where t.state = 'pending' and t.expires_at > clock_timestamp()`,
    },
  };
}

function locksOf(wallet: Column[]) {
  const wallets = wallet.filter(({ property }) => property !== 'recordedAt');
  const recordedAt = millis(`greatest(t.recorded_at, ${passedSql})`);
  const lockWallets = `select ${selectList(wallets)}, ${recordedAt} as "recordedAt", ${millis('clock_timestamp()')} as "now" from wallet t
    where merchant_id = any($1::text[]) order by merchant_id`;
  return {
    lockWallets: { name: 'lock-wallets', text: `${lockWallets} for update` },
    /** Leaves out the wallets that another session holds, instead of waiting for them. */
    lockFreeWallets: { name: 'lock-free-wallets', text: `${lockWallets} for update skip locked` },
  } as const;
}

function writesOf(columns: (entity: EntityName) => Column[]) {
  const orders = columns(OrderRow);
  return {
    insertOrders: insertMany('orders', orders),
    updateOrders: update('orders', orders, orderChanges),
    insertTransitions: insertMany('order_transition', columns(OrderTransition)),
    insertEntries: insertMany('wallet_entry', columns(WalletEntryRow)),
    insertTransfers: insertMany('transfer', columns(TransferRow)),
    insertPayments: insertMany('payment', columns(PaymentRow)),
    insertCases: insert('money_case', columns(MoneyCaseRow)),
    updateCases: update('money_case', columns(MoneyCaseRow), ['state', 'closedAt', 'refundNo', 'cameBack']),
    insertRefunds: insert('refund', columns(RefundRow)),
    updateRefunds: update('refund', columns(RefundRow), refundChanges),
    writeSettlements: upsert('settlement', columns(SettlementRow)),
    insertApprovals: insert('approval', columns(ApprovalRow)),
    updateApprovals: decideApprovals(columns(ApprovalRow)),
    wipeEndedSecrets: {
      name: 'wipe-ended-secrets',
      text: `update approval t set secrets = null from (select merchant_id, approval_id from approval where secrets is not null
        and expires_at <= clock_timestamp() limit $1 for update skip locked) k where t.merchant_id = k.merchant_id and t.approval_id = k.approval_id`,
    },
    /**
     * Locks and returns the amounts that these operators ($1) moved alone today, in the currencies of these merchants ($2).
     */
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
      valuesOf: asJson,
    },
    insertBatches: insert('ledger_batch', columns(LedgerBatchRow)),
    insertAudits: insert('audit_record', columns(AuditRecordRow)),
    insertNotifications: insertMany('notification', columns(NotificationRow)),
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
      text: `select ${selectList(cases)} from money_case t ${byOrder} where t.state = 'open'
        or t.state in ('charged', 'written_off') and t.came_back < t.amount`,
    },
    // As `casesOfUnknownPayout` of the core, which decides.
    casesOfUnknownPayouts: {
      name: 'cases-of-unknown-payouts',
      text: `select ${selectList(cases)} from unnest($1::text[], $2::bigint[]) as k(m, n)
        join money_case r on r.merchant_id = k.m and r.case_no = k.n and r.kind = 'payout_returned' and r.order_no is null
        join money_case t on t.merchant_id = r.merchant_id and t.payment_order_no = r.payment_order_no and t.order_no is null
          and t.state in ('open', 'written_off') and (t.payment_order_no <> '${withoutOrder}' or t.reference = r.reference)`,
    },
  } as const satisfies Record<string, Statement>;
}

const sums = (columns: string, group: string, table: string): string => `(select coalesce(json_agg(s), '[]') from (
  select ${columns} from ${table} c where c.merchant_id = t.merchant_id and c.order_no = t.order_no group by ${group}) s)`;

/** Columns with the sums that `moneyOfOrder` reads, of an order `t`: of its payments by use, and of its cases by state. */
export const moneySums = `${sums('c.use, sum(c.amount)::text as amount', 'c.use', 'payment')} as payments, ${sums(
  `c.kind, c.state, max(c.refund_no) as "refundNo", sum(c.amount)::text as amount, sum(c.came_back)::text as "cameBack"`,
  'c.kind, c.state, c.refund_no is null',
  'money_case',
)} as cases`;

/**
 * An order with the sums of its payments and cases, for the checkout page. Sums keep the row small: anyone with the
 * address reads it, and a channel can report many payments.
 */
function checkoutOrder(orders: Column[]): Statement {
  return {
    name: 'checkout-order',
    text: `select ${selectList(orders)}, ${moneySums} from orders t where t.merchant_id = $1 and t.order_no = $2`,
  };
}

/** What happened to orders before, for the few commands that need it. */
function historyReads(byOrder: string) {
  return {
    claimantsByOrder: {
      name: 'claimants-by-order',
      text: `select distinct t.merchant_id as "merchantId", t.order_no as "orderNo", t.actor from order_transition t ${byOrder}
        where t.trigger = 'task_claimed'`,
    },
    returnedByOrder: {
      name: 'returned-by-order',
      text: `select t.merchant_id as "merchantId", t.order_no as "orderNo", sum(t.available_change)::text as amount from wallet_entry t ${byOrder}
        where t.order_no is not null and t.type = 'PAYOUT_RETURN' group by 1, 2`,
    },
  } as const satisfies Record<string, Statement>;
}

/** How many entries of one wallet are read under its lock, at most. */
const maxCredits = 10_000;

/** Settlements by merchant and sequence. For the approval of a draft: what came into the wallet since, null if too many entries did. Parameters: $1 merchants, $2 sequences, $3 last entries before. */
function settlementsBySeq(columns: Column[]): Statement {
  return {
    name: 'settlements-by-seq',
    text: `select ${selectList(columns)}, case when t.state <> 'draft' or k.after is null then '0.00' else (
        select case when w.last_entry_no - k.after <= ${maxCredits} then (
          select coalesce(sum(e.available_change), 0.00)::text from wallet_entry e where e.merchant_id = t.merchant_id
            and e.entry_no > k.after and e.available_change > 0 and e.type <> 'PAYOUT_RELEASE') end
        from wallet w where w.merchant_id = t.merchant_id) end as "creditedSince",
        t.file_no is not null and exists (select from settlement_file f where f.file_no = t.file_no and f.downloaded_at is not null) as "isFileOut"
      from settlement t join unnest($1::text[], $2::bigint[], $3::bigint[]) as k(m, n, after) on t.merchant_id = k.m and t.seq = k.n`,
  };
}

/** The secrets of a decided approval are deleted. */
function decideApprovals(columns: Column[]): WritingStatement {
  const { text, ...rest } = update('approval', columns, ['state', 'decidedBy', 'decidedAt', 'outcome', 'effectNow']);
  return { ...rest, text: text.replace(' set ', ' set secrets = null, ') };
}

/** After this time in milliseconds (before scaling) an open payout counts as stuck. */
export const stuckAfter = 60 * 60_000;

/**
 * A stuck payout. A channel has had it for more than `millis`, or it is a market payout whose proof has waited as long
 * for a decision, or whose operator for an answer whether they paid. The partial index `orders_open_payouts` holds the open ones only.
 */
export function isStuck(millis: string): string {
  return `kind = 'payout' and status in ('created', 'processing', 'market_available') and case mode
    when 'upstream' then created_at < clock_timestamp() - ${millis} * interval '1 ms'
    when 'market' then coalesce(task->'proof'->>'at', task->>'askedAt')::float8 < extract(epoch from clock_timestamp()) * 1000 - ${millis}
    else false end`;
}

/** One wallet as its merchant sees it (decisions 6); `updatedAt` is in Unix seconds. Parameters: $1 merchant. */
export const walletStatement: Statement = {
  name: 'read-wallet',
  text: `select currency, available::text as available, frozen::text as frozen,
  floor(extract(epoch from updated_at))::float8 as "updatedAt" from wallet where merchant_id = $1`,
};

/**
 * The number of entries in a wallet, and a page of them, the newest first. Entries are numbered without gaps, so a page
 * is a range of numbers, without offset and count. One statement reads both in one snapshot. Parameters: $1 merchant;
 * the page has the entries from the ($2 + 1)th newest to the $3th newest.
 */
export function walletPageStatement(orm: MikroORM): Statement {
  return {
    name: 'read-wallet-page',
    text: `select w.last_entry_no::float8 as total, to_json(e) as entry from wallet w left join lateral (
        select ${columnsOf(orm, WalletEntryRow)} from wallet_entry t
        where t.merchant_id = w.merchant_id and t.entry_no <= w.last_entry_no - $2::bigint and t.entry_no > w.last_entry_no - $3::bigint
      ) e on true where w.merchant_id = $1 order by e."entryNo" desc`,
  };
}

/**
 * Adds new transfers to `account_total`, and stores in `account_total_progress` up to which number. Merchants with the
 * oldest totals come first. Whether there may be more; false while another process does it. Parameters: $1 most
 * merchants, $2 most transfers of each.
 */
export const addToAccountTotalsSql = 'select roll_up_accounts($1, $2) as "isMore"';

/** Columns as the core wants them: times as Unix milliseconds, 64-bit counters as numbers, numerics as text. */
function selectList(columns: Column[]): string {
  return columns.map((c) => `${read(c, 't')} as "${c.property}"`).join(', ');
}

/** The type in which a column is sent. */
function sentType({ type }: Column): string {
  return type === 'timestamptz' ? 'float8' : type;
}

/** `r(…)`: the rows of a JSON text, one column for each property, under the property's name. */
function rows(columns: Column[]): string {
  return `json_to_recordset($1::json) as r(${columns.map((c) => `"${c.property}" ${sentType(c)}`).join(', ')})`;
}

function value(column: Column): string {
  return column.type === 'timestamptz' ? `to_timestamp(r."${column.property}" / 1000)` : `r."${column.property}"`;
}

function insertFrom(rows: string, table: string, columns: Column[]): Statement {
  const text = `insert into ${table} (${columns.map((c) => c.name).join(', ')}) select ${columns.map(value).join(', ')} from ${rows}`;
  return { name: `insert-${table}`, text };
}

function insert(table: string, columns: Column[]): WritingStatement {
  return { ...insertFrom(rows(columns), table, columns), valuesOf: asJson };
}

/**
 * For tables with rows for each order. PostgreSQL fills an array up with nulls that is null itself.
 */
function insertMany(table: string, columns: Column[]): WritingStatement {
  const arrays = columns.map((c, i) => `unnest($${i + 1}::${sentType(c)}[]) as "${c.property}"`);
  return {
    ...insertFrom(`(select ${arrays.join(', ')}) r`, table, columns),
    valuesOf: asArrays(columns),
  };
}

function update(table: string, columns: Column[], changing: string[]): WritingStatement {
  const used = columns.filter((c) => c.primary || changing.includes(c.property));
  const set = used.filter((c) => !c.primary).map((c) => `${c.name} = ${value(c)}`);
  const key = used.filter((c) => c.primary).map((c) => `t.${c.name} = r."${c.property}"`);
  return {
    name: `update-${table}`,
    text: `update ${table} t set ${set.join(', ')} from ${rows(used)} where ${key.join(' and ')}`,
    valuesOf: asJson,
  };
}

function upsert(table: string, columns: Column[]): WritingStatement {
  const { text, ...rest } = insert(table, columns);
  const key = columns.filter((c) => c.primary).map((c) => c.name);
  const set = columns.filter((c) => !c.primary).map((c) => `${c.name} = excluded.${c.name}`);
  return {
    ...rest,
    name: `write-${table}`,
    text: `${text} on conflict (${key.join(', ')}) do update set ${set.join(', ')}`,
  };
}

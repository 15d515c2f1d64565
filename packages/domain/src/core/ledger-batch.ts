import { hash } from 'node:crypto';
import type { Transfer } from './ledger.ts';
import type { AuditRecord } from './operator.ts';
import type { Order } from './order.ts';
import type { MoneyCase, Payment } from './payment.ts';
import type { Transition } from './transitions.ts';
import type { WalletEntry } from './wallet.ts';

/** All rows that one ledger transaction added for one merchant. */
export interface BatchRows {
  /** New orders: their immutable fields, payee details included. */
  readonly orders: readonly (ChainedOrder & Pick<Order, 'batchNo'>)[];
  readonly transitions: readonly Transition[];
  readonly payments: readonly Payment[];
  /** The subject of a case. Its decision is in the audit records and transfers. */
  readonly cases: readonly MoneyCase[];
  readonly entries: readonly WalletEntry[];
  readonly transfers: readonly Transfer[];
  readonly decisions: readonly AuditRecord[];
}

/** The immutable fields of an order. */
export type ChainedOrder = Pick<
  Order,
  | 'merchantId'
  | 'orderNo'
  | 'merchantOrderNo'
  | 'kind'
  | 'country'
  | 'currency'
  | 'mode'
  | 'amount'
  | 'feeAmount'
  | 'netAmount'
  | 'feeTerms'
  | 'bankCode'
  | 'notifyUrl'
  | 'details'
  | 'expiresAt'
  | 'createdAt'
>;

/** What the first link of a chain follows. */
export const firstBatchHash = '0'.repeat(64);

/** One link of a merchant's ledger chain. Links are numbered without gaps. `rows` names the hashed rows (`namesOf`). */
export interface LedgerBatch {
  readonly merchantId: string;
  readonly batchNo: number;
  readonly at: number;
  readonly rows: string[];
  readonly hash: string;
}

/** A row's content; no two different rows of a table share one. */
export const rowTexts = {
  orders: (o: ChainedOrder): string =>
    `o${text(o.orderNo)}${text(o.merchantOrderNo)}${text(o.kind)}${text(o.country)}${text(o.currency)}${text(o.mode)}${text(o.amount)}${text(o.feeAmount)}${text(o.netAmount)}` +
    `${text(canonicalJson(o.feeTerms))}${text(o.bankCode)}${text(o.notifyUrl)}${text(canonicalJson(o.details))}${o.expiresAt};${o.createdAt};`,
  transitions: (t: Transition): string =>
    `s${text(t.orderNo)}${t.seq};${text(t.from)}${text(t.to)}${text(t.trigger)}${text(t.actor)}${text(t.detail)}${t.at};`,
  payments: (p: Payment): string =>
    `p${text(p.orderNo)}${p.seq};${text(p.direction)}${text(p.reference)}${text(p.channelId)}${text(p.amount)}${text(p.use)}${text(p.line)}${p.receivedAt};`,
  cases: (c: MoneyCase): string =>
    `c${c.caseNo};${text(c.kind)}${text(c.orderNo)}${text(c.channelId)}${text(c.reference)}${text(c.currency)}${text(c.amount)}${text(c.detail)}${c.openedAt};`,
  entries: (e: WalletEntry): string =>
    `e${e.entryNo};${text(e.type)}${text(e.availableChange)}${text(e.frozenChange)}${text(e.availableBefore)}${text(e.availableAfter)}${text(e.frozenBefore)}${text(e.frozenAfter)}` +
    `${text(e.orderNo)}${text(e.merchantOrderNo)}${text(e.remark)}${text(e.bookingNo)}${text(e.counter)}${text(e.corrects)}${e.createdAt};`,
  transfers: (t: Transfer): string =>
    `t${t.transferNo};${text(t.debit)}${text(t.credit)}${text(t.currency)}${text(t.amount)}${text(t.cause)}${text(t.orderNo)}${t.createdAt};`,
  /** Without the id of the command. */
  decisions: (a: AuditRecord): string =>
    `a${a.auditNo};${text(a.actor)}${text(a.approver)}${text(a.action)}${text(a.subject)}${text(a.reason)}${text(a.detail)}${a.at};`,
} as const;

/** The length prefix makes a separator unnecessary. */
function text(value: string | null): string {
  return value === null ? '-' : `${value.length}:${value}`;
}

/** The next link of a merchant's chain, over the given rows of this merchant. */
export function ledgerBatch(
  link: { merchantId: string; batchNo: number; previousHash: string; at: number },
  { orders, transitions, payments, cases, entries, transfers, decisions }: BatchRows,
): LedgerBatch {
  const rows: string[] = [];
  let texts = '';
  const ofNew = new Map<string, Transition[]>(orders.map(({ orderNo }) => [orderNo, []]));
  const others = transitions.filter((one) => !ofNew.get(one.orderNo)?.push(one));
  for (const order of orders) {
    const first = ofNew.get(order.orderNo) ?? [];
    rows.push(`o:${order.orderNo}:${first.length}`);
    texts += rowTexts.orders(order);
    for (const transition of first) texts += rowTexts.transitions(transition);
  }
  for (const one of others) {
    rows.push(`s:${one.orderNo}:${one.seq}`);
    texts += rowTexts.transitions(one);
  }
  for (const payment of payments) {
    rows.push(`p:${payment.orderNo}:${payment.seq}`);
    texts += rowTexts.payments(payment);
  }
  for (const one of cases) {
    rows.push(`c:${one.caseNo}`);
    texts += rowTexts.cases(one);
  }
  rows.push(...rangeOf('e', entries, ({ entryNo }) => entryNo));
  for (const entry of entries) texts += rowTexts.entries(entry);
  rows.push(...rangeOf('t', transfers, ({ transferNo }) => transferNo));
  for (const transfer of transfers) texts += rowTexts.transfers(transfer);
  rows.push(...rangeOf('a', decisions, ({ auditNo }) => auditNo));
  for (const decision of decisions) texts += rowTexts.decisions(decision);
  const { previousHash, ...fields } = link;
  return { ...fields, rows, hash: batchHash(previousHash, { ...fields, rows }, texts) };
}

/**
 * The name of numbered rows: `t:<from>:<to>`. Of one merchant's rows in one transaction the numbers follow each other.
 * @throws Error if they do not
 */
function rangeOf<Row>(letter: string, rows: readonly Row[], noOf: (row: Row) => number): string[] {
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (!first || !last) return [];
  const from = noOf(first);
  if (rows.some((row, i) => noOf(row) !== from + i))
    throw new Error(`numbers of rows ${letter} have a gap after ${from}`);
  return [`${letter}:${from}:${noOf(last)}`];
}

/** SHA-256 over the previous link's hash, the link's own fields, and the contents of the rows that it covers, in hex. */
export function batchHash(
  previousHash: string,
  { merchantId, batchNo, at, rows }: Omit<LedgerBatch, 'hash'>,
  texts: string,
): string {
  const named = rows.map(text).join('');
  return hash('sha256', `${previousHash}${text(merchantId)}${batchNo};${at};${rows.length};${named}${texts}`, 'hex');
}

/**
 * The names of the rows that a link covers, in the order of its hash: `o:<order>` for an order, `s:<order>:<seq>` for
 * a transition, `p:<order>:<seq>` for a payment, `c:<number>` for a case, and by their numbers `e:` a wallet entry,
 * `t:` a transfer, `a:` a decision. A link's `rows` are shorter. There `o:<order>:<n>` is a new order with its first n
 * transitions, and `e:<from>:<to>`, `t:` and `a:` are ranges. Order numbers have no colon.
 */
export function namesOf({ rows }: Pick<LedgerBatch, 'rows'>): string[] {
  const names: string[] = [];
  for (const row of rows) {
    const { letter, key, from, to } = partsOf(row);
    const prefix = letter === 'o' ? `s:${key}` : letter;
    if (letter === 'o') names.push(`o:${key}`);
    if (from === null) names.push(row);
    else for (let no = from; no <= to && names.length <= maxInLink; no += 1) names.push(`${prefix}:${no}`);
    if (names.length > maxInLink) return [...names.slice(0, maxInLink), tooMany];
  }
  return names;
}

/** Whether a link covers a row of this name, without naming all of its rows. */
export function coverageOf({ rows }: Pick<LedgerBatch, 'rows'>): (name: string) => boolean {
  const parts = rows.map(partsOf);
  const single = new Set(
    parts.flatMap(({ letter, key, from }, i) => (from === null ? (rows[i] ?? []) : letter === 'o' ? `o:${key}` : [])),
  );
  const steps = new Map(parts.flatMap(({ letter, key, to }) => (letter === 'o' ? [[key, to] as const] : [])));
  const ranges = parts.filter(({ letter, from }) => from !== null && letter !== 'o');
  return (name) => {
    if (single.has(name)) return true;
    const [letter, key = '', no] = name.split(':', 3);
    if (letter === 's') return Number(no) >= 1 && Number(no) <= (steps.get(key) ?? 0);
    return ranges.some((one) => one.letter === letter && Number(key) >= (one.from ?? 0) && Number(key) <= one.to);
  };
}

/** Far more rows than one transaction writes. It bounds the cost of a link that was written by hand. */
const maxInLink = 20_000;
/** The name of no row: what comes after it is not named. */
const tooMany = 'too many rows';

/** A row of a link: a single one, a new order with its first transitions, or a range of numbers. */
function partsOf(row: string): { letter: string; key: string; from: number | null; to: number } {
  const [letter = '', first = '', second = ''] = row.split(':', 3);
  const numbers = (from: string, to: string) =>
    /^\d+$/.test(from) && /^\d+$/.test(to) ? { from: Number(from), to: Number(to) } : { from: 1, to: 0 };
  if (letter === 'o') return { letter, key: first, ...numbers('1', second) };
  const isRange = letter === 'e' || letter === 't' || letter === 'a';
  return isRange ? { letter, key: '', ...numbers(first, second) } : { letter, key: first, from: null, to: 0 };
}

/**
 * JSON with sorted keys: the same for a new value and for one from a jsonb column, which does not keep the order of
 * keys.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let fields = '';
  for (const key of Object.keys(value).sort()) {
    const field = (value as { [key: string]: unknown })[key];
    if (field !== undefined) fields += `${fields === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(field)}`;
  }
  return `{${fields}}`;
}

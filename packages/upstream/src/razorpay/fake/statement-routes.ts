import { type StatementFaults, setStatementFaults, withFault } from '../../fake-provider/index.ts';
import { type Context, query, recordOf, recordsOf, refuse } from './context.ts';
import type { Transaction } from './records.ts';
import { viewOfTransaction } from './views.ts';

/** What the account had before its first transaction, in paise. */
const openingBalance = 9_000_000;
const istMs = 19_800_000;

/**
 * Reconciliation of settlements (razorpay.com/docs/api/settlements/fetch-recon), and the transactions of the RazorpayX
 * account. The fake settles everything at once. The control `statements` { fault } makes them untrue.
 */
export function addStatementRoutes(context: Context, isOurs: (accountNumber: unknown) => boolean): void {
  const { app, addControl } = context.server;
  const faults: StatementFaults = { fault: null };
  addControl('statements', ({ fault }) => setStatementFaults(faults, fault));
  app.get('/v1/settlements/recon/combined', async (request, reply) => {
    const [year, month, day] = ['year', 'month', 'day'].map((name) => query(request, name) ?? '');
    if (!/^\d{4}$/.test(year ?? '') || !/^\d{1,2}$/.test(month ?? ''))
      return refuse(reply, 'The year and month fields are required.');
    const wanted = [year, month?.padStart(2, '0'), ...(day ? [day.padStart(2, '0')] : [])].join('-');
    const rows = reconOf(context).filter(({ settled_at: at }) => dayInIndia(at).startsWith(wanted));
    const items = withFault(rows, faults, distort).slice(...rangeOf(request, 1_000));
    const answer = { entity: 'collection', count: items.length, items };
    // Only the page is cut off: the transfer itself is whole.
    return faults.fault === 'cut_off' ? { ...answer, items: items.slice(0, -1) } : answer;
  });
  app.get('/v1/transactions', async (request, reply) => {
    const accountNumber = query(request, 'account_number');
    if (!isOurs(accountNumber)) return refuse(reply, 'The account number is invalid', 'account_number');
    const [from, to] = [Number(query(request, 'from') ?? 0), Number(query(request, 'to') ?? Number.POSITIVE_INFINITY)];
    const wanted = withBalances(
      recordsOf(context, 'transaction').filter((line) => line.accountNumber === accountNumber),
    )
      .filter(({ line }) => line.createdAt >= from && line.createdAt <= to)
      .toReversed();
    const items = wanted
      .slice(...rangeOf(request, 100))
      .map(({ line, balance }) => viewOfTransaction(line, balance, recordOf(context, 'payout', line.payoutId)));
    return { entity: 'collection', count: items.length, items };
  });
}

function rangeOf(request: Parameters<typeof query>[0], most: number): [start: number, end: number] {
  const count = Math.min(most, Number(query(request, 'count') ?? 10));
  const skip = Number(query(request, 'skip') ?? 0);
  return [skip, skip + count];
}

function withBalances(lines: readonly Transaction[]): { line: Transaction; balance: number }[] {
  let balance = openingBalance;
  return lines.map((line) => {
    balance += line.credit - line.debit;
    return { line, balance };
  });
}

type ReconRow = ReturnType<typeof reconRow>;

/** Captured payments, with the fee that their view has, and processed refunds. */
function reconOf(context: Context): ReconRow[] {
  const payments = recordsOf(context, 'payment').flatMap(({ id, amount, status, linkId, createdAt }) => {
    if (status !== 'captured' && status !== 'refunded') return [];
    const moved = { type: 'payment', debit: 0, credit: amount - 24, amount, fee: 24, tax: 4, payment_id: null };
    return [reconRow(context, { ...moved, entity_id: id }, linkId, createdAt)];
  });
  const refunds = recordsOf(context, 'refund').flatMap(({ id, paymentId, amount, status, createdAt }) => {
    if (status !== 'processed') return [];
    const linkId = recordOf(context, 'payment', paymentId)?.linkId ?? '';
    const moved = { type: 'refund', debit: amount, credit: 0, amount, fee: 0, tax: 0, payment_id: paymentId };
    return [reconRow(context, { ...moved, entity_id: id }, linkId, createdAt)];
  });
  return [...payments, ...refunds].sort((a, b) => a.created_at - b.created_at);
}

interface Moved {
  type: string;
  entity_id: string;
  debit: number;
  credit: number;
  amount: number;
  fee: number;
  tax: number;
  payment_id: string | null;
}

function reconRow(context: Context, moved: Moved, linkId: string, at: number) {
  const link = recordOf(context, 'link', linkId);
  const day = dayInIndia(at).replaceAll('-', '');
  return {
    ...moved,
    currency: 'INR',
    on_hold: false,
    settled: true,
    created_at: at,
    settled_at: at,
    settlement_id: `setl_${day}000000`,
    posted_at: null,
    credit_type: 'default',
    description: null,
    notes: {},
    settlement_utr: `UTR${day}`,
    order_id: link?.orderId ?? null,
    order_receipt: link?.reference ?? null,
    method: 'upi',
    card_network: null,
    card_issuer: null,
    card_type: null,
    dispute_id: null,
  };
}

function dayInIndia(seconds: number): string {
  return new Date(seconds * 1_000 + istMs).toISOString().slice(0, 10);
}

function distort(row: ReconRow, fault: 'wrong_amount' | 'foreign_row'): ReconRow {
  if (fault === 'foreign_row')
    return { ...row, entity_id: `${row.entity_id.slice(0, -1)}_`, order_receipt: 'FOREIGN1' };
  const isIn = row.credit > 0;
  return { ...row, amount: row.amount + 1, credit: row.credit + (isIn ? 1 : 0), debit: row.debit + (isIn ? 0 : 1) };
}

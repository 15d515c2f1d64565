import { type StatementFaults, setStatementFaults, withFault } from '../../fake-provider/index.ts';
import { authenticate, isObject, numberIn, OpnError } from './requests.ts';
import { newId, type OpnState, type StoredCharge } from './state.ts';
import { feesOf, iso, viewCharge, viewList, viewRefund } from './views.ts';

/** What changed the balance: a paid charge by its net amount, a refund, or a transfer to the bank. */
interface Transaction {
  id: string;
  direction: 'credit' | 'debit';
  /** Satang. */
  amount: number;
  at: number;
  origin: { id: string } & Record<string, unknown>;
}

/**
 * The transactions of the balance (docs.omise.co/transactions-api), as lists with pages. Controls:
 *
 * - `transfer` { satang }: pays money out to the bank, now
 * - `dollars` { cents, satang }: another shop of the account is paid in dollars, which were converted, now
 * - `statements` { fault? }: transactions are not true, or true again
 */
export function addTransactionRoutes(state: OpnState): void {
  const { app, addControl, clock } = state.server;
  const faults: StatementFaults = { fault: null };
  const others: Transaction[] = [];
  addControl('statements', ({ fault }) => setStatementFaults(faults, fault));
  addControl('transfer', ({ satang }) => {
    const id = newId(state, 'trsf');
    const origin = { object: 'transfer', id, amount: Number(satang), currency: 'THB', paid: true };
    others.push({
      id: id.replace('trsf', 'trxn'),
      direction: 'debit',
      amount: Number(satang),
      at: clock.now(),
      origin,
    });
    return { id };
  });
  addControl('dollars', ({ cents, satang }) => {
    const id = newId(state, 'chrg');
    const [fee, vat] = [Math.round(Number(satang) * 0.0365), Math.round(Number(satang) * 0.0365 * 0.07)];
    const converted = { funding_amount: Number(satang), funding_currency: 'THB', fee, fee_vat: vat };
    const origin = { object: 'charge', id, amount: Number(cents), currency: 'USD', ...converted, metadata: {} };
    const amount = Number(satang) - fee - vat;
    others.push({ id: id.replace('chrg', 'trxn'), direction: 'credit', amount, at: clock.now(), origin });
    return { id };
  });
  app.get('/transactions', async (request) => {
    authenticate(request, state.account.secretKey);
    const limit = numberIn(request.query, 'limit', 20, 100);
    const offset = numberIn(request.query, 'offset', 0, 1_000_000);
    const query: Record<string, unknown> = isObject(request.query) ? request.query : {};
    const { from = '1970-01-01T00:00:00Z', to = iso(clock.now()) ?? '', expand } = query as Record<string, string>;
    const [first, last] = [timeIn(from), timeIn(to)];
    const all = [...state.charges.all().flatMap((charge) => transactionsOf(state, charge)), ...others];
    const wanted = all.filter(({ at }) => at >= first && at < last + 1_000).sort((a, b) => a.at - b.at);
    const rows = withFault(wanted, faults, distort);
    const shown = rows.slice(offset, offset + limit).map((one) => viewTransaction(state, one, expand === 'true'));
    // The transfer is whole, only the last row of the list is missing.
    const data = faults.fault === 'cut_off' ? shown.slice(0, -1) : shown;
    return { ...viewList(data, rows.length, limit, offset, '/transactions'), from, to };
  });
}

function timeIn(text: string): number {
  const at = /^[0-9-]{10}T[0-9:]{8}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new OpnError(400, 'bad_request', 'from and to must be times');
  return at;
}

function transactionsOf(state: OpnState, charge: StoredCharge): Transaction[] {
  const { id, paidAt } = charge;
  if (paidAt === null) return [];
  const { fee, feeVat } = feesOf(charge);
  const origin = { ...viewCharge(state, charge), id };
  const paid = { id: id.replace('chrg', 'trxn'), direction: 'credit' as const, amount: charge.amount - fee - feeVat };
  const back = charge.refunds.map((refund): Transaction => {
    const refunded = { ...viewRefund(charge, refund), id: refund.id };
    const transaction = refund.id.replace('rfnd', 'trxn');
    return { id: transaction, direction: 'debit', amount: refund.amount, at: refund.createdAt, origin: refunded };
  });
  return [{ ...paid, at: paidAt, origin }, ...back];
}

function viewTransaction(state: OpnState, transaction: Transaction, isExpanded: boolean): object {
  const { id, direction, amount, at, origin } = transaction;
  return {
    object: 'transaction',
    id,
    livemode: state.isLive,
    location: `/transactions/${id}`,
    currency: 'THB',
    amount,
    direction,
    origin: isExpanded ? origin : origin.id,
    created_at: iso(at),
    transferable_at: iso(at),
    key: direction === 'credit' ? 'charge.captured.net' : `${origin.object}.${direction}`,
  };
}

/** A wrong amount is wrong in the charge as well. */
function distort(row: Transaction, fault: 'wrong_amount' | 'foreign_row'): Transaction {
  const { origin } = row;
  if (fault === 'foreign_row') {
    const id = `${origin.id.slice(0, -1)}_`;
    return {
      ...row,
      id: `${row.id.slice(0, -1)}_`,
      origin: { ...origin, id, metadata: { tidegate_order: 'FOREIGN1' } },
    };
  }
  const wrong = { amount: Number(origin.amount) + 1, funding_amount: Number(origin.funding_amount) + 1 };
  return { ...row, amount: row.amount + 1, origin: { ...origin, ...wrong } };
}

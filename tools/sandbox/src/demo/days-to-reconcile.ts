import { type Country, currencyOf } from '@tidegate/domain';
import { waitUntil } from '../wait-until.ts';
import { type BankEntry, bankStatement } from './bank-statement.ts';
import { closeDay, dayAgo, importStatement, isMatched } from './channel-days.ts';
import { createPayin, type Demo, type OpenWork } from './demo-orders.ts';

const channelId = 'sandbox';
const amounts = ['250.00', '400.00', '975.00'];

/**
 * Imports a bank statement of the last three days in two countries. The older two days have no movements and are
 * closed. Yesterday stays open: in Pakistan every line matches, in Thailand there are breaks. Payins are created today,
 * and the statement shows them as paid yesterday. Runs once per day.
 */
export async function daysToReconcile(demo: Demo): Promise<OpenWork[]> {
  const done = await Promise.all([reconcileMatched(demo), reconcileWithBreaks(demo)]);
  return done.filter((one) => one !== null);
}

async function reconcileMatched(demo: Demo): Promise<OpenWork | null> {
  const day = await importOnce(demo, 'PK', (paid) => paid);
  return day === null
    ? null
    : { where: 'Reconciliation', what: `PK, ${day}: all lines match, two operators can close it`, orderNo: '–' };
}

/** Four breaks: a repeated line, a payment that the ledger does not have, a charge, and a refund. */
async function reconcileWithBreaks(demo: Demo): Promise<OpenWork | null> {
  const day = await importOnce(demo, 'TH', (paid, day) => [
    ...paid,
    ...paid.slice(0, 1),
    { day, amount: '618.00', reference: `UNKNOWN-${stamp()}` },
    { day, amount: '35.00', reference: `CHARGE-${stamp()}`, what: 'charge' },
    { day, amount: '120.00', reference: `REVERSAL-${stamp()}`, what: 'reversal' },
  ]);
  return day === null ? null : { where: 'Reconciliation', what: `TH, ${day}: four breaks`, orderNo: '–' };
}

type Entries = (paid: BankEntry[], day: string) => BankEntry[];

/** Resolves to yesterday when its statement is imported and matched; to null if that was done before. */
async function importOnce(demo: Demo, country: Country, entriesOf: Entries): Promise<string | null> {
  const [first, second, day] = [3, 2, 1].map((ago) => dayAgo(country, ago)) as [string, string, string];
  if (await isMatched(demo, { country, channelId, day })) return null;
  const paid = await Promise.all(amounts.map((amount) => paidYesterday(demo, country, amount, day)));
  const account = `${country}-SANDBOX-1`;
  const currency = currencyOf[country];
  const text = bankStatement({ account, currency, from: first, to: day, entries: entriesOf(paid, day) });
  await importStatement(demo, { country, channelId, name: `bank-${country.toLowerCase()}-${day}.xml`, text });
  await waitUntil(`the days of ${country}`, () => isMatched(demo, { country, channelId, day }), {
    timeoutMs: 60_000,
    everyMs: 500,
  });
  for (const quiet of [first, second]) await closeDay(demo, { country, channelId, day: quiet });
  return day;
}

async function paidYesterday(demo: Demo, country: Country, amount: string, day: string): Promise<BankEntry> {
  const orderNo = await createPayin(demo.sandbox, country, { amount });
  const isPaid = async () => {
    const query = 'query ($orderNo: String!) { order(orderNo: $orderNo) { status } }';
    return (await demo.admin<{ order: { status: string } }>(query, { orderNo })).order.status === 'COMPLETED';
  };
  await waitUntil(`the payment of ${orderNo}`, isPaid, { timeoutMs: 60_000, everyMs: 200 });
  return { day, amount, orderNo, reference: `BANK-${orderNo}` };
}

const stamp = (): string => Date.now().toString(36).toUpperCase();

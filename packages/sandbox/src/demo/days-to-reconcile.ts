import { type Country, currencyOf, timeZoneOf } from '@tidegate/domain';
import { waitUntil } from '../wait-until.ts';
import { type BankEntry, bankStatement } from './bank-statement.ts';
import { createPayin, type Demo, type OpenWork } from './demo-orders.ts';
import type { OperatorClient } from './operator-client.ts';

const channelId = 'sandbox';
const dayMs = 86_400_000;
const amounts = ['250.00', '400.00', '975.00'];

/**
 * Imports a bank statement of the last three days for two countries, and closes the days on which nothing happened. Yesterday everything is
 * matched in Pakistan, and can be closed; in Thailand it has breaks. It shows payins of today as paid yesterday. Done once for each day.
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

/** A repeated line, a payment that the ledger does not have, a charge, and money that was refunded. */
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

/** Resolves to yesterday, after its statement is imported and matched; null if it was there already. */
async function importOnce(demo: Demo, country: Country, entriesOf: Entries): Promise<string | null> {
  const { admin, approver } = demo;
  const [first, second, day] = [3, 2, 1].map((ago) => dayAgo(country, ago)) as [string, string, string];
  if (await isImported(admin, country, day)) return null;
  const paid = await Promise.all(amounts.map((amount) => paidYesterday(demo, country, amount, day)));
  const account = `${country}-SANDBOX-1`;
  const currency = currencyOf[country];
  const text = bankStatement({ account, currency, from: first, to: day, entries: entriesOf(paid, day) });
  await importStatement(demo, country, `bank-${country.toLowerCase()}-${day}.xml`, text);
  await waitUntil(`the days of ${country}`, () => isImported(admin, country, day), { timeoutMs: 60_000, everyMs: 500 });
  for (const quiet of [first, second]) await closeDay(admin, approver, { country, channelId, day: quiet });
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

/** Whether a statement with lines covers the day, and all of it is matched. */
async function isImported(admin: OperatorClient, country: Country, day: string): Promise<boolean> {
  const query = `query ($country: Country!, $channelId: String!, $day: String!) {
    reconciliationDay(country: $country, channelId: $channelId, day: $day) { day { lines isMatching } } }`;
  interface Answer {
    reconciliationDay: { day: { lines: number; isMatching: boolean } } | null;
  }
  const { reconciliationDay } = await admin<Answer>(query, { country, channelId, day });
  return reconciliationDay !== null && reconciliationDay.day.lines > 0 && !reconciliationDay.day.isMatching;
}

async function importStatement({ sandbox, admin }: Demo, country: Country, name: string, body: string): Promise<void> {
  const url = new URL(`/statements?${new URLSearchParams({ country, name })}`, sandbox.graphqlUrl);
  const headers = { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': 'application/octet-stream' };
  const upload = async () => fetch(url, { method: 'POST', headers, body });
  // An operator uploads one file at a time, and the demo two.
  let response = await upload();
  const isAccepted = async () => {
    if (response.status === 429) response = await upload();
    return response.status !== 429;
  };
  await waitUntil(`the upload of ${name}`, isAccepted, { timeoutMs: 30_000, everyMs: 200 });
  const { statement } = (await response.json()) as { statement?: { fileNo: number } };
  if (!statement) throw new Error(`${name} was not accepted: ${response.status}`);
  await admin.mutate('importStatement', 'ImportStatementInput', {
    input: { country, channelId, fileNo: statement.fileNo, format: 'camt.053' },
    reason: 'Statement of the bank',
  });
}

/** The admin asks, the approver agrees. */
async function closeDay(admin: OperatorClient, approver: OperatorClient, input: object): Promise<void> {
  const query = `mutation ($input: CloseDayInput!, $reason: String!) { closeDay(input: $input, reason: $reason) {
    ... on CloseDayPayload { approval { approvalId } } ... on Problem { message } } }`;
  const { closeDay: answer } = await admin<{
    closeDay: { approval?: { approvalId: string } | null; message?: string };
  }>(query, { input, reason: 'Nothing is missing' });
  // A day that an earlier run has closed stays closed.
  if (!answer.approval) return;
  await approver(`mutation ($id: String!) { approve(approvalId: $id) { __typename } }`, {
    id: answer.approval.approvalId,
  });
}

function dayAgo(country: Country, days: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timeZoneOf[country] }).format(Date.now() - days * dayMs);
}

const stamp = (): string => Date.now().toString(36).toUpperCase();

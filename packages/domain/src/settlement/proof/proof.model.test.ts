import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../../channels/set-channel.ts';
import { readWallet } from '../../ledger/read-wallet.ts';
import { setReconciliation } from '../../reconciliation/days/set-reconciliation.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { by } from '../../testing/payouts.ts';
import { anAccount, anApprovedSettlement } from '../../testing/settlements.ts';
import { aLine, anImport, dayAgo, noSummary, reconcileAll, violationsOfMoved } from '../../testing/statements.ts';
import { createSettlementFile } from '../bank-file/create-settlement-file.ts';
import {
  confirmSettlement,
  failSettlement,
  findSettlement,
  paySettlement,
  type SettlementRef,
} from '../change-settlement.ts';
import { proveSettlements } from './prove-settlements.ts';

// Lines, people and returns in any order, against a small model: each settlement ends as the model says, no line counts twice, and no money is lost.

const agreed = by('ann', 'bob');
const day = dayAgo('TH', 0);
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const violations = () => violationsOfMoved(fixture.domain);

type Step = 'debit' | 'debit again' | 'wrong debit' | 'return' | 'confirm' | 'fail' | 'debit of the file';

/** One settlement, as the model knows it. */
interface Modelled {
  ref: SettlementRef;
  amount: string;
  state: 'paid' | 'confirmed' | 'failed';
  hasDebit: boolean;
  hasReturn: boolean;
}
interface Shown {
  kind: 'out' | 'in' | 'file' | 'wrong';
  at: number;
}
interface Model {
  all: Modelled[];
  /** Lines that the bank has shown and that prove nothing yet, in their order. */
  open: Shown[];
  /** What the proven lines come to, in minor units: above zero came in. */
  posted: number;
}

const minor = (amount: string): number => Math.round(Number(amount) * 100);

/** Whether a debit can be that of this settlement. What people decided first stays with people. */
const takesDebit = (one: Modelled): boolean => !one.hasDebit && one.state === 'paid';

function take(model: Model, { kind, at }: Shown): boolean {
  const one = model.all[at];
  if (!one || kind === 'wrong') return false;
  const paying = kind === 'file' ? model.all : [one];
  if (kind === 'in') {
    if (one.hasReturn || one.state !== 'confirmed') return false;
    model.posted += minor(one.amount);
    Object.assign(one, { hasReturn: true, state: 'failed' });
    return true;
  }
  if (!paying.every(takesDebit)) return false;
  for (const each of paying) {
    model.posted -= minor(each.amount);
    Object.assign(each, { hasDebit: true, state: 'confirmed' });
  }
  return true;
}

/** Takes lines until none proves anything more. */
function takeAll(model: Model): void {
  for (let before = -1; before !== model.open.length; ) {
    before = model.open.length;
    model.open = model.open.filter((line) => !take(model, line));
  }
}

let channels = 0;
/** Adds the line of a step to the statement, as one file of its own. */
async function show(channelId: string, n: number, lines: readonly object[]): Promise<void> {
  const { domain } = fixture;
  const summary = { ...noSummary, account: anAccount.number, from: day, to: day, n };
  await anImport(domain, 'TH', [...lines, summary], channelId);
  await reconcileAll(domain);
  while ((await proveSettlements(domain)) === 'found');
}

/** Several channels show the account that pays, because two operators have set it for each. */
async function aChannelOfOurAccount(channelId: string): Promise<void> {
  const { domain } = fixture;
  await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://bank.test', credentials: {} });
  const account = { country: 'TH', channelId, beginsOn: day, account: anAccount.number } as const;
  expect(await setReconciliation(domain, account, agreed)).toMatchObject({ ok: true });
}

async function play(
  steps: readonly (readonly [Step, number])[],
  amounts: readonly string[],
  together: boolean,
): Promise<void> {
  const { domain } = fixture;
  channels += 1;
  const channelId = `bank-${channels}`;
  await aChannelOfOurAccount(channelId);
  const all: Modelled[] = [];
  for (const amount of amounts) {
    const ref = await anApprovedSettlement(domain, 'TH', amount);
    all.push({ ref, amount, state: 'paid', hasDebit: false, hasReturn: false });
  }
  const created = await createSettlementFile(domain, { country: 'TH', account: anAccount }, agreed);
  if (!created.ok) throw new Error(created.rejection);
  const model: Model = { all, open: [], posted: 0 };
  let waiting: object[] = [];
  for (const [i, [step, at]] of steps.entries()) {
    const one = all[at % all.length] as Modelled;
    const line = lineOf(step, one, created.value, i);
    if (line) {
      model.open.push({ kind: line.kind, at: at % all.length });
      waiting.push(line.row);
      // Several lines may be on one statement: then they are seen together.
      if (together && i < steps.length - 1) continue;
    }
    if (waiting.length > 0) {
      await show(channelId, i, waiting);
      waiting = [];
      takeAll(model);
    }
    if (!line) await decide(step, one);
    takeAll(model);
    while ((await proveSettlements(domain)) === 'found');
  }
  await compare(model, channelId);
}

function lineOf(
  step: Step,
  { ref, amount }: Modelled,
  file: { fileNo: string; total: string },
  i: number,
): { kind: Shown['kind']; row: object } | null {
  const common = { currency: 'THB', bookedOn: day, bankRef: `B-${i}` };
  const out = (names: string, gross: string) =>
    aLine({ ...common, type: 'payout', direction: 'out', settlementRef: names, gross });
  switch (step) {
    case 'debit':
    case 'debit again':
      return { kind: 'out', row: out(ref.settlementNo, amount) };
    case 'wrong debit':
      return { kind: 'wrong', row: out(ref.settlementNo, '0.07') };
    case 'debit of the file':
      return { kind: 'file', row: out(file.fileNo, file.total) };
    case 'return':
      return { kind: 'in', row: aLine({ ...common, type: 'payout_return', orderNo: ref.settlementNo, gross: amount }) };
    default:
      return null;
  }
}

/** What two people do, whether it is possible or not. */
async function decide(step: Step, one: Modelled): Promise<void> {
  const { domain } = fixture;
  const isConfirm = step === 'confirm';
  const done = isConfirm
    ? await confirmSettlement(domain, one.ref, 'by hand', agreed)
    : await failSettlement(domain, one.ref, { detail: 'by hand' }, agreed);
  expect(done.ok, step).toBe(isConfirm ? one.state === 'paid' : one.state !== 'failed');
  if (done.ok) one.state = isConfirm ? 'confirmed' : 'failed';
}

async function compare({ all, open, posted }: Model, channelId: string): Promise<void> {
  const { domain } = fixture;
  const { pool } = domain.database;
  for (const { ref, amount, state, hasReturn } of all) {
    const found = await findSettlement(domain, ref);
    expect(found).toMatchObject({ state });
    expect(found?.returnLine !== null).toBe(hasReturn);
    // What left the wallet is in the bank, or came back: nothing in between, and never twice.
    expect((await readWallet(domain, ref.merchantId)).available).toBe(state === 'failed' ? amount : '0.00');
  }
  const breaks = await pool.query<{ state: string; count: number }>(
    'select state, count(*)::integer as count from reconciliation_break where channel_id = $1 group by 1',
    [channelId],
  );
  expect(breaks.rows.find(({ state }) => state === 'open')?.count ?? 0).toBe(open.length);
  const held = await pool.query<{ held: string }>(
    'select coalesce(sum(case when debit = $1 then amount else -amount end), 0)::text as held from transfer where $1 in (debit, credit)',
    [`channel:${channelId}`],
  );
  expect(minor(held.rows[0]?.held ?? '0')).toBe(posted);
  const lines = await pool.query<{ line: string }>(
    `select unnest(array[debit_line, return_line]) as line from settlement where merchant_id = any($1)
     union all select debit_line from settlement_file where debit_line is not null and file_no in (select file_no from settlement where merchant_id = any($1))`,
    [all.map(({ ref }) => ref.merchantId)],
  );
  const used = lines.rows.map(({ line }) => line).filter((line) => line !== null);
  expect(new Set(used).size).toBe(used.length);
  expect(await violations()).toEqual([]);
}

const step = fc.constantFrom<Step>(
  'debit',
  'debit',
  'debit again',
  'wrong debit',
  'return',
  'return',
  'confirm',
  'fail',
  'debit of the file',
);
const amounts = fc.array(fc.constantFrom('10.00', '250.50', '99.99'), { minLength: 1, maxLength: 3 });

test('for lines, decisions and returns in any order each settlement ends once, each line counts once, and all money is accounted for', async () => {
  const steps = fc.array(fc.tuple(step, fc.nat(2)), { minLength: 3, maxLength: 9 });
  await fc.assert(fc.asyncProperty(steps, amounts, fc.boolean(), play), { numRuns: 6, endOnFailure: true });
});

test('if a statement line and two operators confirm a settlement at the same moment, exactly one succeeds', async () => {
  const { domain } = fixture;
  let byLine = 0;
  await aChannelOfOurAccount('race');
  for (let round = 0; round < 5; round += 1) {
    const ref = await anApprovedSettlement(domain, 'TH', '12.00');
    await paySettlement(domain, ref, 'R-1', by('ann'));
    const common = { currency: 'THB', bookedOn: day, type: 'payout', direction: 'out' } as const;
    const row = aLine({ ...common, gross: '12.00', settlementRef: ref.settlementNo });
    await anImport(
      domain,
      'TH',
      [row, { ...noSummary, account: anAccount.number, from: day, to: day, n: round }],
      'race',
    );
    await reconcileAll(domain);
    const people = [1, 2].map(() => confirmSettlement(domain, ref, 'by hand', agreed));
    const [, , ...confirmed] = await Promise.all([proveSettlements(domain), proveSettlements(domain), ...people]);
    await proveSettlements(domain);
    const found = await findSettlement(domain, ref);
    expect(found).toMatchObject({ state: 'confirmed', returnLine: null });
    const byPeople = confirmed.filter(({ ok }) => ok).length;
    expect(byPeople).toBe(found?.debitLine === null ? 1 : 0);
    byLine += 1 - byPeople;
  }
  const { rows } = await domain.database.pool.query<{ held: string }>(
    `select coalesce(sum(amount), 0)::text as held from transfer where credit = 'channel:race' and debit = 'external'`,
  );
  expect(Number(rows[0]?.held)).toBe(12 * byLine);
  expect(await violations()).toEqual([]);
});

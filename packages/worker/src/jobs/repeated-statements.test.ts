import { Readable } from 'node:stream';
import { setChannel } from '@tidegate/domain/admin';
import {
  aMerchant,
  backdateLedger,
  dayAgo,
  openTestDomain,
  placePayin,
  reconcileAll,
  type TestDomain,
} from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { openStatementThreads } from '@tidegate/statements/threads';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { resolveBreak } from '../../../domain/src/reconciliation/breaks/resolve-break.ts';
import { closeDay } from '../../../domain/src/reconciliation/days/close-day.ts';
import { importStatement } from '../../../domain/src/reconciliation/files/import-statement.ts';
import { receiveStatement } from '../../../domain/src/reconciliation/files/receive-statement.ts';
import { type BankFile, bai2File, camtFile, mt940File } from '../../test/bank-files.ts';

// Files of a bank that repeat or correct each other, and whose balances do not continue, as operators upload them. Each test has a channel of its own.

const country = 'PK';
const tenant = 'PLATFORM-PK';
const day = dayAgo(country, 2);
const agreed = { actor: 'ann', approver: 'bob', reason: 'seen at the bank' };
const threads = openStatementThreads();
let fixture: TestDomain;
let merchantId: string;
let channelId: string;
let channels = 0;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { statementFormats: threads.formats });
  ({ merchantId } = await aMerchant(fixture.domain, country));
});
afterAll(async () => {
  await fixture.close();
  await threads.close();
});
beforeEach(async () => {
  channels += 1;
  channelId = `bank-${channels}`;
  await setChannel(fixture.domain, { channelId, adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
});

const rows = async (text: string): Promise<unknown[][]> =>
  (await fixture.domain.database.pool.query({ text, values: [channelId], rowMode: 'array' })).rows;
const openBreaks = () =>
  rows(
    "select kind, amount::text, day::text from reconciliation_break where channel_id = $1 and state in ('open', 'posting') order by break_no",
  );
const shown = async () =>
  (await rows(`select lines, statement_net::text from reconciliation_day where channel_id = $1 and day = '${day}'`))[0];
const held = async () =>
  (
    await rows(
      `select coalesce(sum(case when debit = 'channel:' || $1 then amount else -amount end), 0)::text from transfer where 'channel:' || $1 in (debit, credit)`,
    )
  )[0]?.[0];

type Form = (file: BankFile) => string;
const formats = new Map<Form, string>([
  [camtFile, 'camt.053'],
  [mt940File, 'mt940'],
  [bai2File, 'bai2'],
]);

/** Uploads a file, and lets it be imported and matched. */
async function upload(form: Form, file: BankFile, before?: (fileNo: number) => Promise<unknown>): Promise<void> {
  const { domain } = fixture;
  const named = { tenant, name: file.id, uploadedBy: 'ann' };
  const account = `ACC-${channelId}`;
  const received = await receiveStatement(domain, named, Readable.from([Buffer.from(form({ account, ...file }))]));
  if (!received.ok) throw new Error(received.problem);
  const { fileNo } = received.file;
  const request = { country, channelId, fileNo, format: formats.get(form) ?? '' } as const;
  const done = await importStatement(domain, request, { ...agreed, approver: null });
  expect(done).toMatchObject({ ok: true });
  const imported = done.ok ? done.value.file.fileNo : fileNo;
  await before?.(fileNo);
  await reconcileAll(domain);
  expect(
    await rows(`select state, refusal from statement_file where channel_id = $1 and file_no = ${imported}`),
  ).toEqual([['imported', null]]);
}

/** Payins that the channel reported as paid under these references, two days ago. */
async function paidPayins(amount: string, ...references: string[]) {
  const payins = [];
  for (const reference of references) {
    const money = { amount, netAmount: amount, feeAmount: '0.00' };
    const payin = await placePayin(fixture.domain, merchantId, country, { channelId, ...money });
    const answer = { outcome: 'paid', payments: [{ reference, amount }] } as const;
    const report = { type: 'applyReport', ref: payin, channelId, answer, during: 'query' } as const;
    expect(await fixture.domain.commit(report)).toMatchObject({ ok: true });
    payins.push(payin);
  }
  await backdateLedger(fixture.domain, 2);
  return payins;
}

async function resolve(outcome: 'linked' | 'posted' | 'written_off', index = 0) {
  const found = await rows(
    "select break_no::integer from reconciliation_break where channel_id = $1 and state = 'open' order by break_no",
  );
  const breakNo = Number(found[index]?.[0]);
  const done = await resolveBreak(fixture.domain, { merchantId: tenant, breakNo, outcome, otherBreakNo: null }, agreed);
  await reconcileAll(fixture.domain);
  return done;
}
const close = (of = day) => closeDay(fixture.domain, { country, channelId, day: of }, agreed);

test('a line of the noon file that the evening file repeats explains one payment, and the one that never came stays a break', async () => {
  await paidPayins('718.37', `A-${channelId}`, `B-${channelId}`);
  const line = { amount: '718.37', bankRef: `A-${channelId}` };
  const noon = { id: 'noon', from: day, opening: '100.00', movements: [line] };
  const lost = [['missing_at_channel', '-718.37', day]];
  await upload(camtFile, noon);
  expect(await openBreaks()).toEqual(lost);
  await upload(camtFile, { ...noon, id: 'evening' });
  expect(await openBreaks()).toEqual(lost);
  expect(await shown()).toEqual([1, '718.37']);
  expect(
    await rows(
      'select rule from matched_line m join statement_line l using (merchant_id, file_no, line_no, part) where l.channel_id = $1 order by 1',
    ),
  ).toEqual([['bank_reference'], ['same_line']]);
});

test('a line that one file has twice does not explain a second payment by amount and day', async () => {
  await paidPayins('718.37', `A-${channelId}`, `B-${channelId}`);
  const line = { amount: '718.37', bankRef: `A-${channelId}` };
  await upload(camtFile, { id: 'twice', from: day, opening: '100.00', movements: [line, line] });
  expect(await openBreaks()).toEqual([
    ['duplicate', '718.37', day],
    ['missing_at_channel', '-718.37', day],
  ]);
  expect(await resolve('linked')).toMatchObject({ ok: true, value: { state: 'linked' } });
});

for (const [name, form] of [
  ['MT940', mt940File],
  ['BAI2', bai2File],
] as const)
  test(`the lines of a repeated ${name} without references of a channel count once, with and without a bank reference`, async () => {
    await paidPayins('50.00', `P-${channelId}`);
    const movements = [
      { amount: '50.00', bankRef: `P-${channelId}` },
      // Two payers, with nothing to tell them apart.
      { amount: '7.00' },
      { amount: '7.00' },
    ];
    const file = { id: 'first', from: day, opening: '10.00', movements };
    await upload(form, file);
    const unknown = [
      ['missing_in_ledger', '7.00', day],
      ['missing_in_ledger', '7.00', day],
    ];
    expect(await openBreaks()).toEqual(unknown);
    await upload(form, { ...file, id: 'again' });
    expect(await openBreaks()).toEqual(unknown);
    expect(await shown()).toEqual([3, '64.00']);
    await resolve('posted');
    await resolve('posted');
    expect([await openBreaks(), await held()]).toEqual([[], '64.00']);
    expect(await close()).toMatchObject({ ok: true });
  });

test('two statements of one day that continue each other are both counted, also lines that look alike', async () => {
  const charge = { amount: '-5.00' };
  await upload(mt940File, { id: 'noon', from: day, opening: '100.00', movements: [charge, charge] });
  await upload(mt940File, { id: 'afternoon', from: day, opening: '90.00', movements: [charge] });
  expect(await shown()).toEqual([3, '-15.00']);
  // The whole day, as one more file.
  await upload(mt940File, { id: 'day', from: day, opening: '100.00', movements: [charge, charge, charge] });
  expect(await shown()).toEqual([3, '-15.00']);
  expect((await openBreaks()).map(([kind]) => kind)).not.toContain('balance');
});

test('a line of a corrected file that is uploaded is compared with the one before: only the difference is a break', async () => {
  await paidPayins('520.19', `T-${channelId}`);
  const file = { id: 'first', from: day, opening: '10.00' };
  await upload(camtFile, { ...file, movements: [{ amount: '520.19', txId: `T-${channelId}` }] });
  expect(await openBreaks()).toEqual([]);
  await upload(camtFile, { ...file, id: 'new', movements: [{ amount: '510.19', txId: `T-${channelId}` }] });
  expect(await openBreaks()).toEqual([['amount', '-10.00', day]]);
  expect(await shown()).toEqual([1, '510.19']);
  expect(await resolve('posted')).toMatchObject({ ok: true });
  expect(await held()).toBe('510.19');
  expect(await close()).toMatchObject({ ok: true });
});

test('a line of a known reference with another amount on a later day is more money, unless the bank reversed the first: then it is what differs', async () => {
  const reference = `T-${channelId}`;
  const next = dayAgo(country, 1);
  await paidPayins('520.19', reference);
  await upload(camtFile, {
    id: 'first',
    from: day,
    opening: '10.00',
    movements: [{ amount: '520.19', txId: reference }],
  });
  const later = { id: 'later', from: next, opening: '530.19' };
  await upload(camtFile, { ...later, movements: [{ amount: '510.19', txId: reference }] });
  expect(await openBreaks()).toEqual([['amount', '510.19', next]]);
  const reversal = { amount: '-520.19', txId: reference };
  await upload(camtFile, { ...later, id: 'both', movements: [reversal, { amount: '510.19', txId: reference }] });
  expect(await openBreaks()).toEqual([['amount', '-10.00', next]]);
  expect([await resolve('posted'), await held()]).toMatchObject([{ ok: true }, '510.19']);
});

test('a corrected file that lacks a matched line and has another withdraws it, and an older part of a file withdraws nothing', async () => {
  const [, second] = await paidPayins('30.00', `C-${channelId}`, `D-${channelId}`);
  const [c, d] = [`C-${channelId}`, `D-${channelId}`].map((txId) => ({ amount: '30.00', txId }));
  const file = { id: 'evening', from: day, opening: '10.00' };
  await upload(camtFile, { ...file, movements: [c ?? { amount: '' }, d ?? { amount: '' }] });
  await upload(camtFile, { ...file, id: 'noon', movements: [c ?? { amount: '' }] });
  expect(await openBreaks()).toEqual([]);
  const other = { amount: '-1.00', bankRef: `F-${channelId}` };
  await upload(camtFile, { ...file, id: 'corrected', movements: [c ?? { amount: '' }, other] });
  expect(await openBreaks()).toEqual([
    ['missing_at_channel', '-30.00', day],
    ['late_reversal', '-1.00', day],
  ]);
  expect(await shown()).toEqual([2, '29.00']);
  expect(second?.status).toBeDefined();
});

test('a file that does not open with the closing balance before it is a break that keeps the day open, until the missing file comes', async () => {
  const [before, next] = [dayAgo(country, 4), day];
  await upload(camtFile, { id: 'one', from: before, opening: '500.00', movements: [{ amount: '71.19' }] });
  expect(await openBreaks()).toEqual([['missing_in_ledger', '71.19', before]]);
  await resolve('posted');
  await upload(camtFile, { id: 'three', from: next, opening: '600.00', movements: [] });
  expect(await openBreaks()).toEqual([['balance', '28.81', next]]);
  expect(await close(next)).toMatchObject({ rejection: 'day_not_closable', detail: '1 breaks are open, over 28.81' });
  expect(await close(before)).toMatchObject({
    rejection: 'day_not_closable',
    detail: 'the next statement does not open with the balance of this day',
  });
  const missing = { id: 'two', from: dayAgo(country, 3), opening: '571.19', movements: [{ amount: '28.81' }] };
  await upload(camtFile, missing);
  await resolve('posted');
  expect(await openBreaks()).toEqual([]);
  for (const each of [before, dayAgo(country, 3), next]) expect(await close(each)).toMatchObject({ ok: true });
});

test('an overlap of balances is a break, and two operators can say that the balance was wrong', async () => {
  await upload(camtFile, { id: 'one', from: dayAgo(country, 3), opening: '500.00', movements: [] });
  await upload(camtFile, { id: 'two', from: day, opening: '450.00', movements: [] });
  expect(await openBreaks()).toEqual([['balance', '-50.00', day]]);
  expect(await resolve('linked')).toMatchObject({ ok: true });
  expect([await openBreaks(), await held()]).toEqual([[], '0']);
  expect(await close()).toMatchObject({ ok: true });
  // Another file has the balance too, so it was right.
  await upload(camtFile, { id: 'three', from: dayAgo(country, 1), opening: '450.00', movements: [] });
  expect(await openBreaks()).toEqual([['balance', '-50.00', dayAgo(country, 1)]]);
});

test('a file of a day that is not over does not cover the whole day, until it comes again after its end', async () => {
  const { pool } = fixture.domain.database;
  const file = { id: 'early', from: day, opening: '500.00', movements: [] };
  // It came during the day.
  const early = `update statement_file set uploaded_at = '${day}T12:00:00Z' where file_no = $1`;
  await upload(camtFile, file, (fileNo) => pool.query(early, [fileNo]));
  const isPart = { detail: 'the statement shows only a part of the day: import one of the whole day' };
  expect(await close()).toMatchObject(isPart);
  await upload(camtFile, file);
  expect(await close()).toMatchObject({ ok: true });
});

test('a file that ends at noon does not cover the whole day, until the next one continues it', async () => {
  const file = { from: day, until: '12:00:00', opening: '500.00', movements: [] };
  await upload(camtFile, { ...file, id: 'noon' });
  expect(await close()).toMatchObject({
    detail: 'the statement shows only a part of the day: import one of the whole day',
  });
  await upload(camtFile, { id: 'next', from: dayAgo(country, 1), opening: '500.00', movements: [] });
  expect(await close()).toMatchObject({ ok: true });
});

import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import type { BookWallet } from '../core/commands.ts';
import { createPayin } from '../orders/create-payin.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aCreate, aPayinRequest, aReport, aTopUp, paid, placePayin, profileOf } from '../testing/payins.ts';

// The ledger writer, with everything arriving at once.

let fixture: TestDomain;
/** Another process on the same database. */
let other: TestDomain;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url, { batchSize: 7 });
  other = await openTestDomain(url, { batchSize: 3 });
});
afterAll(() => Promise.all([fixture.close(), other.close()]));

const rows = async (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await fixture.domain.database.pool.query(text, values)).rows;
const walletOf = async (merchantId: string): Promise<unknown> =>
  (await rows('select available, last_entry_no, last_transfer_no from wallet where merchant_id = $1', [merchantId]))[0];

test('50 concurrent creates with one merchantOrderNo through two processes cause one order and 49 refusals', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const merchant = await profileOf(fixture.domain, merchantId);
  const request = aPayinRequest({ merchantOrderNo: 'SAME' });
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, i) => createPayin((i % 2 === 0 ? fixture : other).domain, merchant, request)),
  );
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(results.filter((result) => !result.ok && result.rejection === 'merchant_order_no_exists')).toHaveLength(49);
  expect(await rows('select from orders where merchant_id = $1', [merchantId])).toHaveLength(1);
  expect(await rows('select from order_transition where merchant_id = $1', [merchantId])).toHaveLength(1);
});

test('creates of two merchants with one merchantOrderNo cause two orders', async () => {
  const merchants = [await aMerchant(fixture.domain, 'IN'), await aMerchant(fixture.domain, 'IN')];
  const results = await Promise.all(
    merchants.map(({ merchantId }) => fixture.domain.commit(aCreate(merchantId, 'IN', { merchantOrderNo: 'SAME' }))),
  );
  expect(results.map((result) => result.ok)).toEqual([true, true]);
});

test('a create, its payment and its claim in one batch have the same result as if sent one after the other', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'TH');
  const create = aCreate(merchantId, 'TH');
  const claim = { type: 'claimWork', ref: create.order, action: 'submit', lease: 25_000 } as const;
  const half = aReport(create.order, { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '60.00' }] });
  const rest = aReport(create.order, { outcome: 'part_paid', payments: [{ reference: 'P2', amount: '40.00' }] });
  const results = await Promise.all([create, claim, claim, half, half, rest].map((command) => domain.commit(command)));
  expect(results.map((result) => (result.ok ? result.order?.status : result.rejection))).toEqual([
    'created',
    'created',
    'not_due',
    'partial_paid',
    'partial_paid',
    'completed',
  ]);
  expect(await orderNow(domain, create.order)).toMatchObject({
    status: 'completed',
    nextAction: null,
    paidAmount: '100.00',
  });
  expect(await walletOf(merchantId)).toEqual({ available: '97.50', last_entry_no: '1', last_transfer_no: '4' });
  expect(await rows('select seq from order_transition where merchant_id = $1 order by seq', [merchantId])).toEqual(
    [1, 2, 3].map((seq) => ({ seq })),
  );
});

test('an answer has the state after its own command, not after later ones in the batch', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'PK');
  const order = await placePayin(domain, merchantId, 'PK');
  const [first, second] = await Promise.all([
    domain.commit(aReport(order, { outcome: 'accepted', channelRef: 'R', payQr: 'QR' })),
    domain.commit(aReport(order, paid())),
  ]);
  expect([first, second]).toMatchObject([
    { ok: true, order: { status: 'processing', payQr: 'QR' } },
    { ok: true, order: { status: 'completed' } },
  ]);
});

test('a command that the database refuses does not affect the others', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'IN');
  const bad = [
    aCreate(merchantId, 'IN', { netAmount: '1.00' }),
    aCreate('IN-NOBODY', 'IN'),
    aCreate(merchantId, 'IN', { merchantOrderNo: 'with blank' }),
    aCreate(merchantId, 'IN', { notifyUrl: 'http://shop.test/\u0000' }),
  ];
  const good = [aCreate(merchantId, 'IN'), aTopUp(merchantId, 'B-1', '5.00'), aCreate(merchantId, 'IN')];
  const commands = [good[0], bad[0], good[1], bad[1], bad[2], good[2], bad[3]].filter((c) => c !== undefined);
  const results = await Promise.allSettled(commands.map((command) => domain.commit(command)));
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
    'rejected',
  ]);
  expect(await rows('select from orders where merchant_id = $1', [merchantId])).toHaveLength(2);
  expect(await walletOf(merchantId)).toMatchObject({ available: '5.00', last_entry_no: '1' });
});

test('a refused command does not affect the next command', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'IN');
  const settle = (bookingNo: string, amount: string): BookWallet => ({
    ...aTopUp(merchantId, bookingNo, amount),
    entry: 'SETTLEMENT',
  });
  const results = await Promise.all([
    domain.commit(settle('S-1', '-0.01')),
    domain.commit(aTopUp(merchantId, 'T-1', '10.00')),
    domain.commit(settle('S-2', '-10.01')),
    domain.commit(settle('S-3', '-10.00')),
    domain.commit(settle('S-4', '-0.01')),
  ]);
  expect(results.map((result) => (result.ok ? 'booked' : result.rejection))).toEqual([
    'balance_insufficient',
    'booked',
    'balance_insufficient',
    'booked',
    'balance_insufficient',
  ]);
  expect(await walletOf(merchantId)).toEqual({ available: '0.00', last_entry_no: '2', last_transfer_no: '2' });
});

test("the ledger writer's answers equal the database, to the last digit and millisecond", async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'IN');
  const details = { party: { name: 'ชื่อ "\\" 😀' }, extra: { n: '12345678901234567890.10', deep: [{ a: true }] } };
  const create = aCreate(merchantId, 'IN', { amount: '999999999999.99', feeAmount: '0.01', details });
  const placed = await domain.commit(create);
  if (!placed.ok || !placed.order) throw new Error('not placed');
  expect(await orderNow(domain, create.order)).toEqual(placed.order);
  const reported = await domain.commit(aReport(create.order, paid('P\u2028😀', '999999999999.99')));
  if (!reported.ok || !reported.order) throw new Error('not reported');
  expect(await orderNow(domain, create.order)).toEqual(reported.order);
  for (const [i, remark] of ['', ' ', '\n', 'é😀"\\', '\u2028', '\u0001'].entries())
    await domain.commit({ ...aTopUp(merchantId, `R-${i}`, '999999999999.99'), remark });
  expect(await walletOf(merchantId)).toMatchObject({ available: '6999999999999.92', last_entry_no: '7' });
});

test('two processes on the same wallets neither lose nor double commands', async () => {
  const merchants = await Promise.all([
    aMerchant(fixture.domain, 'IN'),
    aMerchant(fixture.domain, 'PK'),
    aMerchant(fixture.domain, 'TH'),
  ]);
  const commands = merchants.flatMap(({ merchantId }) =>
    Array.from({ length: 100 }, (_, i) => aTopUp(merchantId, `B-${i}`, `${i + 1}.01`)),
  );
  // Each booking is requested twice, once in each process.
  const results = await Promise.all(
    commands.flatMap((command, i) =>
      i % 2 === 0
        ? [fixture.domain.commit(command), other.domain.commit(command)]
        : [other.domain.commit(command), fixture.domain.commit(command)],
    ),
  );
  expect(results.every((result) => result.ok)).toBe(true);
  for (const { merchantId } of merchants)
    expect(await walletOf(merchantId)).toEqual({ available: '5051.00', last_entry_no: '100', last_transfer_no: '100' });
});

test('a report through two processes at once is booked once', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const orders = await Promise.all(Array.from({ length: 10 }, () => placePayin(fixture.domain, merchantId, 'CN')));
  await Promise.all(
    orders.flatMap((order) =>
      [fixture, other, fixture, other].map(({ domain }) => domain.commit(aReport(order, paid()))),
    ),
  );
  expect(await walletOf(merchantId)).toMatchObject({ available: '975.00', last_entry_no: '10' });
  expect(await rows('select from notification where merchant_id = $1', [merchantId])).toHaveLength(10);
});

test('due work is claimed by one process only', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const order = await placePayin(fixture.domain, merchantId, 'CN');
  const claim = { type: 'claimWork', ref: order, action: 'submit', lease: 25_000 } as const;
  const results = await Promise.all([fixture, other, fixture, other].map(({ domain }) => domain.commit(claim)));
  expect(results.filter((result) => result.ok)).toHaveLength(1);
});

test('after all of this the audit finds nothing', async () => {
  const report = await audit(fixture.domain);
  expect(report.violations).toEqual([]);
  expect(report.checked.entries).toBeGreaterThan(300);
});

import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve } from '../../approvals/approve.ts';
import { requestOperation } from '../../approvals/request-operation.ts';
import { audit } from '../../audit/audit.ts';
import type { OperatorContext } from '../../core/operator-rights.ts';
import { approveSettlement, findSettlement } from '../../settlement/change-settlement.ts';
import { bareAdapter } from '../../testing/bare-adapter.ts';
import { FakeChannel } from '../../testing/fake-channel.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { anOperator } from '../../testing/operators.ts';
import { aReport, aTopUp, paid, placePayin } from '../../testing/payins.ts';
import { aPayout } from '../../testing/payouts.ts';
import { makeProductionDatabase } from '../../testing/production-database.ts';
import { aCycle, closeDays, lastSettlementOf, moveEntriesTo, runSettlements } from '../../testing/settlements.ts';
import { bookWallet } from '../book-wallet.ts';
import { rollUpAccounts } from '../roll-up-accounts.ts';

// A channel in production whose declaration turns out wrong: its money was test money.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
beforeAll(async () => {
  const url = await makeProductionDatabase((await createTestDatabase()).url);
  const adapters = { unseen: { ...bareAdapter(() => new FakeChannel()), modeOf: () => 'unknown' as const } };
  fixture = await openTestDomain(url, { adapters });
  const roles = ['admin', 'finance'] as const;
  [ann, bob] = [await anOperator(fixture.domain, roles), await anOperator(fixture.domain, roles)];
});
afterAll(() => fixture.close());

const byTwo = (name: 'setChannel' | 'releaseWithheld', input: object) =>
  requestOperation(fixture.domain, ann, name, input, 'a test', { approver: bob });
const withdraw = (channelId: string) =>
  requestOperation(fixture.domain, ann, 'withdrawDeclaration', { channelId }, 'it was a test account');

async function aDeclaredChannel(channelId: string): Promise<void> {
  const declared = { declaredMode: 'live', modeEvidence: 'contract 7/26 of the provider' };
  const input = { channelId, adapter: 'unseen', baseUrl: 'http://unseen.test', credentials: { key: 'k' }, ...declared };
  expect(await byTwo('setChannel', input)).toMatchObject({ ok: true });
}

/** A merchant with 97.50 of the channel and 50.00 of its own. */
async function aPaidMerchant(channelId: string): Promise<string> {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'IN');
  const order = await placePayin(domain, merchantId, 'IN', { channelId, isLive: true });
  await domain.commit({ ...aReport(order, paid(`P-${order.orderNo}`)), channelId });
  await domain.commit(aTopUp(merchantId, `T-${merchantId}`, '50.00'));
  return merchantId;
}

const payOut = (merchantId: string, amount: string) =>
  fixture.domain.commit(aPayout(merchantId, 'IN', { amount, feeAmount: '0.01', isLive: true }));

async function walletOf(merchantId: string) {
  const { rows } = await fixture.domain.database.pool.query(
    'select available::text, withheld::text from wallet where merchant_id = $1',
    [merchantId],
  );
  return rows[0];
}

test('money of a wrongly declared channel can be neither paid out nor settled, and other money can', async () => {
  const { domain } = fixture;
  await aDeclaredChannel('wrong');
  const [merchantId, other] = [await aPaidMerchant('wrong'), await aPaidMerchant('fake')];
  expect(await walletOf(merchantId)).toEqual({ available: '147.50', withheld: '0.00' });
  expect(await withdraw('wrong')).toMatchObject({
    ok: true,
    state: 'executed',
    value: { withheld: [{ merchantId, withheld: '100.00' }] },
  });
  expect(await walletOf(merchantId)).toEqual({ available: '147.50', withheld: '100.00' });
  expect(await walletOf(other)).toEqual({ available: '147.50', withheld: '0.00' });

  expect(await payOut(merchantId, '47.50')).toEqual({ ok: false, rejection: 'balance_insufficient' });
  const settle = (amount: string) =>
    bookWallet(
      domain,
      { merchantId, entry: 'SETTLEMENT', amount, bookingNo: `S-${amount}`, remark: 'a test' },
      { actor: 'ann', approver: 'bob', reason: 'a test' },
    );
  expect(await settle('47.51')).toMatchObject({ ok: false, rejection: 'balance_insufficient' });
  expect(await payOut(merchantId, '47.49')).toMatchObject({ ok: true });
  expect(await payOut(merchantId, '0.01')).toEqual({ ok: false, rejection: 'balance_insufficient' });
  expect(await payOut(other, '147.49')).toMatchObject({ ok: true });
  expect((await audit(domain)).violations).toEqual([]);
});

test('the channel is not used any more, and money that came meanwhile is withheld by doing it again', async () => {
  const { domain } = fixture;
  await aDeclaredChannel('late');
  await withdraw('late');
  const { rows } = await domain.database.pool.query(
    "select mode, declared_mode, declared_by, declared_evidence from channel where channel_id = 'late'",
  );
  expect(rows).toEqual([{ mode: 'unknown', declared_mode: null, declared_by: null, declared_evidence: null }]);
  const merchantId = await aPaidMerchant('late');
  expect(await withdraw('late')).toMatchObject({ value: { withheld: [{ merchantId, withheld: '100.00' }] } });
  expect(await withdraw('late')).toMatchObject({ value: { withheld: [{ merchantId, withheld: '100.00' }] } });
});

test('two operators release withheld money, never more than there is, and it stays released', async () => {
  await aDeclaredChannel('freed');
  const merchantId = await aPaidMerchant('freed');
  await withdraw('freed');
  const named = { merchantId, channelId: 'freed' };
  const asked = await requestOperation(fixture.domain, ann, 'releaseWithheld', { ...named, amount: '60.00' }, 'a test');
  if (!asked.ok || asked.state !== 'pending') throw new Error(JSON.stringify(asked));
  expect(await walletOf(merchantId)).toMatchObject({ withheld: '100.00' });
  expect(await approve(fixture.domain, bob, asked.approval.approvalId)).toMatchObject({ ok: true });
  expect(await walletOf(merchantId)).toEqual({ available: '147.50', withheld: '40.00' });
  expect(await byTwo('releaseWithheld', { ...named, amount: '40.01' })).toMatchObject({ rejection: 'invalid_input' });
  await withdraw('freed');
  expect(await walletOf(merchantId)).toMatchObject({ withheld: '40.00' });
  expect(await byTwo('releaseWithheld', { ...named, amount: '40' })).toMatchObject({ ok: true });
  expect(await payOut(merchantId, '147.49')).toMatchObject({ ok: true });
});

test('a correction may take withheld money out of the wallet', async () => {
  await aDeclaredChannel('taken');
  const merchantId = await aPaidMerchant('taken');
  await withdraw('taken');
  const correction = {
    merchantId,
    entry: 'ADJUSTMENT',
    amount: '-97.50',
    bookingNo: 'C-1',
    remark: 'test money',
  } as const;
  const done = await bookWallet(fixture.domain, correction, { actor: 'ann', approver: 'bob', reason: 'a test' });
  expect(done).toMatchObject({ ok: true });
  expect(await walletOf(merchantId)).toEqual({ available: '50.00', withheld: '100.00' });
});

test('only a declaration can be withdrawn', async () => {
  expect(await withdraw('unknown-one')).toMatchObject({ rejection: 'channel_not_found' });
  await fixture.domain.database.pool.query("update channel set mode = 'live' where channel_id = 'fake'");
  expect(await withdraw('fake')).toMatchObject({ rejection: 'invalid_input' });
});

test('a drafted settlement that meets withheld money is refused, and the next draft has only the other money', async () => {
  const { domain } = fixture;
  await aDeclaredChannel('drafted');
  const merchantId = await aPaidMerchant('drafted');
  await moveEntriesTo(domain, merchantId, '2026-11-10T10:00:00Z');
  await aCycle(domain, merchantId);
  await closeDays(domain, 'IN', ['2026-11-10'], 'drafted');
  await runSettlements(domain, 'IN', '2026-11-12');
  const ref = await lastSettlementOf(domain, merchantId);
  expect(await findSettlement(domain, ref)).toMatchObject({ closing: '147.50', amount: '147.50' });
  await withdraw('drafted');
  const agreed = { actor: 'ann', approver: 'bob', reason: 'a test' };
  expect(await approveSettlement(domain, ref, {}, agreed)).toMatchObject({ ok: false, rejection: 'version_outdated' });
  await runSettlements(domain, 'IN', '2026-11-12');
  expect(await findSettlement(domain, ref)).toMatchObject({ closing: '147.50', amount: '47.50' });
  expect(await approveSettlement(domain, ref, {}, agreed)).toMatchObject({ ok: true });
  expect(await walletOf(merchantId)).toEqual({ available: '100.00', withheld: '100.00' });
});

test('until all of it is withheld, nobody who has money of the channel pays out, and others do', async () => {
  const { domain } = fixture;
  await aDeclaredChannel('halted');
  const paidBy = [await aPaidMerchant('halted'), await aPaidMerchant('halted')].toSorted();
  const [first = '', last = ''] = paidBy;
  const other = await aPaidMerchant('fake');
  const holder = await domain.database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from wallet where merchant_id = $1 for update', [first]);
    await expect(withdraw('halted')).rejects.toThrow('locked');
    expect(await walletOf(last)).toMatchObject({ withheld: '0.00' });
    expect(await payOut(last, '10.00')).toEqual({ ok: false, rejection: 'payouts_stopped' });
    expect(await payOut(other, '10.00')).toMatchObject({ ok: true });
    await rollUpAccounts(domain);
    expect(await payOut(last, '10.00')).toEqual({ ok: false, rejection: 'payouts_stopped' });
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  expect(await withdraw('halted')).toMatchObject({ ok: true });
  expect(await walletOf(last)).toMatchObject({ withheld: '100.00' });
  expect(await payOut(last, '10.00')).toMatchObject({ ok: true });
});

test('money of more merchants than one step holds is withheld from all of them', async () => {
  const { domain } = fixture;
  await aDeclaredChannel('large');
  const count = 1_050;
  await domain.database.pool.query(
    `with many as (select 'MANY' || lpad(i::text, 6, '0') as id, i from generate_series(1, $1::integer) i),
     merchants as (insert into merchant (merchant_id, name, country, currency, status, tag)
       select id, id, 'IN', 'INR', 'active', lpad(upper(to_hex(i)), 4, 'Z') from many returning merchant_id),
     wallets as (insert into wallet (merchant_id, currency, updated_at) select merchant_id, 'INR', now() from merchants)
     insert into account_total (merchant_id, account, currency, debited, credited, transfers)
       select merchant_id, 'channel:large', 'INR', 7, 0, 1 from merchants`,
    [count],
  );
  const done = await withdraw('large');
  if (!done.ok || done.state !== 'executed') throw new Error(JSON.stringify(done));
  expect((done.value as { withheld: object[] }).withheld).toHaveLength(count);
  const { rows } = await domain.database.pool.query(
    "select count(*)::integer as wallets, min(withheld)::text as least from wallet where merchant_id like 'MANY%' and withheld > 0",
  );
  expect(rows).toEqual([{ wallets: count, least: '7.00' }]);
});

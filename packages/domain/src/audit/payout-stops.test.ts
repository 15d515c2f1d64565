import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeByHand } from '../../test/by-hand.ts';
import { dueWork } from '../orders/due-work.ts';
import { submitOrder } from '../orders/work-on-order.ts';
import { openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aNewOrder } from '../testing/on-paper.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { auditNew } from './audit-new.ts';
import { closeFinding } from './close-finding.ts';
import { openFindings } from './open-findings.ts';
import { releasePayouts } from './payout-stops.ts';

// A finding of the audit stops the payouts of its merchant, until two operators release them.

const minute = 60_000;
let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
beforeEach(async () => {
  ({ merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1000.00'));
});
afterAll(() => fixture.close());

const more = (amount: string) =>
  changeByHand(
    fixture.domain.database.pool,
    'update wallet set available = available + $2::numeric where merchant_id = $1',
    [merchantId, amount],
  );
/** The owner repairs the wallet: no trigger is switched off. */
const repair = () =>
  fixture.domain.database.pool.query(
    `update wallet w set available = e.available_after, frozen = e.frozen_after from wallet_entry e
     where w.merchant_id = $1 and e.merchant_id = w.merchant_id and e.entry_no = w.last_entry_no`,
    [merchantId],
  );
let created = 0;
const createPayout = () => {
  created += 1;
  const numbers = { merchantId, orderNo: `POSTOP${created}`, merchantOrderNo: `stop-${created}` };
  return fixture.domain.commit({ type: 'createPayout', order: aNewOrder('IN', 'payout', numbers) });
};
const stopped = { ok: false, rejection: 'payouts_stopped' };
const findings = async () => (await openFindings(fixture.domain, 100)).filter((one) => one.merchantId === merchantId);
const closeAll = async () => {
  for (const { findingNo } of await findings())
    expect(await closeFinding(fixture.domain, { merchantId, findingNo, outcome: 'repaired' }, by('ann'))).toMatchObject(
      { ok: true },
    );
};
const release = (actor: string, approver?: string) =>
  releasePayouts(fixture.domain, { merchantId }, approver === undefined ? by(actor) : by(actor, approver));

test('a forged balance pays nothing out, even before the audit has run', async () => {
  const order = await placePayin(fixture.domain, merchantId, 'IN');
  await more('5000000');
  expect(await createPayout()).toEqual(stopped);
  expect(await findings()).toEqual([]);
  // Payins go on.
  expect(await fixture.domain.commit(aReport(order, paid()))).toMatchObject({ ok: true });
  expect(await placePayin(fixture.domain, merchantId, 'IN')).toMatchObject({ status: 'processing' });
});

test('a finding stops payouts at once, and two operators release them once it is closed and repaired', async () => {
  const frozen = await placePayout(fixture.domain, merchantId, 'IN');
  await more('5000000');
  expect(await auditNew(fixture.domain, minute)).toBe('finished');
  expect((await findings()).length).toBeGreaterThan(0);
  await repair();
  expect(await createPayout()).toEqual(stopped);

  // A payout that was frozen before is not sent, and no worker is given it.
  fixture.channel.calls.length = 0;
  expect(await submitOrder(fixture.domain, frozen)).toBe('not_due');
  expect(fixture.channel.calls).toEqual([]);
  const isDue = async () =>
    (await dueWork(fixture.domain, 100)).some((work) => 'orderNo' in work && work.orderNo === frozen.orderNo);
  expect(await isDue()).toBe(false);
  const booking = { merchantId, amount: '-1.00', remark: 'x', by: by('ann') } as const;
  expect(
    await fixture.domain.commit({ type: 'bookWallet', entry: 'SETTLEMENT', bookingNo: 'S-1', ...booking }),
  ).toEqual(stopped);
  // A correction is not stopped.
  expect(
    await fixture.domain.commit({ type: 'bookWallet', entry: 'ADJUSTMENT', bookingNo: 'A-1', ...booking }),
  ).toMatchObject({ ok: true });

  expect(await release('ann', 'bob')).toEqual({ ok: false, rejection: 'findings_open' });
  await closeAll();
  expect(await createPayout()).toEqual(stopped);
  for (const alone of [await release('ann'), await release('ann', 'ann')])
    expect(alone).toEqual({ ok: false, rejection: 'second_operator_needed' });
  expect(await release('ann', 'bob')).toMatchObject({ ok: true, value: { merchantId } });
  expect(await release('ann', 'bob')).toEqual({ ok: false, rejection: 'payouts_not_stopped' });

  expect(await createPayout()).toMatchObject({ ok: true });
  expect(await isDue()).toBe(true);
  expect(await submitOrder(fixture.domain, frozen)).toBe('done');
  expect(await orderNow(fixture.domain, frozen)).not.toMatchObject({ nextAction: 'submit' });
  const { rows } = await fixture.domain.database.pool.query(
    "select actor, approver from audit_record where merchant_id = $1 and detail like '%releasePayouts%'",
    [merchantId],
  );
  expect(rows).toEqual([{ actor: 'ann', approver: 'bob' }]);
});

test('payouts are not released while the wallet is not its last entry, though its findings are closed', async () => {
  await more('7');
  await auditNew(fixture.domain, minute);
  await closeAll();
  expect(await release('ann', 'bob')).toEqual({ ok: false, rejection: 'wallet_not_its_entries' });
  await repair();
  expect(await release('ann', 'bob')).toMatchObject({ ok: true });
});

test('a finding that comes after a release stops the payouts again', async () => {
  await more('7');
  await auditNew(fixture.domain, minute);
  await repair();
  await closeAll();
  expect(await release('ann', 'bob')).toMatchObject({ ok: true });
  await more('7');
  await auditNew(fixture.domain, minute);
  await repair();
  expect(await createPayout()).toEqual(stopped);
});

test('a finding that is recorded during a release stops the payouts after it', async () => {
  await more('7');
  await auditNew(fixture.domain, minute);
  await repair();
  await closeAll();
  const { pool } = fixture.domain.database;
  const finder = await pool.connect();
  try {
    await finder.query('begin');
    await finder.query("insert into audit_finding (merchant_id, rule, subject, detail) values ($1, 'a rule', '', '')", [
      merchantId,
    ]);
    const releasing = release('ann', 'bob');
    await expect
      .poll(
        async () =>
          (
            await pool.query(
              "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
    await finder.query('commit');
    expect(await releasing).toEqual({ ok: false, rejection: 'findings_open' });
  } finally {
    finder.release();
  }
  expect(await createPayout()).toEqual(stopped);
});

test('the payouts of other merchants go on', async () => {
  const { merchantId: other } = await aFundedMerchant(fixture.domain, 'IN', '1000.00');
  await more('7');
  await auditNew(fixture.domain, minute);
  expect(await placePayout(fixture.domain, other, 'IN')).toMatchObject({ status: 'processing' });
});

test('a repeated create gets the answer of the first one, also while payouts are stopped', async () => {
  const numbers = { merchantId, orderNo: 'POSAME', merchantOrderNo: 'same' };
  const command = { type: 'createPayout', order: aNewOrder('IN', 'payout', numbers) } as const;
  expect(await fixture.domain.commit(command)).toMatchObject({ ok: true });
  await more('7');
  expect(await fixture.domain.commit(command)).toMatchObject({ ok: true, isRepeat: true });
});

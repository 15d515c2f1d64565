import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../approvals/operations.ts';
import type { Settlement } from '../core/settlement.ts';
import { unrestricted } from '../lists/scope.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, aTopUp, paid, placePayin } from '../testing/payins.ts';
import { by } from '../testing/payouts.ts';
import {
  aCycle,
  closeDays,
  lastEntryOf,
  lastSettlementOf,
  letReconciliationKnowAll,
  moveEntriesTo,
  paysAt,
  runSettlements,
} from '../testing/settlements.ts';
import { approveSettlement, findSettlement } from './change-settlement.ts';
import { draftSettlements } from './draft-settlements.ts';
import { pageSettlementEntries } from './list-settlements.ts';
import { readDraftFacts } from './read-draft-facts.ts';

// What a run reads, and what it must not settle. The runs are on days of 2026, to which movements are moved back.

const agreed = by('ann', 'bob');
let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  await fixture.domain.database.pool.query(
    "insert into channel (channel_id, adapter, base_url, enabled) values ('other', 'fake', 'http://fake.test', true)",
  );
});
afterAll(() => fixture.close());

const drafted = async (merchantId: string): Promise<Settlement | null> =>
  findSettlement(fixture.domain, await lastSettlementOf(fixture.domain, merchantId));

function dueOf(merchantId: string, day: string, cutOff: string) {
  const cycle = { merchantId, tag: 'TEST', workingDays: 1, weekdays: ['mon'], minimum: '0.00', keep: '0.00' };
  return { country: 'TH', cycle: { ...cycle, beginsOn: '2026-11-01', accountId: null }, day, cutOff } as const;
}

test.each(['to the wallet', 'to the order'])(
  'the money of a case that is credited %s waits until the day of its channel is closed',
  async (way) => {
    const { domain } = fixture;
    const { merchantId } = await aMerchant(domain, 'IN');
    const order = await placePayin(domain, merchantId, 'IN');
    await domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
    await domain.commit(aReport(order, paid('P-1')));
    const { orderNo } = order;
    const credit = {
      type: 'creditCase',
      merchantId,
      caseNo: 1,
      orderNo,
      toWallet: way === 'to the wallet',
      by: agreed,
    } as const;
    expect(await domain.commit(credit)).toMatchObject({ ok: true });
    await moveEntriesTo(domain, merchantId, '2026-11-10T10:00:00Z');
    // The channel of the order is another one than that of the money.
    await domain.database.pool.query(
      "begin; set local session_replication_role = 'replica'; update orders set channel_id = 'other'; commit",
    );
    await aCycle(domain, merchantId);
    await letReconciliationKnowAll(domain, 'IN');
    await closeDays(domain, 'IN', ['2026-11-10'], 'other');
    await domain.database.pool.query(
      `insert into reconciliation_day (merchant_id, channel_id, day, state, is_covered) values ('PLATFORM-IN', 'fake', '2026-11-10', 'open', true)
     on conflict (merchant_id, channel_id, day) do update set state = 'open', closed_by = null, approver = null, closed_at = null`,
    );
    await runSettlements(domain, 'IN', '2026-11-12');
    const waits = await drafted(merchantId);
    expect(waits).toMatchObject({ amount: '0.00', closing: '0.00' });
    await closeDays(domain, 'IN', ['2026-11-10']);
    await runSettlements(domain, 'IN', '2026-11-12');
    expect(await drafted(merchantId)).toMatchObject({ amount: waits?.pending, pending: '0.00' });
    const page = { list: 'wallet_entries', size: 5, after: null, before: null, backward: false } as const;
    const entries = await pageSettlementEntries(domain, unrestricted, { merchantId }, page);
    expect(entries.rows.map(({ availableChange }) => availableChange)).toEqual([waits?.pending]);
  },
);

test('a draft continues where the previous draft ended, and has the same result as one over all entries', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'TH');
  await paysAt(domain, merchantId, 'TH', '2026-11-10T10:00:00Z');
  await aCycle(domain, merchantId, { minimum: '1000.00' });
  await closeDays(domain, 'TH', ['2026-11-10', '2026-11-11']);
  await runSettlements(domain, 'TH', '2026-11-12');
  expect(await drafted(merchantId)).toMatchObject({ amount: '0.00', closing: '97.50', afterEntryNo: 0 });
  const again = await readDraftFacts(domain, dueOf(merchantId, '2026-11-13', '2026-11-12'));
  expect(again).toMatchObject({ seq: 1, drafted: { version: 1 }, facts: { movements: [] } });

  await paysAt(domain, merchantId, 'TH', '2026-11-12T10:00:00Z');
  await closeDays(domain, 'TH', ['2026-11-12']);
  await runSettlements(domain, 'TH', '2026-11-13');
  expect(await drafted(merchantId)).toMatchObject({
    opening: '0.00',
    closing: '195.00',
    scanAfter: 0,
    afterEntryNo: 0,
    throughEntryNo: 2,
    pendingAfter: 2,
    sums: [
      { kind: 'payins', amount: '200.00', count: 2 },
      { kind: 'payin_fees', amount: '-5.00', count: 2 },
    ],
  });
  // A day that is opened again is not settled: the draft is computed from its beginning.
  await domain.database.pool.query(
    "update reconciliation_day set state = 'open', closed_by = null, approver = null, closed_at = null where day = '2026-11-12' and merchant_id = 'PLATFORM-TH'",
  );
  await runSettlements(domain, 'TH', '2026-11-13');
  expect(await drafted(merchantId)).toMatchObject({ closing: '97.50', pending: '97.50', pendingAfter: 1 });
});

test('a draft is computed from the data of one moment, also during changes', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'TH');
  await domain.commit(aTopUp(merchantId, 'T-1', '50.00'));
  await moveEntriesTo(domain, merchantId, '2026-11-10T10:00:00Z');
  await aCycle(domain, merchantId);
  await runSettlements(domain, 'TH', '2026-11-12');
  const ref = await lastSettlementOf(domain, merchantId);
  const { pool } = domain.database;
  const connect = async () => {
    const client = await pool.connect();
    const query = async (text: string, values?: unknown[]) => {
      const answer = await client.query(text, values);
      if (text.includes('from wallet w'))
        expect(await approveSettlement(domain, ref, {}, agreed)).toMatchObject({ ok: true });
      return answer;
    };
    return { query, release: (isBroken?: boolean) => client.release(isBroken) };
  };
  const interrupted = { database: { ...domain.database, pool: { connect } as unknown as typeof pool } };
  const found = await readDraftFacts(interrupted, dueOf(merchantId, '2026-11-12', '2026-11-11'));
  expect(found).toMatchObject({ seq: 1, drafted: { state: 'draft' }, facts: { available: '50.00' } });
});

test('an approval reads a bounded number of entries under the lock of the wallet, and is refused if there are more', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'CN');
  await domain.commit(aTopUp(merchantId, 'T-1', '50.00'));
  await moveEntriesTo(domain, merchantId, '2026-11-10T10:00:00Z');
  await aCycle(domain, merchantId);
  await runSettlements(domain, 'CN', '2026-11-12');
  await domain.commit(aTopUp(merchantId, 'T-2', '7.00'));
  const found = await drafted(merchantId);
  const { seq = 0, settlementNo = '', version = 0, accountId = null, throughEntryNo = 0 } = found ?? {};
  const named = { type: 'approveSettlement', merchantId, seq, settlementNo, version, accountId, by: agreed } as const;
  const approve = (credited: { amount: string; throughEntryNo: number }) =>
    domain.commit({ ...named, credited, bookingNo: settlementNo });
  const tooMany = { amount: '0.00', throughEntryNo: throughEntryNo - 10_001 };
  expect(await approve(tooMany)).toMatchObject({ rejection: 'version_outdated' });
  // Money of 7.00 came since, wherever it is counted, and 57.00 is there.
  expect(await approve({ amount: '7.01', throughEntryNo: throughEntryNo + 1 })).toMatchObject({ ok: false });
  expect(await approveSettlement(domain, { merchantId, settlementNo }, {}, agreed)).toMatchObject({ ok: true });
  expect(await lastEntryOf(domain, merchantId)).toBe(3);
});

test('only a merchant whose working days reach into a year without known holidays is skipped', async () => {
  const { domain } = fixture;
  const [near, far] = [await aMerchant(domain, 'PK'), await aMerchant(domain, 'PK')].map((one) => one.merchantId);
  await aCycle(domain, near ?? '', { beginsOn: '2025-12-01' });
  await aCycle(domain, far ?? '', { beginsOn: '2025-12-01', workingDays: 9 });
  const done = await draftSettlements(domain, { country: 'PK', day: '2026-01-05' }, by('ann'));
  expect(done).toMatchObject({ ok: true, value: { skipped: [far], failed: [], settlementNos: [expect.any(String)] } });
});

test.each(['topUpWallet', 'settleWallet', 'adjustWallet'] as const)(
  '%s refuses booking numbers that are reserved for settlements and cases',
  (name) => {
    const input = (bookingNo: string) =>
      operations[name].input.safeParse({
        merchantId: 'TH-1',
        bookingNo,
        amount: '1.00',
        remark: 'x',
        ...(name === 'adjustWallet' && { kind: 'fee' }),
      }).success;
    expect(['STTEST000001', 'STTEST000001-returned', 'CASE/TH-1/1', 'B-1'].map(input)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  },
);

import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import { bookWallet } from '../ledger/book-wallet.ts';
import { findSettlement } from '../settlement/change-settlement.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { by } from '../testing/payouts.ts';
import {
  aCycle,
  lastSettlementOf,
  letReconciliationKnowAll,
  moveEntriesTo,
  runSettlements,
} from '../testing/settlements.ts';
import { aLine, anImport, reconcileAll, violationsOfMoved } from '../testing/statements.ts';
import { closeDay } from './days/close-day.ts';
import { isReconciled } from './list-channels.ts';

// Top-ups into the account of a channel, whose statement has to show them.

const day = '2026-11-10';
let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const { domain } = fixture;
  ({ merchantId } = await aMerchant(domain, 'PK'));
  await setChannel(domain, { channelId: 'bank', adapter: 'fake', baseUrl: 'http://fake.test', credentials: {} });
  await letReconciliationKnowAll(domain, 'PK', 'bank');
  for (const [bookingNo, amount, channelId] of [
    ['BANK-1', '50.00', 'bank'],
    ['BANK-2', '60.00', 'bank'],
    ['BANK-3', '70.00', undefined],
  ] as const) {
    const booking = { entry: 'TOP_UP', merchantId, amount, bookingNo, remark: 'a test', channelId } as const;
    expect(await bookWallet(domain, booking, by('ann'))).toMatchObject({ ok: true });
  }
  await moveEntriesTo(domain, merchantId, `${day}T05:00:00Z`);
  await reconcileAll(domain);
});
afterAll(async () => {
  expect(await violationsOfMoved(fixture.domain)).toEqual([]);
  await fixture.close();
});

const breaks = async () => {
  const { rows } = await fixture.domain.database.pool.query<{ found: string }>(
    "select kind || ' ' || amount as found from reconciliation_break where state = 'open' order by break_no",
  );
  return rows.map(({ found }) => found);
};
const draft = async () => {
  await runSettlements(fixture.domain, 'PK', '2026-11-12');
  return findSettlement(fixture.domain, await lastSettlementOf(fixture.domain, merchantId));
};

test('a top-up at a channel is proven by its line, and settled after its day is closed', async () => {
  const { domain } = fixture;
  await aCycle(domain, merchantId);
  // The one without a channel needs no statement.
  expect(await draft()).toMatchObject({ amount: '70.00', pending: '110.00' });
  const line = (bankRef: string, gross: string) =>
    aLine({ type: 'unknown', currency: 'PKR', bookedOn: day, gross, bankRef });
  await anImport(domain, 'PK', [line('BANK-1', '50.00')], 'bank');
  await reconcileAll(domain);
  expect(await breaks()).toEqual(['missing_at_channel -60.00']);
  await anImport(domain, 'PK', [line('BANK-2', '60.00')], 'bank');
  await reconcileAll(domain);
  expect(await breaks()).toEqual([]);
  expect(await closeDay(domain, { country: 'PK', channelId: 'bank', day }, by('ann', 'bob'))).toMatchObject({
    ok: true,
  });
  expect(await draft()).toMatchObject({ amount: '180.00', pending: '0.00' });
});

test('only a channel with statements in the country of the merchant receives top-ups', async () => {
  const { domain } = fixture;
  const { merchantId: thai } = await aMerchant(domain, 'TH');
  expect(await isReconciled(domain, merchantId, 'bank')).toBe(true);
  expect(await isReconciled(domain, thai, 'bank')).toBe(false);
});

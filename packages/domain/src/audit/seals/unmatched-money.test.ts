import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSealedLedger, type SealedLedger } from '../../../test/sealed-ledger.ts';
import type { BookUnmatched } from '../../core/commands.ts';
import { aTopUp } from '../../testing/payins.ts';
import { audit } from '../audit.ts';
import { auditNew } from '../audit-new.ts';

// Money that belongs to no order is booked at the country's platform tenant, under a number that only its channel knows.

const platform = 'PLATFORM-TH';
let ledger: SealedLedger;
beforeEach(async () => {
  ledger = await openSealedLedger();
});
afterEach(() => ledger.close());

const reported = (direction: BookUnmatched['direction'], reference: string): BookUnmatched => ({
  type: 'bookUnmatched',
  merchantId: platform,
  channelId: 'fake',
  orderNo: `UNKNOWN-${direction}`,
  reference,
  amount: '7.00',
  direction,
});

async function bookAll(): Promise<void> {
  for (const direction of ['in', 'out', 'back'] as const)
    expect(await ledger.domain.commit(reported(direction, `U-${direction}`))).toMatchObject({ ok: true });
}

test('no audit reports unmatched money as an order that is missing', async () => {
  await bookAll();
  await auditNew(ledger.domain, 60_000);
  await ledger.seal(Date.now());
  expect(await ledger.found()).toEqual([]);
  await ledger.seal();
  expect(await ledger.found()).toEqual([]);
  expect((await ledger.seals()).map(({ merchantId }) => merchantId)).toContain(platform);
  expect((await audit(ledger.domain)).violations).toEqual([]);
});

test('unmatched money that follows a seal is no finding', async () => {
  await bookAll();
  await ledger.seal();
  await ledger.domain.commit(reported('in', 'U-in-2'));
  await ledger.domain.commit(aTopUp(ledger.th, 'T-1', '1.00'));
  await ledger.seal();
  expect(await ledger.found()).toEqual([]);
});

test('a payment that was inserted by hand under such a number is found', async () => {
  await bookAll();
  await ledger.byHand(
    `insert into payment select (jsonb_populate_record(p, '{"seq": 9, "reference": "FORGED"}')).* from payment p where reference = 'U-in'`,
  );
  await ledger.seal(Date.now());
  expect(await ledger.found()).toEqual([expect.stringContaining('every row is in the ledger batch that it names')]);
});

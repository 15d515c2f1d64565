import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aMerchant, openTestDomain, type TestDomain } from '../../testing/index.ts';
import { aReport, paid, placePayin } from '../../testing/payins.ts';
import { aLine, anImport, dayAgo, reconcileAll } from '../../testing/statements.ts';
import { explainDay } from './explain-day.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

test('a break about the amount of a payment explains its line and its entry of the ledger together', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'PK');
  const order = await placePayin(domain, merchantId, 'PK');
  await domain.commit(aReport(order, paid('P1')));
  const day = dayAgo('PK', 0);
  await anImport(domain, 'PK', [aLine({ currency: 'PKR', bookedOn: day, channelRef: 'P1', gross: '60.00' })]);
  await reconcileAll(domain);
  const ref = { country: 'PK', channelId: 'fake', day } as const;
  expect(await explainDay(domain, ref, { statementNet: '60.00', ledgerNet: '100.00' })).toMatchObject([
    { reason: 'break', breakKind: 'amount', breakState: 'open', breakNos: [1], count: 2, amount: '-40.00' },
  ]);
});

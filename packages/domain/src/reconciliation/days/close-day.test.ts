import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../audit/audit.ts';
import { unrestricted } from '../../lists/scope.ts';
import { openTestDomain, type TestDomain } from '../../testing/index.ts';
import { by } from '../../testing/payouts.ts';
import { aLine, anImport, dayAgo, reconcileAll } from '../../testing/statements.ts';
import { resolveBreak } from '../breaks/resolve-break.ts';
import { listReconciliationDays } from '../list-days.ts';
import { closeDay, reopenDay } from './close-day.ts';

const country = 'PK';
const tenant = 'PLATFORM-PK';
const day = dayAgo(country, 2);
const agreed = by('ann', 'bob');

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

const line = (changes: Partial<Parameters<typeof aLine>[0]> = {}) =>
  aLine({ currency: 'PKR', bookedOn: day, ...changes });

test('nothing can be matched or posted on a closed day until it is reopened, and the audit finds nothing', async () => {
  const { domain } = fixture;
  const theDay = async () => (await listReconciliationDays(domain, unrestricted, { from: day, to: day }))[0];
  const charge = (amount: string) => line({ type: 'fee', direction: 'out', gross: amount, net: amount });
  const post = (breakNo: number) =>
    resolveBreak(domain, { merchantId: tenant, breakNo, outcome: 'posted', otherBreakNo: null }, agreed);
  const ref = { country, channelId: 'fake', day } as const;
  await anImport(domain, country, [charge('2.00')]);
  await reconcileAll(domain);
  expect(await post(1)).toMatchObject({ ok: true });
  expect(await closeDay(domain, ref, agreed)).toMatchObject({ ok: true });
  await anImport(domain, country, [charge('3.00')]);
  await reconcileAll(domain);
  expect(await theDay()).toMatchObject({ state: 'closed', openBreaks: 1, difference: '3.00' });
  expect(await post(2)).toMatchObject({ rejection: 'day_closed' });
  await reopenDay(domain, ref, by('ann'));
  // Lines of a closed day are matched with each other first.
  expect(await post(2)).toMatchObject({ rejection: 'day_not_matched' });
  await reconcileAll(domain);
  expect(
    await resolveBreak(domain, { merchantId: tenant, breakNo: 2, outcome: 'posted', otherBreakNo: null }, by('ann')),
  ).toMatchObject({
    rejection: 'second_operator_needed',
  });
  expect(await post(2)).toMatchObject({ ok: true });
  expect(await post(2)).toMatchObject({ rejection: 'break_closed' });
  await reconcileAll(domain);
  expect(await closeDay(domain, ref, agreed)).toMatchObject({ ok: true });
  const { rows } = await domain.database.pool.query(
    "select debit, credit, amount::text as amount from transfer where 'channel:fake' in (debit, credit) order by transfer_no",
  );
  expect(rows).toEqual(
    ['2.00', '3.00'].map((amount) => ({ debit: 'channel_fee:fake', credit: 'channel:fake', amount })),
  );
  expect((await audit(domain)).violations).toEqual([]);
});

import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dueWork } from '../orders/due-work.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aBacklogOf, aNotification } from '../testing/notifications.ts';
import { claimNotification, parkAtHost } from './deliver-notification.ts';
import { firstOfBacklogs, nextBacklogs, releaseResumed } from './host-backlog.ts';
import { pauseNotifications } from './pause-notifications.ts';

let fixture: TestDomain;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
});
afterAll(() => fixture.close());

/** What each takes in ms, the fastest of 20: a busy machine makes some of them slow, a look at each row makes all of them slow. */
async function fastestOf(looks: Record<string, () => Promise<unknown>>): Promise<Record<string, number>> {
  const took: Record<string, number> = {};
  for (const [what, look] of Object.entries(looks))
    for (let tries = 0; tries < 20; tries += 1) {
      const began = performance.now();
      await look();
      took[what] = Math.min(took[what] ?? Number.POSITIVE_INFINITY, performance.now() - began);
    }
  return took;
}

test('100,000 paused notifications and 100,000 in one backlog do not slow the dispatcher down', {
  timeout: 120_000,
}, async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const host = 'one-host.test:443';
  const toHost = () => aNotification(fixture.domain, merchantId, 'https://one-host.test/n');
  const [paused, parked] = [await toHost(), await toHost()];
  await parkAtHost(fixture.domain, parked);
  await pauseNotifications(fixture.domain, merchantId, true);
  await claimNotification(fixture.domain, paused);
  const looks = {
    'due work': () => dueWork(fixture.domain, 2_000),
    'the backlogs': async () =>
      (await nextBacklogs(fixture.domain, { afterMerchant: '', afterHosts: new Map() }, 1_000)).backlogs,
    'the first of a backlog': () => firstOfBacklogs(fixture.domain, [{ host, merchantId, count: 8 }]),
    'nothing to release': () => releaseResumed(fixture.domain, 2_000),
  };
  const few = await fastestOf(looks);
  await aBacklogOf(fixture.domain, paused, 100_000);
  await aBacklogOf(fixture.domain, parked, 100_000);
  // As autovacuum does within a minute. Before that, plans for a small table take about 100 ms here.
  await fixture.domain.database.pool.query('analyze notification');
  const other = (await aMerchant(fixture.domain, 'CN')).merchantId;
  const urgent = await aNotification(fixture.domain, other);
  const due = await looks['due work']();
  expect(due.map((work) => work.orderNo)).toContain(urgent.orderNo);
  expect(due.filter((work) => 'host' in work && work.host === host)).toEqual([]);
  expect(await looks['the backlogs']()).toEqual([{ host, merchantId }]);
  expect(await looks['the first of a backlog']()).toHaveLength(8);
  expect(await looks['nothing to release']()).toBe(0);
  const many = await fastestOf(looks);
  console.log(Object.entries(many).map(([what, ms]) => `${what}: ${few[what]?.toFixed(1)}, ${ms.toFixed(1)} ms`));
  // With a look at each of the 200,000 even the fastest takes longer than that.
  for (const [what, ms] of Object.entries(many)) expect(ms, what).toBeLessThan(25 + 5 * (few[what] ?? 0));
});

import { createTestDatabase } from '@tidegate/sandbox/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderStatus } from '../core/order.ts';
import { notificationWaits } from '../core/schedule.ts';
import { resendNotification } from '../ledger/resend-notifications.ts';
import { aMerchant, aNotification, openTestDomain, type TestDomain } from '../testing/index.ts';
import { by } from '../testing/payouts.ts';
import {
  claimNextParked,
  claimNotification,
  giveBackClaim,
  type NotificationClaim,
  type NotificationRef,
  parkAtHost,
  recordAttempt,
} from './deliver-notification.ts';
import { pauseBacklog, releaseResumed, releaseStranded } from './host-backlog.ts';
import { pauseNotifications } from './pause-notifications.ts';

// What workers, operators and crashes do with the notifications of two orders, in random order and at the same time. A receiver must never
// see a newer status before the older one was acknowledged or exhausted, and finally all of them are settled.

const statuses = ['created', 'failed', 'completed'] as const;
const host = 'model.test:443';

let workers: [TestDomain, TestDomain];
beforeAll(async () => {
  const { url } = await createTestDatabase();
  workers = [await openTestDomain(url, { scheduleScale: 0 }), await openTestDomain(url, { scheduleScale: 0 })];
});
afterAll(() => Promise.all(workers.map((worker) => worker.close())));

type Step =
  | { do: 'claim' | 'wait'; order: number; status: number }
  | { do: 'next'; firstOnly: boolean }
  | { do: 'end'; which: number; how: 'acknowledged' | 'failed' | 'gone' | 'given back' }
  | { do: 'reach'; order: number }
  | { do: 'resend'; order: number; status: number | null }
  | { do: 'pause' | 'resume' | 'kill' };

const order = fc.nat(1);
const status = fc.nat(statuses.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('claim', 'wait'), order, status }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('next'), firstOnly: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('end'),
      which: fc.nat(5),
      how: fc.constantFrom('acknowledged', 'failed', 'failed', 'gone', 'given back'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reach'), order }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resend'), order, status: fc.option(status) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pause', 'resume', 'kill') }) },
) as fc.Arbitrary<Step>;

let requests = 0;

/** Two orders, how far each has come, and the attempts that are open. */
async function aWorld() {
  const [first] = workers;
  const { pool } = first.domain.database;
  const { merchantId } = await aMerchant(first.domain, 'CN');
  const orders = await Promise.all(
    [0, 1].map(async () => {
      const { orderNo } = await aNotification(first.domain, merchantId, `https://${host}/n`);
      // Only the row: which statuses an order has is no matter here.
      await pool.query(`update notification set status = 'created', seq = 1 where order_no = $1`, [orderNo]);
      return { orderNo, reached: 1 };
    }),
  );
  const settledOnce = new Set<string>();
  const open: { claim: NotificationClaim; of: TestDomain }[] = [];
  const keyOf = (ref: NotificationRef): string => `${ref.orderNo} ${ref.status}`;
  const refOf = (one: number, at: number): NotificationRef => ({
    merchantId,
    orderNo: orders[one]?.orderNo ?? '',
    status: (statuses[at] ?? 'created') as OrderStatus,
  });

  /** The receiver sees a notification as soon as an attempt was claimed. */
  const sent = (claim: NotificationClaim | 'paused' | null, of: TestDomain): void => {
    if (claim === null || claim === 'paused') return;
    const older = statuses.slice(0, statuses.indexOf(claim.status as (typeof statuses)[number]));
    const missing = older.filter((one) => !settledOnce.has(`${claim.orderNo} ${one}`));
    expect(missing, `${claim.status} was sent before`).toEqual([]);
    open.push({ claim, of });
  };
  const end = async (which: number, how: string): Promise<void> => {
    const [one] = open.splice(which % Math.max(1, open.length), 1);
    if (!one) return;
    const { claim, of } = one;
    if (how === 'gone') return;
    if (how === 'given back') return giveBackClaim(of.domain, claim);
    const acknowledged = how === 'acknowledged';
    const result = { startedAt: Date.now(), durationMs: 1, address: null, httpStatus: 200, reply: null, error: null };
    // Added before it is recorded, because a worker may see it before this process has the answer.
    if (acknowledged || claim.attempt - claim.earlierAttempts > notificationWaits.length) settledOnce.add(keyOf(claim));
    await recordAttempt(of.domain, claim, { ...result, acknowledged });
  };
  const reach = async (one: number): Promise<void> => {
    const order = orders[one];
    if (!order || order.reached >= statuses.length) return;
    order.reached += 1;
    await pool.query(
      `insert into notification (merchant_id, order_no, status, url, body, state, attempt, next_attempt_at, created_at, host, seq)
       select merchant_id, order_no, $2, url, body, 'pending', 0, clock_timestamp(), clock_timestamp(), host, $3 from notification
       where order_no = $1 and status = 'created'`,
      [order.orderNo, statuses[order.reached - 1], order.reached],
    );
  };
  /** Leases run out, as if their workers had died. */
  const kill = () =>
    pool.query(
      `update notification set next_attempt_at = clock_timestamp() where merchant_id = $1 and next_attempt_at > clock_timestamp()`,
      [merchantId],
    );
  const take = async (what: Step, of: TestDomain): Promise<void> => {
    const { domain } = of;
    if (what.do === 'claim') sent(await claimNotification(domain, refOf(what.order, what.status)), of);
    else if (what.do === 'wait') await parkAtHost(domain, refOf(what.order, what.status));
    else if (what.do === 'next')
      sent(await claimNextParked(domain, { host, merchantId, firstOnly: what.firstOnly }), of);
    else if (what.do === 'end') await end(what.which, what.how);
    else if (what.do === 'reach') await reach(what.order);
    else if (what.do === 'kill') await kill();
    else if (what.do === 'resend') {
      const request = { merchantId, requestKey: `r${++requests}` };
      const { orderNo, status: named } = refOf(what.order, what.status ?? 0);
      await resendNotification(domain, request, { orderNo, status: what.status === null ? null : named }, by('model'));
    } else {
      await pauseNotifications(domain, merchantId, what.do === 'pause');
      if (what.do === 'pause') await pauseBacklog(domain, { host, merchantId });
      else await releaseResumed(domain, 100);
    }
  };
  return { merchantId, take, kill, end, open, orders };
}

/** What the dispatcher and the workers do until nothing is left, while every endpoint answers. */
async function workOff({ merchantId, take, kill, end, open }: Awaited<ReturnType<typeof aWorld>>): Promise<void> {
  const [worker] = workers;
  const { pool } = worker.domain.database;
  await take({ do: 'resume' }, worker);
  open.length = 0;
  for (let round = 0; round < 30; round++) {
    await kill();
    const { rows } = await pool.query<{ orderNo: string; status: (typeof statuses)[number] }>(
      `select order_no as "orderNo", status from notification where merchant_id = $1 and state = 'pending' and held_by is null`,
      [merchantId],
    );
    for (const { orderNo, status: found } of rows) {
      const claim = await claimNotification(worker.domain, { merchantId, orderNo, status: found });
      if (claim !== null && claim !== 'paused') open.push({ claim, of: worker });
      while (open.length > 0) await end(0, 'acknowledged');
    }
    await take({ do: 'next', firstOnly: false }, worker);
    while (open.length > 0) await end(0, 'acknowledged');
    await take({ do: 'resume' }, worker);
    // A worker that locked a newer notification, and then found it changed, hides it from the worker that settles the older one.
    await releaseStranded(worker.domain, 0, 100);
    const { rowCount } = await pool.query(`select from notification where merchant_id = $1 and state = 'pending'`, [
      merchantId,
    ]);
    if (rowCount === 0) return;
  }
  const { rows } = await pool.query(`select status, state, held_by, attempt from notification where merchant_id = $1`, [
    merchantId,
  ]);
  expect(rows.filter(({ state }) => state === 'pending')).toEqual([]);
}

test('in no interleaving is a newer status sent before the older notification is settled, and none stays behind', {
  timeout: 120_000,
}, async () => {
  const groups = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 8, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(groups, async (steps) => {
      const world = await aWorld();
      // Steps of one group run at the same time, in two workers.
      for (const group of steps)
        await Promise.all(group.map((one, i) => world.take(one, workers[i % 2] as TestDomain)));
      await workOff(world);
    }),
    { numRuns: 30, interruptAfterTimeLimit: 10_000 },
  );
});

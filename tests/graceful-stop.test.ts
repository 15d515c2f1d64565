import { expect, type TestContext, test } from 'vitest';
import { linkTo } from '../packages/rest-adapter/test/breakable-link.ts';
import { merchantClient } from '../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../tools/sandbox/src/wait-until.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { payinRequest } from './payin-requests.ts';

// SIGTERM during work: the work is finished, or abandoned safely after 25 s. The tests mostly wait, so each test
// has a fleet of its own, and they run side by side.

/** A fleet with one REST adapter, and what the tests do with both. */
async function openFleet({ onTestFinished }: TestContext) {
  const fleet: Fleet = await startFleet({ scale: 0.2 });
  onTestFinished(() => fleet.stop());
  const rest = await fleet.start('rest');
  let count = 0;
  const createPayin = async (country: string, amount: string) => {
    const merchant = fleet.merchants.find((one) => one.country === country);
    if (!merchant) throw new Error(`no merchant of ${country}`);
    const client = merchantClient(rest.url, merchant.merchantNo, merchant.privateKeyPem);
    const notifyUrl = `${fleet.receiverUrl}/notify/${merchant.merchantNo}`;
    return client.post('/payin/create', payinRequest[country]?.(`G-${++count}`, amount, notifyUrl) ?? {});
  };
  const receivedOf = (orderNo: unknown) => fleet.received.filter((one) => one.orderNo === orderNo);
  const untilReceived = (orderNo: unknown, timeoutMs = 40_000) =>
    waitUntil(`${orderNo} notified`, async () => receivedOf(orderNo).length > 0, { timeoutMs });
  const notificationOf = async (orderNo: unknown) => {
    const [row] = await fleet.rows<{ state: string; attempts: string }>(
      `select state, (select count(*) from notification_attempt a where a.order_no = n.order_no) as attempts
         from notification n where order_no = $1`,
      [orderNo],
    );
    return row && { state: row.state, attempts: Number(row.attempts) };
  };
  return { fleet, rest, createPayin, receivedOf, untilReceived, notificationOf };
}

test.concurrent('a REST adapter that is stopped finishes a payin request whose channel stays silent for 8 s', {
  timeout: 120_000,
}, async (context) => {
  const { fleet, rest, createPayin } = await openFleet(context);
  const began = performance.now();
  const created = createPayin('TH', '50.13');
  const isAsked = async () =>
    (await fleet.rows(`select 1 from orders where country = 'TH' and status = 'created'`)).length === 1;
  await waitUntil('the payin at its channel', isAsked, { timeoutMs: 7_000, everyMs: 20 });
  const ending = rest.terminate();
  const answer = await created;
  const answeredMs = performance.now() - began;
  expect(answer).toMatchObject({ status: 504, code: 50401 });
  expect(answeredMs).toBeGreaterThan(7_500);
  const { how, ms } = await ending;
  expect(how).toBe('exit code 0');
  expect(ms).toBeLessThan(20_000);
  console.log(`graceful stop, REST: answered after ${Math.round(answeredMs)} ms, ended ${ms} ms after SIGTERM`);
});

test.concurrent('a worker that is stopped finishes the delivery of a notification and records it', {
  timeout: 180_000,
}, async (context) => {
  const { fleet, createPayin, receivedOf, untilReceived, notificationOf } = await openFleet(context);
  fleet.receiverTakes = 6_000;
  const worker = await fleet.start('worker');
  const { data } = await createPayin('CN', '50.00');
  await untilReceived(data?.orderNo);
  const { how, ms } = await worker.terminate();
  fleet.receiverTakes = 0;
  expect(how).toBe('exit code 0');
  expect(ms).toBeGreaterThan(3_000);
  expect(ms).toBeLessThan(20_000);
  expect(receivedOf(data?.orderNo)).toEqual([{ orderNo: data?.orderNo, status: 'completed', acknowledged: true }]);
  expect(await notificationOf(data?.orderNo)).toEqual({ state: 'delivered', attempts: 1 });
  console.log(`graceful stop, worker: its notification took 6000 ms, ended ${ms} ms after SIGTERM`);
});

test.concurrent('a delivery that is not finished after 25 s is given up with exit code 1, and repeated by the next worker', {
  timeout: 240_000,
}, async (context) => {
  const { fleet, createPayin, receivedOf, untilReceived, notificationOf } = await openFleet(context);
  fleet.receiverTakes = 6_500;
  const link = await linkTo(fleet.databaseUrl);
  const worker = await fleet.start('worker', [], { DATABASE_URL: link.url });
  const created = await Promise.all(Array.from({ length: 3 }, (_, n) => createPayin('CN', `${51 + n}.00`)));
  const orderNos = created.map(({ data }) => String(data?.orderNo));
  for (const orderNo of orderNos) await untilReceived(orderNo);
  // The notifications are acknowledged, but this cannot be recorded any more: each statement waits for about 20 s in vain.
  link.silence();
  const { how, ms } = await worker.terminate();
  fleet.receiverTakes = 0;
  expect(worker.output()).toContain('the time for the shutdown is over');
  expect(how).toBe('exit code 1');
  // Compose kills it after 30 s, Kubernetes after 35 s.
  expect(ms).toBeGreaterThan(23_000);
  expect(ms).toBeLessThan(30_000);
  const states = await Promise.all(orderNos.map(notificationOf));
  const unfinished = orderNos.filter((_, n) => states[n]?.state !== 'delivered');
  expect(unfinished.length).toBeGreaterThan(0);

  const next = await fleet.start('worker');
  for (const orderNo of unfinished) {
    const isDelivered = async () => (await notificationOf(orderNo))?.state === 'delivered';
    await waitUntil(`${orderNo} delivered by the next worker`, isDelivered, { timeoutMs: 40_000 });
    expect(receivedOf(orderNo)).toHaveLength(2);
  }
  expect((await next.terminate()).how).toBe('exit code 0');
  expect(await fleet.violations()).toEqual([]);
  await link.close();
  console.log(
    `graceful stop, worker with a silent database: given up after ${ms} ms, ${unfinished.length} notifications sent again`,
  );
});

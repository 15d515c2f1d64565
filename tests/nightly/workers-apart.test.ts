import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueNames } from '../../packages/domain/src/index.ts';
import { connectRedis, openQueue, type QueueName } from '../../packages/queue/src/index.ts';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import type { Member } from '../fleet-member.ts';
import { payinRequest } from '../payin-requests.ts';
import { payoutRequest } from '../payout-requests.ts';

// Workers take `--queues`, so that each kind of work is scaled by itself.

let fleet: Fleet;
let restUrl: string;
beforeAll(async () => {
  fleet = await startFleet({ scale: 0.1 });
  restUrl = (await fleet.start('rest')).url;
}, 240_000);
afterAll(() => fleet?.stop(), 60_000);

const start = (queues: readonly QueueName[]): Promise<Member> => fleet.start('worker', ['--queues', queues.join(',')]);

let count = 0;
/** A payin of China and a payout of India: both are submitted by a worker. */
async function createOrders(): Promise<string[]> {
  const answers = [];
  for (const [country, requests, path] of [
    ['CN', payinRequest, '/payin/create'],
    ['IN', payoutRequest, '/payout/create'],
  ] as const) {
    const merchant = fleet.merchants.find((one) => one.country === country);
    if (!merchant) throw new Error(`no merchant of ${country}`);
    const notifyUrl = `${fleet.receiverUrl}/notify/${merchant.merchantNo}`;
    const body = requests[country]?.(`A-${++count}`, '20.00', notifyUrl) ?? {};
    answers.push(await merchantClient(restUrl, merchant.merchantNo, merchant.privateKeyPem).post(path, body));
  }
  return answers.map(({ data }) => String(data?.orderNo));
}

async function statusesOf(orderNos: readonly string[]): Promise<string[]> {
  const rows = await fleet.rows<{ status: string }>('select status from orders where order_no = any($1)', [orderNos]);
  return rows.map(({ status }) => status);
}

const untilCompleted = (orderNos: readonly string[]) => {
  const completed = async () => (await statusesOf(orderNos)).every((status) => status === 'completed');
  return waitUntil('the orders completed', completed, { timeoutMs: 40_000 });
};
const receivedOf = (orderNos: readonly string[]) => fleet.received.filter(({ orderNo }) => orderNos.includes(orderNo));
const untilReceived = (orderNos: readonly string[]) =>
  waitUntil('the merchants notified', async () => receivedOf(orderNos).length === orderNos.length, {
    timeoutMs: 40_000,
  });

/** The queues of which a worker has done a job. */
async function workedOn({ url }: Member): Promise<string[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = text.matchAll(/^tidegate_job_duration_seconds_count\{queue="([a-z]+)"[^}]*\} [1-9]/gm);
  return [...new Set([...counts].map(([, queue]) => queue ?? ''))].sort();
}

test('with one worker for each group of queues orders reach their final status, and each worker does its own work only', {
  timeout: 240_000,
}, async () => {
  const received: QueueName[] = ['notify'];
  const alone: QueueName[] = ['submit'];
  const finding: QueueName[] = ['dispatch'];
  const others = queueNames.filter((name) => ![...received, ...alone, ...finding].includes(name));
  const redis = connectRedis(fleet.redisUrl, 'worker', silent);

  // The work stays due, because no worker serves its queue.
  const finder = await start(finding);
  const first = await createOrders();
  await redis.flushdb();
  const waiting = () => openQueue('submit', redis).getWaitingCount();
  await waitUntil('dispatch to wake the submitters', async () => (await waiting()) === 2, { timeoutMs: 20_000 });
  expect((await statusesOf(first)).sort()).toEqual(['created', 'processing']);

  const submitter = await start(alone);
  const pollers = await start(others);
  await untilCompleted(first);
  expect(receivedOf(first)).toEqual([]);

  const notifier = await start(received);
  await untilReceived(first);
  const second = await createOrders();
  await untilCompleted(second);
  await untilReceived(second);

  expect(await workedOn(finder)).toEqual(finding);
  expect(await workedOn(submitter)).toEqual(alone);
  expect(await workedOn(notifier)).toEqual(received);
  expect(others).toEqual(expect.arrayContaining(await workedOn(pollers)));
  for (const worker of [finder, submitter, pollers, notifier])
    expect((await worker.terminate()).how).toBe('exit code 0');
  expect(await fleet.violations()).toEqual([]);
  redis.disconnect();
});

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

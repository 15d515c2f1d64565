import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../tools/sandbox/src/wait-until.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { expectAllAnswered, loadFleet } from './fleet-load.ts';

interface Rolling {
  /** How often each process is restarted. */
  rounds: number;
  /** How many merchants' clients ask meanwhile. */
  clients: number;
  /** What changes before each round, and what the processes get of it. By default nothing. */
  change?(fleet: Fleet): Promise<RoundChange>;
}

export interface RoundChange {
  /** The environment of each process, in all rounds. */
  env(kind: 'rest' | 'worker'): Record<string, string>;
  before(round: number): Promise<void>;
}

/**
 * Two REST adapters and two workers on the same data are restarted one after the other under load. Merchants notice
 * nothing but connections to be made again, and nothing is done twice.
 */
export function testRollingRestart(how: Rolling): void {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet({ scale: 0.1 });
  }, 240_000);
  afterAll(() => fleet?.stop(), 60_000);
  test('every process is restarted, one after the other, under load', { timeout: 420_000 }, () =>
    restartOneByOne(fleet, how),
  );
}

interface UpstreamOrder {
  orderNo: string;
  creates: number;
  payments: unknown[];
}

async function restartOneByOne(fleet: Fleet, { rounds, clients, change }: Rolling): Promise<void> {
  const { env, before } = (await change?.(fleet)) ?? { env: () => ({}), before: async () => undefined };
  const start = (kind: 'rest' | 'worker') => fleet.start(kind, [], env(kind));
  const members = {
    rests: [await start('rest'), await start('rest')],
    workers: [await start('worker'), await start('worker')],
  };
  const end = new AbortController();
  const urls = members.rests.map(({ url }) => url);
  const load = loadFleet(fleet, { urls, clients, signal: end.signal, most: 6_000 });
  const ends: { name: string; how: string; ms: number; lastLine: string }[] = [];
  for (let round = 0; round < rounds; round++) {
    await before(round);
    for (const member of [...members.rests, ...members.workers]) {
      ends.push({ name: member.name, ...(await member.terminate()) });
      await member.startAgain();
    }
  }
  const areEnough = async () =>
    ((await fleet.rows<{ n: number }>('select count(*)::integer as n from orders'))[0]?.n ?? 0) > 50;
  await waitUntil('more than 50 orders', areEnough, { timeoutMs: 120_000 });
  end.abort();
  const seen = await load;
  const orders = [...seen.orders.values()];
  await untilAllEnded(fleet, orders.length);

  expectAllAnswered(seen, [...members.rests, ...members.workers]);
  // Whatever had begun was answered: a connection that broke had brought nothing yet.
  expect(seen.foundByQuery).toBe(0);
  // A process that does not end within 25 s of its own clock exits with 1.
  for (const { name, how, ms, lastLine } of ends)
    expect([name, how], `ended after ${ms} ms: ${lastLine}`).toEqual([name, 'exit code 0']);
  expect(await fleet.violations()).toEqual([]);
  const upstream = await upstreamOrders(fleet);
  expect(upstream.map(({ orderNo }) => orderNo).sort()).toEqual(orders.map(({ orderNo }) => orderNo).sort());
  expect(upstream.filter(({ creates, payments }) => creates !== 1 || payments.length !== 1)).toEqual([]);
  const attempts = await fleet.rows<{ order_no: string }>('select order_no from notification_attempt');
  const twice = [...Map.groupBy(fleet.received, ({ orderNo, status }) => `${orderNo} ${status}`).entries()]
    .filter(([, received]) => received.length > 1)
    .map(([what]) => what);
  expect(twice).toEqual([]);
  expect(fleet.received.filter(({ acknowledged }) => !acknowledged)).toEqual([]);
  expect(attempts).toHaveLength(fleet.received.length);
  console.log(
    `rolling restart: ${ends.length} restarts (ended after ${ends.map(({ ms }) => ms).join(', ')} ms), ` +
      `${seen.requests} requests, ${orders.length} orders, 0 failed, ${seen.retries} connections made again, ` +
      `${seen.foundByQuery} creates found by query, ${fleet.received.length} notifications, each once`,
  );
}

/** Every order has ended, and every notification was delivered. */
async function untilAllEnded(fleet: Fleet, count: number): Promise<void> {
  const ended = async (): Promise<boolean> => {
    const [row] = await fleet.rows<{ ended: string; waiting: string }>(`select
      (select count(*) from orders where status = 'completed') as ended,
      (select count(*) from notification where state <> 'delivered') as waiting`);
    return Number(row?.ended) === count && Number(row?.waiting) === 0;
  };
  await waitUntil(`${count} orders completed and notified`, ended, { timeoutMs: 90_000, everyMs: 250 });
}

async function upstreamOrders({ upstreamUrl }: Fleet): Promise<UpstreamOrder[]> {
  const response = await fetch(`${upstreamUrl}/orders?limit=10000`);
  return ((await response.json()) as { orders: UpstreamOrder[] }).orders;
}

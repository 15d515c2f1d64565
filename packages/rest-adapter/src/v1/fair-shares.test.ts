import { setInterval } from 'node:timers/promises';
import type { ChannelAnswer } from '@tidegate/domain/channels';
import { aFundedMerchant, aMerchant, openTestDomain, placePayout, type TestDomain } from '@tidegate/domain/testing';
import { submitOrder } from '@tidegate/domain/worker';
import { connectRedis, openCallLimiter, type RedisConnection } from '@tidegate/queue';
import { createTestDatabase, createTestRedis } from '@tidegate/sandbox/testing';
import { parsePrivateKey } from '@tidegate/signature';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  ask,
  createPath,
  type Fixture,
  queryPath,
  signedGet,
  signedPost,
  startFixture,
} from '../../test/rest-fixture.ts';
import { restDomainOf } from '../request/rest-domain.ts';

// Merchants share the account of a provider, and the slots of a channel. The adapter runs with a real domain, database
// and Redis. A worker with a limiter of its own, as in another process, sends payouts to the same account.

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const accepted: ChannelAnswer = { outcome: 'accepted', channelRef: 'R' };
/** The most calls a second to the account. */
let perSecond = 10;

interface Merchant {
  merchantId: string;
  privateKeyPem: string;
}

let real: TestDomain;
let worker: TestDomain;
let fixture: Fixture;
let connections: RedisConnection[];
let greedy: Merchant;
let quiet: Merchant[];
let payer: Merchant;
let account = 0;
/** The calls that the provider got, in their order: what made them. */
const made: string[] = [];

beforeAll(async () => {
  const { url: databaseUrl } = await createTestDatabase();
  const { url: redisUrl } = await createTestRedis();
  connections = [1, 2].map(() => connectRedis(redisUrl, 'commands', silent));
  const [ofAdapter, ofWorker] = connections.map((redis) => openCallLimiter(redis));
  if (!ofAdapter || !ofWorker) throw new Error('no limiters');
  real = await openTestDomain(databaseUrl, { callTurns: ofAdapter });
  worker = await openTestDomain(databaseUrl, { callTurns: ofWorker, hasChannel: true });
  for (const [{ channel }, limiter] of [
    [real, ofAdapter],
    [worker, ofWorker],
  ] as const) {
    Object.defineProperty(channel, 'creates', { get: () => limited() });
    channel.answers.create = async (orderNo) => {
      const { account: name, rate } = limited();
      if (!(await limiter.take(name, rate, AbortSignal.timeout(8_000))))
        return { outcome: 'unknown', why: 'no_answer', detail: 'not sent', isUnsent: true };
      made.push(orderNo);
      return accepted;
    };
  }
  fixture = await startFixture({ domain: restDomainOf(real.domain), redisUrl });
  greedy = await aMerchant(real.domain, 'TH');
  quiet = await Promise.all(Array.from({ length: 9 }, () => aMerchant(real.domain, 'TH')));
  payer = await aFundedMerchant(real.domain, 'IN');
});
afterAll(async () => {
  await fixture.close();
  for (const connection of connections) connection.disconnect();
  await worker.close();
  await real.close();
});
beforeEach(() => {
  perSecond = 10;
  account++;
  made.length = 0;
});

const limited = () => ({ account: `account ${account}`, rate: { perSecond, burst: 1 } });

let numbers = 0;

/** Creates a payin. */
async function create({ merchantId, privateKeyPem }: Merchant) {
  const merchantOrderNo = `F-${++numbers}`;
  const body = { bankCode: 'QR', extJson: { accountNo: '123' }, merchantOrderNo, amount: '10' };
  const init = await signedPost(merchantId, JSON.stringify(body), { key: parsePrivateKey(privateKeyPem) });
  const { code, data, response } = await ask(`${fixture.url}${createPath}`, init);
  const retryAfter = response.headers.get('retry-after');
  return { merchantOrderNo, code, orderNo: String(data?.orderNo), retryAfter };
}

/** Sends forty payins a second until `isOver`, whatever is answered. */
async function flood(merchant: Merchant, isOver: () => boolean) {
  const answers: ReturnType<typeof create>[] = [];
  for await (const _ of setInterval(25)) {
    if (isOver()) break;
    answers.push(create(merchant));
  }
  return Promise.all(answers);
}

/** Each of the nine sends a payin at the same moment, `rounds` times. */
async function rounds(count: number) {
  const answers: Awaited<ReturnType<typeof create>>[] = [];
  for (let round = 0; round < count; round++) answers.push(...(await Promise.all(quiet.map(create))));
  return answers;
}

test('nine quiet merchants next to a greedy one get all their payins, after at most twice the calls', {
  timeout: 60_000,
}, async () => {
  // A round of the nine takes half a second, and a create waits for longer on a busy machine too.
  perSecond = 20;
  const alone = await rounds(3);
  let isOver = false;
  const flooding = flood(greedy, () => isOver);
  await expect.poll(() => made.length).toBeGreaterThan(alone.length + 5);
  const beside = await rounds(3);
  isOver = true;
  const answers = await flooding;
  expect([...alone, ...beside].map(({ code }) => code)).toEqual(Array(54).fill(0));
  // The greedy merchant has one turn of ten, so the quiet ones wait for few calls that are not theirs.
  const theirs = new Set(beside.map(({ orderNo }) => orderNo));
  const calls = made.slice(
    made.findIndex((no) => theirs.has(no)),
    made.findLastIndex((no) => theirs.has(no)) + 1,
  );
  expect(calls.length).toBeLessThanOrEqual(2 * theirs.size);

  const refused = answers.filter(({ code }) => code !== 0);
  expect(refused.length).toBeGreaterThan(0);
  for (const { code, retryAfter } of refused) {
    expect(code).toBe(42900);
    expect(retryAfter).toMatch(/^[1-9][0-9]*$/);
  }
  for (const { merchantOrderNo } of refused.slice(0, 5)) {
    const query = `merchantOrderNo=${merchantOrderNo}`;
    const init = await signedGet(greedy.merchantId, query, { key: parsePrivateKey(greedy.privateKeyPem) });
    expect(await ask(`${fixture.url}${queryPath}?${query}`, init)).toMatchObject({ code: 40401 });
  }
  // Each order that exists was sent: none waits, and none ended without an answer.
  const { rows } = await real.domain.database.pool.query<{ status: string }>('select distinct status from orders');
  expect(rows).toEqual([{ status: 'processing' }]);
});

test('a payout of another process overtakes the payins that wait', { timeout: 60_000 }, async () => {
  let isOver = false;
  const flooding = flood(greedy, () => isOver);
  await expect.poll(() => made.length).toBeGreaterThan(5);
  const payout = await placePayout(real.domain, payer.merchantId, 'IN');
  const before = made.length;
  expect(await submitOrder(worker.domain, payout)).toBe('done');
  isOver = true;
  // The processes take turns. A few calls pass while the worker reads and claims the order.
  expect(made.indexOf(payout.orderNo) - before).toBeLessThanOrEqual(5);
  await flooding;
});

test('the hanging payins of one merchant leave slots to merchants of other countries', {
  timeout: 60_000,
}, async () => {
  const { channel } = real;
  const answer = channel.answers.create;
  const { promise: released, resolve: letGo } = Promise.withResolvers<void>();
  let hanging = 0;
  let refusals = 0;
  Reflect.deleteProperty(channel, 'creates');
  channel.answers.create = async () => {
    hanging++;
    await released;
    return accepted;
  };
  try {
    const all = Array.from({ length: 220 }, async () => {
      const answered = await create(greedy);
      if (answered.code === 42900) refusals++;
      return answered;
    });
    await expect.poll(() => [hanging, refusals]).toEqual([150, 70]);
    channel.answers.create = accepted;
    expect((await Promise.all(quiet.slice(0, 5).map(create))).map(({ code }) => code)).toEqual(Array(5).fill(0));
    letGo();
    const refused = (await Promise.all(all)).filter(({ code }) => code !== 0);
    expect(refused).toHaveLength(70);
    for (const { retryAfter } of refused) expect(retryAfter).toMatch(/^[1-9][0-9]*$/);
  } finally {
    channel.answers.create = answer;
  }
});

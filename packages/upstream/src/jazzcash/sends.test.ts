import type { CallLimiter } from '@tidegate/domain/channels';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { memoryOfOneProcess, withoutLimit } from '../testing/channel-tools.ts';
import { passOn, startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { referenceOf } from './reference.ts';
import { type JazzCashFixture, openJazzCashFixture, within } from './testing/open-jazzcash.ts';

// Whether a payin is sent at all, and how often.

let jazz: JazzCashFixture;
beforeAll(async () => {
  jazz = await openJazzCashFixture();
});
afterEach(async () => {
  vi.useRealTimers();
  await jazz.control('payer', {});
});
afterAll(() => jazz.close());

const createPath = '/payment-orchestrator/api/v2/rest/payments/m-wallet';
/** Keeps to the ten minutes before the first inquiry. */
const patient = { credentials: { inquiryAfterSeconds: '600' } };
const later = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
const slowPayers = () => jazz.control('payer', { confirmSeconds: 20 });

describe('a create for which too little time is left', () => {
  const endless: CallLimiter = {
    take: (_account, _rate, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true })),
  };

  test('a create that the rate limit delays too long is refused finally, and nothing is sent', async () => {
    const order = jazz.order();
    const limited = jazz.channelAt(jazz.url, { limiter: endless, waits: { prepareMs: 50 } });
    const signal = within();
    const refused = { outcome: 'refused', reason: expect.stringMatching(/rate limit/) };
    expect(await limited.create(order, signal)).toEqual({ ...refused, isUnsent: true });
    expect(signal.aborted).toBe(false);
    expect(await jazz.channel.create(order, within())).toEqual(refused);
    expect(await jazz.transaction(order.orderNo)).toBeUndefined();
  });

  test('a create whose caller allows too little time is refused at once and finally, and nothing is sent', async () => {
    const order = jazz.order();
    const channel = jazz.channelAt(jazz.url, { waits: { prepareMs: 3_000, payerWaitMs: 3_000 } });
    const refused = { outcome: 'refused', reason: expect.stringMatching(/too little time/) };
    expect(await channel.create({ ...order, answerWithinMs: 3_500 }, within())).toEqual({ ...refused, isUnsent: true });
    expect(await channel.create({ ...order, answerWithinMs: 8_000 }, within())).toEqual(refused);
    expect(await jazz.transaction(order.orderNo)).toBeUndefined();
  });

  test('a create that waits for the rate limit is refused as soon as only the time of the payer is left', async () => {
    const order = { ...jazz.order(), answerWithinMs: 3_550 };
    const limited = jazz.channelAt(jazz.url, { limiter: endless, waits: { prepareMs: 60_000, payerWaitMs: 3_000 } });
    expect(await limited.create(order, within(10_000))).toMatchObject({ outcome: 'refused', isUnsent: true });
    expect(await jazz.transaction(order.orderNo)).toBeUndefined();
  });

  test('a create that was sent before is not refused, because the payer may have paid', async () => {
    const order = jazz.order();
    expect(await jazz.channel.create(order, within())).toMatchObject({ outcome: 'paid' });
    expect(await jazz.channel.create({ ...order, answerWithinMs: 100 }, within())).toMatchObject({ outcome: 'paid' });
  });

  test('a create that a slow database delayed is not sent', async () => {
    const order = jazz.order();
    const memory = memoryOfOneProcess();
    const slow: typeof memory = {
      ...memory,
      remember: async (key, value) => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        return memory.remember(key, value);
      },
    };
    const channel = jazz.channelAt(jazz.url, { memory: slow, waits: { prepareMs: 50 } });
    expect(await channel.create(order, within())).toMatchObject({ outcome: 'unknown', isUnsent: true });
    expect(await jazz.transaction(order.orderNo)).toBeUndefined();
  });
});

test('creates have their own rate limit, and wait for it for a second at most', async () => {
  const limiterCalls: Parameters<CallLimiter['take']>[] = [];
  const limiter: CallLimiter = {
    take: (...call) => {
      limiterCalls.push(call);
      return withoutLimit.take(...call);
    },
  };
  const channel = jazz.channelAt(jazz.url, { limiter });
  const order = jazz.order();
  await channel.create(order, within());
  await channel.query(order, within());
  const [[account, { maxWaitMs }] = [undefined, {}], [other] = []] = limiterCalls;
  expect(account).not.toBe(other);
  expect(maxWaitMs).toBe(1_000);
});

describe('payers who confirm', () => {
  test('the number of confirming payers is bounded over all channels of a server, and further payins are refused', async () => {
    // The last slot is for a merchant that has none.
    const waits = { payerWaitMs: 50, maxConfirming: 3 };
    const [one, other] = [jazz.channelAt(jazz.url, { waits }), jazz.channelAt(jazz.url, { waits })];
    await slowPayers();
    const answers = await Promise.all(
      [one, other, one, other].map((channel) => channel.create(jazz.order(), within())),
    );
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['accepted', 'accepted', 'refused', 'refused']);
    await jazz.control('payer', {});
    await vi.waitFor(async () => {
      expect(await one.create(jazz.order(), within())).toMatchObject({ outcome: 'paid' });
    }, 5_000);
  });

  test('an order whose payer is confirming is not refused when it is created again', async () => {
    const channel = jazz.channelAt(jazz.url, { ...patient, waits: { payerWaitMs: 50, maxConfirming: 1 } });
    await slowPayers();
    const order = jazz.order();
    for (const _time of [1, 2]) expect(await channel.create(order, within())).toMatchObject({ outcome: 'accepted' });
  });
});

/** JazzCash behind a proxy that counts creates. The first ones are answered with HTTP 504, and do not arrive. */
async function openProxy(lostCreates = 0) {
  let creates = 0;
  const proxy = await startFaultyUpstream(async (request, reply) => {
    if (request.path === createPath) creates += 1;
    if (request.path === createPath && creates <= lostCreates) {
      reply.writeHead(504).end();
      return;
    }
    const { status, headers, body } = await passOn(jazz.url, request);
    reply.writeHead(status, headers).end(body);
  });
  return { url: proxy.url, creates: () => creates, close: () => proxy.close() };
}

describe('a payin that was lost', () => {
  test('a payin that is sent long after its order was created is sent once, and queried ten minutes after the send', async () => {
    const proxy = await openProxy(1);
    const channel = jazz.channelAt(proxy.url, patient);
    const order = jazz.order({ createdAt: Date.now() - 600_000 });
    expect(await channel.create(order, within())).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
    expect(await channel.query(order, within())).toMatchObject({ outcome: 'unknown', isUnsent: true });
    expect(proxy.creates()).toBe(1);
    later(10);
    expect(await channel.create(order, within())).toMatchObject({ outcome: 'paid' });
    expect(proxy.creates()).toBe(2);
    await proxy.close();
  });

  test('a lost payin is sent again by one of two workers only', async () => {
    const proxy = await openProxy(1);
    const [one, other] = [jazz.channelAt(proxy.url, patient), jazz.channelAt(proxy.url, patient)];
    const order = jazz.order({ amount: '500.01' });
    await one.create(order, within());
    later(10);
    await Promise.all([one.create(order, within()), other.create(order, within())]);
    expect(proxy.creates()).toBe(2);
    await proxy.close();
  });

  test('a lost payin is not sent again while the payer may be confirming, although an inquiry is allowed sooner', async () => {
    const proxy = await openProxy(1);
    const channel = jazz.channelAt(proxy.url, { credentials: { inquiryAfterSeconds: '60' } });
    const order = jazz.order();
    await channel.create(order, within());
    later(1);
    const answer = await channel.create(order, within());
    expect(answer).toMatchObject({ outcome: 'unknown', detail: expect.stringMatching(/may be confirming/) });
    expect(proxy.creates()).toBe(1);
    await proxy.close();
  });

  test('a lost payin that is refused the second time is unknown, because the first one may still reach the payer', async () => {
    const proxy = await openProxy(1);
    const answer = await jazz.channelAt(proxy.url).create(jazz.order({ amount: '500.11' }), within());
    expect(answer).toMatchObject({ outcome: 'unknown', detail: expect.stringMatching(/refused: 105/) });
    expect(proxy.creates()).toBe(2);
    await proxy.close();
  });

  test('a lost payin is sent five times at most', async () => {
    const proxy = await openProxy(100);
    const answer = await jazz.channelAt(proxy.url).create(jazz.order(), within());
    expect(answer).toMatchObject({ outcome: 'unknown', detail: expect.stringMatching(/too often/) });
    expect(proxy.creates()).toBe(5);
    await proxy.close();
  });
});

test('the refusal of a payin is repeated, and the payin is not sent again', async () => {
  const proxy = await openProxy();
  const channel = jazz.channelAt(proxy.url);
  const order = jazz.order({ amount: '500.11' });
  const answers = [await channel.create(order, within()), await channel.create(order, within())];
  expect(answers).toEqual([1, 2].map(() => ({ outcome: 'refused', reason: expect.stringMatching(/^105/) })));
  expect(proxy.creates()).toBe(1);
  await proxy.close();
});

test('a late answer counts if the inquiry returns no usable answer', async () => {
  const classic = { credentials: { gateway: 'classic' }, waits: { payerWaitMs: 50 } };
  const channel = jazz.channelAt(jazz.url, classic);
  const order = jazz.order();
  await slowPayers();
  expect(await channel.create(order, within())).toMatchObject({ outcome: 'accepted' });
  expect(await channel.query(order, within())).toMatchObject({ outcome: 'unknown' });
  const reference = referenceOf(order.orderNo);
  await vi.waitFor(async () => {
    expect(await channel.query(order, within())).toMatchObject({ outcome: 'paid', payments: [{ reference }] });
  }, 5_000);
  expect(await channel.create(order, within())).toMatchObject({ outcome: 'paid' });
});

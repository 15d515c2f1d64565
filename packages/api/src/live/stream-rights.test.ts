import { createHash } from 'node:crypto';
import { aMerchant, placePayin } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listen } from '../../test/event-stream.ts';
import { type LiveFixture, openLiveFixture } from '../../test/live-fixture.ts';
import type { RunningLive } from './open-live.ts';

let fixture: LiveFixture;
let url: string;
let live: RunningLive;
beforeAll(async () => {
  fixture = await openLiveFixture();
  ({ url, live } = await fixture.serveLive());
});
afterAll(() => fixture.close());

const everyOrder = 'subscription { orderChanged { orderNo country merchantId } }';
const place = async (country: 'CN' | 'TH') => {
  const { merchantId } = await aMerchant(fixture.domain, country);
  return placePayin(fixture.elsewhere, merchantId, country);
};

test.each([
  'subscription { orderChanged { orderNo } }',
  'subscription { caseOpened { caseNo } }',
  'subscription { caseChanged { caseNo } }',
  'subscription { queueDepths { waiting } }',
])('%s is for operators only: an unknown caller gets no stream', async (query) => {
  const before = live.feed.count();
  for (const token of [undefined, 'tgo_nobody']) {
    const { response } = await listen(url, query, token === undefined ? {} : { token });
    expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
  }
  expect(live.feed.count()).toBe(before);
});

test('a restricted operator receives only events of their countries or merchants', async () => {
  const own = await aMerchant(fixture.domain, 'CN');
  const tokens = {
    all: await fixture.letIn('viewer'),
    thai: await fixture.letInRestricted({ countries: ['TH'] }),
    one: await fixture.letInRestricted({ merchantIds: [own.merchantId] }),
  };
  const hears = async (token: string) => {
    const stream = await listen(url, everyOrder, { token });
    return async (count: number) => {
      const messages: unknown[] = [];
      while (messages.length < count)
        messages.push(((await stream.next())?.data.data?.orderChanged as { orderNo: string } | undefined)?.orderNo);
      stream.leave();
      return messages;
    };
  };
  const [all, thai, one] = [await hears(tokens.all), await hears(tokens.thai), await hears(tokens.one)];
  const orders = [
    await place('CN'),
    await place('TH'),
    await placePayin(fixture.elsewhere, own.merchantId, 'CN'),
    await place('TH'),
    await placePayin(fixture.elsewhere, own.merchantId, 'CN'),
  ].map(({ orderNo }) => orderNo);
  expect(await all(5)).toEqual(orders);
  expect(await thai(2)).toEqual([orders[1], orders[3]]);
  expect(await one(2)).toEqual([orders[2], orders[4]]);
});

test('cases are published within the restriction too', async () => {
  const token = await fixture.letInRestricted({ countries: ['TH'] });
  const stream = await listen(url, 'subscription { caseOpened { orderNo } }', { token });
  const orders = [await place('CN'), await place('TH')];
  for (const { merchantId, orderNo } of orders) {
    const payments = ['P1', 'P2'].map((reference) => ({ reference, amount: '100.00' }));
    await fixture.elsewhere.commit({
      type: 'applyReport',
      ref: { merchantId, orderNo },
      channelId: 'fake',
      during: 'callback',
      answer: { outcome: 'paid', payments },
    });
  }
  expect((await stream.next())?.data.data).toEqual({ caseOpened: { orderNo: orders[1]?.orderNo } });
  stream.leave();
});

test('a new restriction applies to open streams at once', async () => {
  const token = await fixture.letIn('viewer');
  const stream = await listen(url, everyOrder, { token });
  const first = await place('CN');
  expect((await stream.next())?.data.data).toMatchObject({ orderChanged: { orderNo: first.orderNo } });
  await fixture.domain.database.pool.query(
    `update operator o set countries = '{TH}' from operator_token t where t.operator_id = o.operator_id and o.operator_id = $1`,
    [await operatorOf(token)],
  );
  // Seen within a second.
  await vi.waitFor(
    async () => {
      await place('CN');
      const thai = await place('TH');
      const messages: string[] = [];
      for (;;) {
        const { country, orderNo } = ((await stream.next())?.data.data?.orderChanged ?? {}) as Record<string, string>;
        messages.push(country ?? '');
        if (orderNo === thai.orderNo) break;
      }
      expect(messages).toEqual(['TH']);
    },
    { timeout: 10_000, interval: 200 },
  );
  stream.leave();
});

test.each([
  ['a revoked token', 'update operator_token set revoked_at = clock_timestamp() where operator_id = $1'],
  ['an expired token', 'update operator_token set expires_at = clock_timestamp() where operator_id = $1'],
  ['a disabled operator', 'update operator set enabled = false where operator_id = $1'],
])('the stream of %s ends with the reason, before further events', async (_what, sql) => {
  const token = await fixture.letIn('viewer');
  const stream = await listen(url, everyOrder, { token });
  await fixture.domain.database.pool.query(sql, [await operatorOf(token)]);
  await vi.waitFor(async () => expect(await asks(token)).toBe('UNAUTHENTICATED'), { timeout: 5_000 });
  const began = performance.now();
  await place('CN');
  const messages = await stream.next();
  // Not only at the periodic check.
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(messages?.data).toMatchObject({
    errors: [{ message: 'your token is no longer valid', extensions: { code: 'UNAUTHENTICATED' } }],
  });
  expect(messages?.data.data ?? null).toBeNull();
  expect(await stream.next()).toEqual({ event: 'complete', data: {} });
});

/** The error code that this API returns for that token, if any. */
async function asks(token: string): Promise<unknown> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"query":"{ order(orderNo: \\"PI1\\") { orderNo } }"}',
  });
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return errors?.[0]?.extensions.code;
}

async function operatorOf(token: string): Promise<string> {
  const { rows } = await fixture.domain.database.pool.query(
    'select operator_id as id from operator_token where token_hash = $1',
    [createHash('sha256').update(token).digest('hex')],
  );
  return rows[0].id;
}

test.each([
  ['orderNo: "M-1"', 'orderNo must be PI or PO'],
  ['merchantIds: []', 'merchantIds'],
  [`merchantIds: [${Array.from({ length: 101 }, (_, n) => `"M${n}00"`)}]`, 'merchantIds'],
  ['merchantIds: ["lower"]', 'merchantIds.0 must be a merchant number'],
  ['channelIds: ["UPPER"]', 'channelIds.0 must be a channel id'],
  ['statuses: []', 'statuses'],
])('%s is refused when the stream begins', async (args, message) => {
  const stream = await listen(url, `subscription { orderChanged(${args}) { orderNo } }`, {
    token: await fixture.letIn('viewer'),
  });
  const messages = await stream.next();
  expect(messages?.data.errors).toMatchObject([
    { message: expect.stringContaining(message), extensions: { code: 'BAD_USER_INPUT' } },
  ]);
  expect(await stream.next()).toEqual({ event: 'complete', data: {} });
});

import { returnCase, setMerchantStatus } from '@tidegate/domain/admin';
import { aFundedMerchant, aMerchant, placePayin, placePayout } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type EventStream, listen } from '../../test/event-stream.ts';
import { type LiveFixture, openLiveFixture } from '../../test/live-fixture.ts';
import { serveGraphql } from '../execution/serve-graphql.ts';
import type { InTurn } from '../graphql/context.ts';
import type { RunningLive } from './open-live.ts';

let fixture: LiveFixture;
let token: string;
let one: { url: string; live: RunningLive };
let two: { url: string; live: RunningLive };
beforeAll(async () => {
  fixture = await openLiveFixture();
  token = await fixture.letIn('viewer');
  [one, two] = [await fixture.serveLive(), await fixture.serveLive()];
});
afterAll(() => fixture.close());

const ignore = () => undefined;
const seesAll = {
  roles: ['viewer' as const],
  countries: null,
  merchantIds: null,
  tokenId: null,
  signIn: 'token' as const,
};

const ordersOf = (merchantId: string) =>
  `subscription { orderChanged(merchantIds: ["${merchantId}"]) { orderNo status } }`;

/** Pays a payin in another process than these APIs. */
async function pay({ merchantId, orderNo }: { merchantId: string; orderNo: string }, ...references: string[]) {
  await fixture.elsewhere.commit({
    type: 'applyReport',
    ref: { merchantId, orderNo },
    channelId: 'fake',
    during: 'callback',
    answer: { outcome: 'paid', payments: references.map((reference) => ({ reference, amount: '100.00' })) },
  });
}

const orderOf = async (stream: EventStream) => (await stream.next())?.data.data?.orderChanged;

test('commits of another process reach every API process, with the current state of the order', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const streams = await Promise.all([one, two].map(({ url }) => listen(url, ordersOf(merchantId), { token })));
  for (const { response } of streams)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const order = await placePayin(fixture.elsewhere, merchantId, 'CN');
  for (const stream of streams) expect(await orderOf(stream)).toEqual({ orderNo: order.orderNo, status: 'CREATED' });
  await pay(order, 'P1');
  for (const stream of streams) expect(await orderOf(stream)).toEqual({ orderNo: order.orderNo, status: 'COMPLETED' });
  for (const stream of streams) stream.leave();
});

test('each event of a stream takes the turn of a request, and without one the stream ends', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const handle = serveGraphql({ domain: fixture.domain, live: one.live, log, openSchema: true, countError: ignore });
  const operator = { ...seesAll, operatorId: 'in-turn' };
  let turns = 0;
  const inTurn: InTurn = (execute) => (++turns === 1 ? execute() : Promise.resolve(null));
  const response = await handle({
    body: JSON.stringify({ query: ordersOf(merchantId) }),
    accept: 'text/event-stream',
    signal: new AbortController().signal,
    facts: { requestId: 'x', operator, operatorNow: async () => operator, inTurn },
  });
  const text = response.text();
  const order = await placePayin(fixture.elsewhere, merchantId, 'CN');
  await vi.waitFor(() => expect(turns).toBe(1));
  await pay(order, 'P1');
  expect(await text).toContain('TOO_MANY_REQUESTS');
  expect(turns).toBe(2);
});

test.each<[string, string, string[]]>([
  ['no filter', '', ['CN created', 'CN completed', 'TH created', 'TH completed']],
  ['payins', '(kinds: [PAYIN])', ['CN created', 'CN completed', 'TH created', 'TH completed']],
  ['payouts', '(kinds: [PAYOUT], statuses: null)', []],
  ['a status', '(statuses: [COMPLETED])', ['CN completed', 'TH completed']],
  ['a country', '(countries: [TH])', ['TH created', 'TH completed']],
  ['a channel', '(channelIds: ["fake"], countries: [CN])', ['CN created', 'CN completed']],
  ['another channel', '(channelIds: ["other"])', []],
  ['an order', '(orderNo: "ORDER")', ['TH completed']],
  ['another merchant', '(merchantIds: ["SOMEBODY"])', []],
])('%s: only matching events are sent', async (_what, args, messages) => {
  const merchants = [await aMerchant(fixture.domain, 'CN'), await aMerchant(fixture.domain, 'TH')] as const;
  const seen: string[] = [];
  const collect = async (stream: EventStream) => {
    for (let event = await stream.next(); event?.event === 'next'; event = await stream.next()) {
      const { status, country, merchantId } = (event.data.data?.orderChanged ?? {}) as Record<string, string>;
      if (merchants.some((own) => own.merchantId === merchantId)) seen.push(`${country} ${status?.toLowerCase()}`);
    }
  };
  const subscribe = (args: string) =>
    listen(one.url, `subscription { orderChanged${args} { status country merchantId } }`, { token });
  const streams: EventStream[] = [];
  const orders = [];
  if (!args.includes('ORDER')) streams.push(await subscribe(args));
  const marker = await listen(one.url, 'subscription { orderChanged { orderNo status } }', { token });
  const until = async (orderNo: string, status: string) => {
    for (let messages = await orderOf(marker); ; messages = await orderOf(marker))
      if (JSON.stringify(messages) === JSON.stringify({ orderNo, status })) return;
  };
  const collecting = streams.map(collect);
  for (const [i, country] of (['CN', 'TH'] as const).entries()) {
    const order = await placePayin(fixture.elsewhere, merchants[i]?.merchantId ?? '', country);
    await until(order.orderNo, 'CREATED');
    orders.push(order);
  }
  if (args.includes('ORDER'))
    collecting.push(collect(await subscribe(args.replace('ORDER', orders[1]?.orderNo ?? ''))));
  for (const order of orders) {
    await pay(order, 'P1');
    await until(order.orderNo, 'COMPLETED');
  }
  await vi.waitFor(() => expect(seen.toSorted()).toEqual(messages.toSorted()), { timeout: 5_000 });
  one.live.feed.fail(['order'], new Error('enough'));
  await Promise.all(collecting);
});

test('every event reads the order and its parts again', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const query = `subscription { orderChanged(merchantIds: ["${merchantId}"]) { status merchant { status } } }`;
  const stream = await listen(one.url, query, { token });
  const order = await placePayin(fixture.elsewhere, merchantId, 'CN');
  expect(await orderOf(stream)).toEqual({ status: 'CREATED', merchant: { status: 'ACTIVE' } });
  await setMerchantStatus(fixture.elsewhere, merchantId, 'disabled');
  await pay(order, 'P1');
  expect(await orderOf(stream)).toEqual({ status: 'COMPLETED', merchant: { status: 'DISABLED' } });
  stream.leave();
});

test('a hundred orders that change at once are read together', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const streams = await Promise.all([1, 2, 3].map(() => listen(one.url, ordersOf(merchantId), { token })));
  const orders = await Promise.all(Array.from({ length: 100 }, () => placePayin(fixture.elsewhere, merchantId, 'CN')));
  for (const stream of streams) {
    const messages = new Set<unknown>();
    while (messages.size < orders.length) messages.add(((await orderOf(stream)) as { orderNo: string }).orderNo);
    expect(messages).toEqual(new Set(orders.map(({ orderNo }) => orderNo)));
    stream.leave();
  }
});

test('a case is published when it is opened, and not when it is decided', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const fields = '{ merchantId caseNo kind amount order { orderNo } }';
  const stream = await listen(one.url, `subscription { caseOpened(kinds: [DOUBLE]) ${fields} }`, { token });
  const by = { actor: 'ann', approver: null, reason: 'a test' };
  for (const caseNo of [1, 2]) {
    const order = await placePayin(fixture.elsewhere, merchantId, 'CN');
    await pay(order, `P${caseNo}`, `AGAIN${caseNo}`);
    expect((await stream.next())?.data.data?.caseOpened).toEqual({
      merchantId,
      caseNo,
      kind: 'DOUBLE',
      amount: '100.00',
      order: { orderNo: order.orderNo },
    });
    expect(await returnCase(fixture.elsewhere, { merchantId, caseNo }, 'by_hand', by)).toMatchObject({ ok: true });
  }
  stream.leave();
});

test('a case that is repaid in part is published as changed with what is still out, and never as a new case', async () => {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '1000.00');
  const order = await placePayout(fixture.elsewhere, merchantId, 'IN');
  const report = (answer: object) =>
    fixture.elsewhere.commit({
      type: 'applyReport',
      ref: { merchantId, orderNo: order.orderNo },
      channelId: 'fake',
      during: 'callback',
      answer: answer as never,
    });
  const back = (reference: string, amount: string) => ({
    outcome: 'returned',
    payments: [],
    returned: { reference, amount },
    reason: 'closed account',
  });
  await report({ outcome: 'failed', reason: 'no' });
  const changes = await listen(
    one.url,
    `subscription { caseChanged(merchantIds: ["${merchantId}"]) { caseNo kind state cameBack } }`,
    { token },
  );
  const opened = await listen(one.url, `subscription { caseOpened(merchantIds: ["${merchantId}"]) { caseNo kind } }`, {
    token,
  });
  const next = async () => (await changes.next())?.data.data?.caseChanged;
  await report({ outcome: 'paid', payments: [{ reference: 'P1', amount: '100.00' }] });
  expect(await next()).toMatchObject({ caseNo: 1, kind: 'PAYOUT_PAID_AGAIN', state: 'OPEN' });
  await report(back('R1', '40.00'));
  expect(await next()).toMatchObject({ caseNo: 1, state: 'OPEN', cameBack: '40.00' });
  await report(back('R2', '60.00'));
  expect(await next()).toMatchObject({ caseNo: 1, state: 'RETURNED' });
  expect((await opened.next())?.data.data?.caseOpened).toEqual({ caseNo: 1, kind: 'PAYOUT_PAID_AGAIN' });
  for (const stream of [changes, opened]) stream.leave();
});

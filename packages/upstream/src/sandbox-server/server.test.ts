import { appendFile, readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requestTarget, signedHeaders } from '../sandbox/signing.ts';
import {
  eventually,
  FAKE_UPSTREAM_SECRET,
  type FakeUpstream,
  openFakeUpstream,
  within,
} from '../testing/fake-upstream.ts';
import { crc16 } from './promptpay.ts';

let upstream: FakeUpstream;
beforeEach(async () => {
  upstream = await openFakeUpstream();
});
afterEach(() => upstream.close());

const create = (changed: Parameters<FakeUpstream['order']>[0]) => {
  const order = upstream.order(changed);
  return upstream.channel.create(order, within(5_000)).then((answer) => ({ order, answer }));
};
const query = (order: Parameters<FakeUpstream['channel']['query']>[0]) => upstream.channel.query(order, within(5_000));
const control = async (orderNo: string, action: string, body?: object) => {
  const init = body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {};
  return (await fetch(`${upstream.url}/orders/${orderNo}/${action}`, { method: 'POST', ...init })).status;
};
const outcomesReported = (orderNo: string) =>
  upstream.callbacks(orderNo).map(({ read }) => (read.type === 'report' ? read.answer.outcome : 'unreadable'));

test('requests that are unsigned, old, or signed for another path are refused without effect', async () => {
  const order = upstream.order();
  const body = JSON.stringify(order);
  const now = Date.now();
  const attempts = [
    {},
    signedHeaders('another secret', requestTarget('POST', '/orders'), body, now),
    signedHeaders(FAKE_UPSTREAM_SECRET, requestTarget('POST', '/orders'), body, now - 310_000),
    signedHeaders(FAKE_UPSTREAM_SECRET, requestTarget('POST', `/orders/${order.orderNo}/cancel`), body, now),
    signedHeaders(FAKE_UPSTREAM_SECRET, requestTarget('POST', '/orders'), `${body} `, now),
  ];
  const send = (headers: object) =>
    fetch(`${upstream.url}/orders`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  for (const headers of attempts) expect((await send(headers)).status).toBe(401);
  expect(await upstream.listed(order.orderNo)).toBeUndefined();
  const right = await send(signedHeaders(FAKE_UPSTREAM_SECRET, requestTarget('POST', '/orders'), body, now));
  expect(right.status).toBe(200);
});

test('creates are counted, whether they are answered or not', async () => {
  const { order } = await create({ amount: '10.14' });
  expect(await upstream.listed(order.orderNo)).toMatchObject({
    creates: 3,
    status: expect.stringMatching(/pending|paid/),
  });
  const { order: lost } = await create({ amount: '10.11' });
  expect(await upstream.listed(lost.orderNo)).toEqual({ orderNo: lost.orderNo, creates: 1 });
});

test('a Thai payin has a PromptPay code, a Pakistani payin a QR code only for QRANDLAUNCH, and a payout has none', async () => {
  const { answer: thai } = await create({ amount: '1234.23' });
  const code = thai.outcome === 'accepted' ? (thai.payQr ?? '') : '';
  expect(code).toMatch(/^000201010212.*54071234\.236304[0-9A-F]{4}$/);
  expect(code.slice(-4)).toBe(crc16(code.slice(0, -4)));
  const pk = { country: 'PK', currency: 'PKR', amount: '10.23' };
  const { answer: qr } = await create({ ...pk, bankCode: 'QRANDLAUNCH' });
  expect(qr).toMatchObject({ payLink: expect.stringMatching(/^http/), payQr: expect.stringMatching(/^sandboxpay:/) });
  const { answer: plain } = await create(pk);
  expect(plain).toEqual({ outcome: 'accepted', channelRef: expect.any(String), payLink: expect.any(String) });
  const { answer: payout } = await create({ ...pk, kind: 'payout' });
  expect(payout).toEqual({ outcome: 'accepted', channelRef: expect.any(String) });
});

test('the pay link leads to a page of the order', async () => {
  const { order, answer } = await create({ amount: '10.23' });
  const page = await fetch(answer.outcome === 'accepted' ? (answer.payLink ?? '') : '');
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(`${order.orderNo}: <strong>10.23 THB</strong>`);
});

test('the controls pay a Thai order in parts, and then an extra part', async () => {
  const { order } = await create({ amount: '10.23' });
  expect(await control(order.orderNo, 'pay', { amount: '4.00' })).toBe(200);
  const inPart = await query(order);
  expect(inPart).toMatchObject({ outcome: 'part_paid', payments: [{ amount: '4.00' }] });
  const { payQr = '', payLink = '' } = inPart.outcome === 'part_paid' ? inPart : {};
  // EMVCo tag 54, the amount: four characters.
  expect(payQr).toContain('54046.23');
  expect(await (await fetch(payLink)).text()).toContain('Left to pay: <strong>6.23 THB');
  expect(await control(order.orderNo, 'pay')).toBe(200);
  expect(await query(order)).toMatchObject({ outcome: 'paid', payments: [{ amount: '4.00' }, { amount: '6.23' }] });
  expect(await control(order.orderNo, 'pay')).toBe(200);
  expect(await query(order)).toMatchObject({ outcome: 'paid', payments: { length: 3 } });
  await eventually(() => expect(outcomesReported(order.orderNo)).toEqual(['part_paid', 'paid', 'paid']));
});

test('the controls fail an order, and late money is still accepted', async () => {
  const { order } = await create({ amount: '10.23' });
  expect(await control(order.orderNo, 'fail')).toBe(200);
  expect(await query(order)).toMatchObject({ outcome: 'failed' });
  expect(await control(order.orderNo, 'fail')).toBe(409);
  expect(await control(order.orderNo, 'pay')).toBe(200);
  expect(await query(order)).toMatchObject({ outcome: 'paid', payments: [{ amount: '10.23' }] });
});

test('a closed order accepts no money, and a payout is paid once', async () => {
  const { order: closed } = await create({ amount: '10.23' });
  expect(await upstream.channel.cancel(closed, within(5_000))).toMatchObject({ outcome: 'closed' });
  expect(await control(closed.orderNo, 'pay')).toBe(409);
  const { order: payout } = await create({ kind: 'payout', country: 'IN', currency: 'INR', amount: '10.23' });
  expect(await control(payout.orderNo, 'pay', { amount: '5.00' })).toBe(409);
  expect(await control(payout.orderNo, 'pay')).toBe(200);
  expect(await control(payout.orderNo, 'pay')).toBe(409);
  expect(await query(payout)).toMatchObject({ outcome: 'paid', payments: { length: 1 } });
});

test('a part-paid order that is cancelled ends as timed out, with its parts', async () => {
  const { order } = await create({ amount: '10.23' });
  await control(order.orderNo, 'pay', { amount: '4.00' });
  const answer = await upstream.channel.cancel(order, within(5_000));
  expect(answer).toMatchObject({ outcome: 'timed_out', payments: [{ amount: '4.00' }] });
});

test('the controls refuse invalid amounts and unknown orders', async () => {
  const { order } = await create({ amount: '10.23' });
  for (const amount of ['0.00', '-1.00', '1', '1e3', 5]) {
    expect(await control(order.orderNo, 'pay', { amount })).toBe(400);
  }
  expect(await control('PINOBODY', 'pay')).toBe(404);
  expect(await query(order)).toMatchObject({ outcome: 'accepted' });
});

test('a callback is repeated until it is acknowledged', async () => {
  upstream.receiver.status = 500;
  const { order } = await create({ amount: '10.00' });
  await eventually(() => expect(upstream.callbacks(order.orderNo).length).toBeGreaterThan(1));
  upstream.receiver.status = 200;
  const before = upstream.callbacks(order.orderNo).length;
  await eventually(() => expect(upstream.callbacks(order.orderNo).length).toBe(before + 1));
  const { order: later } = await create({ amount: '10.31' });
  await eventually(() => expect(upstream.callbacks(later.orderNo)).toHaveLength(2));
  expect(upstream.callbacks(order.orderNo)).toHaveLength(before + 1);
  expect(new Set(upstream.callbacks(order.orderNo).map(({ body }) => Buffer.from(body).toString()))).toHaveLength(1);
});

test('a restart keeps all orders, applies events that became due, and repeats no acknowledged callback', async () => {
  const { order: reported } = await create({ amount: '10.00' });
  await eventually(() => expect(outcomesReported(reported.orderNo)).toEqual(['paid']));
  const { order: closed } = await create({ amount: '10.23' });
  await upstream.channel.cancel(closed, within(5_000));
  await eventually(() => expect(outcomesReported(closed.orderNo)).toEqual(['closed']));
  upstream.receiver.status = 500;
  const { order: due, answer } = await create({ amount: '10.31' });
  const paidBefore = await query(reported);
  await upstream.restart(async () => {
    upstream.receiver.status = 200;
    // The file after a kill in the middle of a write.
    await appendFile(upstream.stateFile, '{"type":"asked","ord');
  });
  await eventually(() => expect(outcomesReported(due.orderNo).slice(-2)).toEqual(['part_paid', 'paid']));
  expect(await query(due)).toMatchObject({
    outcome: 'paid',
    channelRef: 'channelRef' in answer ? answer.channelRef : '',
  });
  expect(await query(reported)).toEqual(paidBefore);
  expect(await query(closed)).toMatchObject({ outcome: 'closed' });
  await create({ amount: '10.00' });
  await upstream.restart();
  expect(await query(closed)).toMatchObject({ outcome: 'closed' });
  expect(outcomesReported(reported.orderNo)).toEqual(['paid']);
  expect(outcomesReported(closed.orderNo)).toEqual(['closed']);
});

test('a first create that was never answered is remembered over a restart', async () => {
  const order = upstream.order({ kind: 'payout', country: 'PK', currency: 'PKR', amount: '10.12' });
  expect(await upstream.channel.create(order, within(200))).toMatchObject({ outcome: 'unknown', why: 'no_answer' });
  await upstream.restart();
  expect(await upstream.channel.create(order, within(5_000))).toMatchObject({ outcome: 'accepted' });
});

test('a journal that is damaged before its last line prevents the start', async () => {
  await create({ amount: '10.00' });
  await expect(upstream.restart(() => appendFile(upstream.stateFile, 'rubbish\n'))).rejects.toThrow(
    /is not a journal record/,
  );
  const whole = await readFile(upstream.stateFile, 'utf8');
  expect(whole).toContain('rubbish');
});

test('the journal has no personal data, and only its owner can read it', async () => {
  const { order } = await create({ amount: '10.00' });
  const journal = await readFile(upstream.stateFile, 'utf8');
  expect(journal).toContain(order.orderNo);
  for (const personal of Object.values(order.party)) expect(journal).not.toContain(personal);
  expect((await stat(upstream.stateFile)).mode & 0o777).toBe(0o600);
});

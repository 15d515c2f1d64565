import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel } from '@tidegate/domain/channels';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { longDeadline, NO_ANSWER, paid } from '../testing/contract-subject.ts';
import { startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { makeCertificateAccount, makeKeyAccount, startAlipayFake } from './fake/index.ts';
import { type OpenedFake, openFake, pooledKeys } from './testing/open-fake.ts';

let opened: OpenedFake | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await opened?.close();
  opened = undefined;
});

async function open(...given: Parameters<typeof openFake>): Promise<OpenedFake> {
  opened = await openFake(...given);
  return opened;
}

describe('notifications', () => {
  test('notifications are accepted repeatedly and in any order, with the same result', async () => {
    const { channel, order: make, callbacks, control, fake } = await open();
    const order = make({ amount: '80.05' });
    await channel.create(order, longDeadline());
    await control('webhooks', { delivery: 'held' });
    await control('pay', { orderNo: order.orderNo });
    await control('notify', { orderNo: order.orderNo, as: 'back' });
    await control('webhooks', { release: true });
    await control('webhooks', { delivery: 'twice' });
    await control('notify', { orderNo: order.orderNo });
    await expect.poll(() => callbacks(order.orderNo).length).toBe(4);
    const reads = callbacks(order.orderNo).map(({ headers, body }) => channel.parseCallback(headers, body));
    const payments = [{ reference: fake.trade(order.orderNo)?.tradeNo, amount: '80.05' }];
    const reply = { contentType: 'text/plain; charset=utf-8', body: 'success' };
    const outcomes = reads.map((read) => read.type === 'report' && read.answer.outcome);
    expect(outcomes.toSorted()).toEqual(['accepted', 'paid', 'paid', 'paid']);
    for (const read of reads)
      expect(read).toMatchObject({
        reply,
        ...(read.type === 'report' && read.answer.outcome === 'paid' && { answer: { payments } }),
      });
  });

  test('a notification may come before the answer to the create', async () => {
    const { channel, order: make, callbacks, control } = await open();
    const order = make({ amount: '80.05' });
    await control('early');
    expect(await channel.create(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
    await expect.poll(() => callbacks(order.orderNo).length).toBe(1);
    expect(await channel.create(order, longDeadline())).toMatchObject({ outcome: 'paid' });
  });

  test.each([
    ['other_key', 'the signature does not verify: another key, or the fields were changed'],
    ['other_app', 'of another application'],
    ['other_seller', 'of another seller'],
    ['stale', 'not sent now'],
  ])('notifications of %s are not trusted: %s', async (as, detail) => {
    const { channel, order: make, callbacks, control } = await open();
    const order = make({ amount: '80.01' });
    await channel.create(order, longDeadline());
    await control('notify', { orderNo: order.orderNo, as });
    await expect.poll(() => callbacks(order.orderNo)).toHaveLength(1);
    const [callback] = callbacks(order.orderNo);
    const body = callback?.body ?? new Uint8Array();
    expect(channel.parseCallback({}, body)).toEqual({ type: 'refused', why: 'unauthentic', detail });
    expect(channel.examineCallback?.({}, body).at(-1)).toMatchObject({ isOk: false });
  });

  test.each([
    ['an unknown status', { trade_status: 'TRADE_PENDING' }, { type: 'query' }],
    ['another product', { notify_type: 'servicemarket_order_notify' }, { type: 'nothing' }],
    ['a full refund', { trade_status: 'TRADE_CLOSED', refund_fee: '80.01' }, { type: 'nothing' }],
    ['a close', { trade_status: 'TRADE_CLOSED' }, { type: 'report', answer: { outcome: 'closed' } }],
    [
      'a finished trade',
      { trade_status: 'TRADE_FINISHED', receipt_amount: '80.01' },
      { type: 'report', answer: { outcome: 'paid' } },
    ],
    ['a payment without a received amount', { trade_status: 'TRADE_SUCCESS' }, { type: 'query' }],
    [
      'a payment with a received amount of 0.00',
      { trade_status: 'TRADE_SUCCESS', receipt_amount: '0.00' },
      { type: 'query' },
    ],
    [
      'a buyer who pays later',
      { trade_status: 'TRADE_SUCCESS', receipt_amount: '80.01', credit_pay_mode: 'creditAdvanceV2' },
      { type: 'query' },
    ],
    [
      'money that has not reached the seller',
      { trade_status: 'TRADE_SUCCESS', receipt_amount: '80.01', additional_status: 'SELLER_NOT_RECEIVED' },
      { type: 'query' },
    ],
    [
      'money in another currency',
      { trade_status: 'TRADE_SUCCESS', receipt_amount: '80.01', settle_currency: 'USD' },
      { type: 'query' },
    ],
    ['no amount', { total_amount: '' }, { type: 'refused', why: 'malformed' }],
    ['an invalid amount', { trade_status: 'TRADE_SUCCESS', total_amount: '1e3' }, { type: 'query' }],
    ['Alipay’s clock 10 minutes ahead', { notify_time: '' }, { type: 'report' }],
  ])('a notification with %s has the expected result', async (what, fields, expected) => {
    const { channel, order: make, callbacks, control } = await open();
    const order = make({ amount: '80.01' });
    await channel.create(order, longDeadline());
    if (what.includes('clock')) await control('clock', { offsetSeconds: 600 });
    await control('notify', { orderNo: order.orderNo, fields: what.includes('clock') ? {} : fields });
    await expect.poll(() => callbacks(order.orderNo).length).toBe(1);
    const [callback] = callbacks(order.orderNo);
    expect(channel.parseCallback({}, callback?.body ?? new Uint8Array())).toMatchObject(expected);
  });
});

test('a notification whose signed text can be parsed in two ways proves nothing, so Alipay is queried', async () => {
  const { channel, order: make, callbacks, control } = await open();
  const order = make({ amount: '80.01' });
  await channel.create(order, longDeadline());
  const fields = { trade_status: 'TRADE_CLOSED', receipt_amount: '80.01', refund_fee: '80.01' };
  await control('notify', { orderNo: order.orderNo, fields });
  await expect.poll(() => callbacks(order.orderNo).length).toBe(1);
  const form = new URLSearchParams(Buffer.from(callbacks(order.orderNo)[0]?.body ?? []).toString());
  expect(channel.parseCallback({}, Buffer.from(form.toString()))).toMatchObject({ type: 'nothing' });
  // The refund is hidden in the field before it, so that the trade looks as if it was never paid.
  form.set('receipt_amount', '80.01&refund_fee=80.01');
  form.delete('refund_fee');
  expect(channel.parseCallback({}, Buffer.from(form.toString()))).toMatchObject({
    type: 'query',
    orderNo: order.orderNo,
    reply: { body: 'success' },
  });
});

test('answers in GBK are verified over their bytes, and read', async () => {
  const { channel, order: make, control } = await open();
  const order = make({ amount: '80.01' });
  await control('gbk', { times: 1 });
  await control('busy', { times: 1, takesEffect: false });
  // The fake's text of a system error is in Chinese.
  expect(await channel.query(order, longDeadline())).toMatchObject({
    detail: 'Alipay answered 40004 ACQ.SYSTEM_ERROR',
  });
  await control('gbk', { times: 2 });
  expect(await channel.create(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
  expect(await channel.query(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
});

describe('keys and certificates', () => {
  test('an answer that another key signed does not count, and a rotated key is not accepted', async () => {
    const { channel, order: make, control, callbacks } = await open();
    const order = make({ amount: '80.05' });
    await channel.create(order, longDeadline());
    await control('rotate');
    for (const call of ['create', 'query', 'cancel'] as const)
      expect(await channel[call](order, longDeadline())).toEqual({
        outcome: 'unknown',
        why: 'no_answer',
        detail: 'the signature of the reply does not verify',
      });
    await control('notify', { orderNo: order.orderNo });
    await expect.poll(() => callbacks(order.orderNo).length).toBe(1);
    const [callback] = callbacks(order.orderNo);
    expect(channel.parseCallback({}, callback?.body ?? new Uint8Array())).toMatchObject({ why: 'unauthentic' });
  });

  test('in certificate mode the old and the new certificate are trusted during a change', async () => {
    const {
      channel,
      order: make,
      control,
      callbacks,
      fake,
    } = await open(makeCertificateAccount(pooledKeys(), { trustsNext: true }));
    const order = make();
    await channel.create(order, longDeadline());
    await control('rotate');
    await paid(channel, order);
    await expect.poll(() => callbacks(order.orderNo).length).toBeGreaterThan(0);
    const [callback] = callbacks(order.orderNo);
    expect(channel.parseCallback({}, callback?.body ?? new Uint8Array())).toMatchObject({ type: 'report' });
    expect(fake.trade(order.orderNo)?.paidAt).not.toBeNull();
  });

  test('a certificate that was not entered is unknown', async () => {
    const { channel, order: make, control } = await open(makeCertificateAccount(pooledKeys()));
    const order = make({ amount: '80.01' });
    expect(await channel.create(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
    await control('rotate');
    expect(await channel.query(order, longDeadline())).toMatchObject({
      detail: 'reply signed with an unknown Alipay certificate',
    });
  });

  test('a call with a wrong application key has no answer, and never a refusal', async () => {
    const { channelAt, fake, credentials, order: make } = await open();
    const { nextAlipay: appPrivateKey } = pooledKeys();
    const channel = channelAt(fake.url, { credentials: { ...credentials, appPrivateKey } });
    const order = make({ amount: '80.11' });
    expect(await channel.create(order, longDeadline())).toEqual({
      outcome: 'unknown',
      why: 'no_answer',
      detail: 'reply without a signature: 40002 isv.invalid-signature',
    });
  });

  test('an unsigned answer counts as no answer, whatever its content', async () => {
    const { channelAt, order: make } = await open();
    const order = make();
    const upstream = await startFaultyUpstream((request, reply) => {
      const name = `${new URLSearchParams(request.path.split('?')[1]).get('method')?.replaceAll('.', '_')}_response`;
      const node = { code: '40004', sub_code: 'ACQ.TRADE_NOT_EXIST', out_trade_no: order.orderNo };
      reply.end(JSON.stringify({ [name]: node, sign: 'AAAA' }));
    });
    const channel = channelAt(upstream.url);
    for (const call of ['create', 'query', 'cancel'] as const)
      expect(await channel[call](order, longDeadline())).toMatchObject(NO_ANSWER);
    await upstream.close();
  });
});

test('a trusted notification is explained step by step, without secrets', async () => {
  const { channel, order: make, callbacks, control } = await open();
  const order = make({ amount: '80.01' });
  await channel.create(order, longDeadline());
  await control('notify', { orderNo: order.orderNo });
  await expect.poll(() => callbacks(order.orderNo).length).toBe(1);
  const body = callbacks(order.orderNo)[0]?.body ?? new Uint8Array();
  const steps = channel.examineCallback?.({}, body) ?? [];
  expect(steps.map(({ step, isOk }) => [step, isOk])).toEqual(
    ['size', 'form', 'signature', 'application', 'seller', 'time', 'content'].map((step) => [step, true]),
  );
  expect(steps.at(-1)?.detail).toBe(`order ${order.orderNo}: accepted`);
  expect(JSON.stringify(steps)).not.toContain(new URLSearchParams(Buffer.from(body).toString()).get('sign'));
});

test('the fake keeps its trades over a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-alipay-'));
  const { account } = makeKeyAccount(pooledKeys());
  const start = () => startAlipayFake({ port: 0, account, stateFile: join(folder, 'trades.jsonl'), timeFactor: 0.01 });
  const notifyUrl = '';
  const first = await start();
  const trade = first.trades.add({ outTradeNo: 'PI1', amount: '80.00', subject: 's', notifyUrl });
  await first.close();
  const second = await start();
  await expect.poll(() => second.trade('PI1')).toMatchObject({ tradeNo: trade.tradeNo, state: 'TRADE_SUCCESS' });
  await second.close();
  await rm(folder, { recursive: true });
});

describe('check', () => {
  test('the check shows when certificates expire: the later one of two, and none in key mode', async () => {
    const days = (channel: Channel) =>
      channel.expiries?.map(({ credential, at }) => `${credential} ${Math.round((at - Date.now()) / 86_400_000)}`);
    const [short, long] = [20, 300].map((left) => makeCertificateAccount(pooledKeys(), { days: left }));
    const { channel, channelAt, fake } = await open(short);
    expect(days(channel)).toEqual(['appCertificate 20', 'alipayCertificate 20']);
    const both = `${long?.credentials.alipayCertificate}${short?.credentials.alipayCertificate}`;
    const renewed = channelAt(fake.url, { credentials: { ...short?.credentials, alipayCertificate: both } });
    expect(days(renewed)).toEqual(['appCertificate 20', 'alipayCertificate 300']);
    expect(days((await open(makeKeyAccount(pooledKeys()))).channel)).toEqual([]);
  });

  test('the check tests address, credentials, clock and certificates', async () => {
    const { channel, channelAt, control, fake, credentials } = await open(
      makeCertificateAccount(pooledKeys(), { days: 20 }),
    );
    const steps = async (of = channel) =>
      Object.fromEntries(((await of.check?.(longDeadline())) ?? []).map(({ step, isOk }) => [step, isOk]));
    expect(await steps()).toEqual({ reach: true, credentials: true, clock: true, certificate: false });
    await control('clock', { offsetSeconds: 600 });
    expect(await steps()).toMatchObject({ credentials: true, clock: false });
    const { nextAlipay: appPrivateKey } = pooledKeys();
    const wrong = channelAt(fake.url, { credentials: { ...credentials, appPrivateKey } });
    expect(await steps(wrong)).toMatchObject({ reach: true, credentials: false });
    const unavailable = await startFaultyUpstream(() => {});
    await unavailable.close();
    expect(await steps(channelAt(unavailable.url))).toEqual({ reach: false, certificate: false });
  });
});

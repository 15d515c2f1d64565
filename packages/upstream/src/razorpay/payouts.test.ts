import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { NO_ANSWER } from '../testing/contract-subject.ts';
import { passOn, startFaultyUpstream } from '../testing/faulty-upstream.ts';
import { recordsOf } from './fake/context.ts';
import { eventOf, type Fixture, openFixture } from './testing/open-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const longDeadline = () => AbortSignal.timeout(10_000);
const payout = (amount: string, changed = {}) => fixture.order({ kind: 'payout', amount, ...changed });
const payoutsOf = (orderNo: string) =>
  recordsOf(fixture.context, 'payout').filter(({ reference }) => reference === orderNo);
const until = <T>(fact: () => T | Promise<T>) => vi.waitFor(fact, { timeout: 5_000, interval: 20 });
const becomes = (order: Parameters<Fixture['channel']['query']>[0], expected: object) =>
  until(async () => expect(await fixture.channel.query(order, longDeadline())).toMatchObject(expected));

/** A payout in process, which was debited, and what moves it. */
async function openPayout() {
  const order = payout('80.04');
  const created = await fixture.channel.create(order, longDeadline());
  const id = 'channelRef' in created ? (created.channelRef ?? '') : '';
  const move = (status: string, reason = status) => fixture.control('state', { id, status, reason });
  return { order, id, move };
}

test('a payout is processed, and its id is the reference of the payment', async () => {
  const order = payout('2500.00');
  expect(await fixture.channel.create(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
  await becomes(order, { outcome: 'paid', payments: [{ amount: '2500.00' }] });
  const [made] = payoutsOf(order.orderNo);
  expect(made).toMatchObject({ amount: 250_000, mode: 'IMPS', key: order.orderNo });
  expect(await fixture.channel.create(order, longDeadline())).toMatchObject({ outcome: 'paid', channelRef: made?.id });
  expect(payoutsOf(order.orderNo)).toHaveLength(1);
});

test.each([
  ['500000.00', {}, 'IMPS'],
  ['500000.10', {}, 'RTGS'],
  ['99999.99', { party: { name: 'Asha Rao', account: 'asha.rao@exampleupi' } }, 'UPI'],
])('%s to %j goes by %s', async (amount, changed, mode) => {
  const order = payout(amount, changed);
  await fixture.channel.create(order, longDeadline());
  expect(payoutsOf(order.orderNo)[0]?.mode).toBe(mode);
});

test.each([
  ['no IFSC', { party: { name: 'Asha Rao', account: '50100012345678' } }, /IFSC/],
  ['a name in another script', { party: { name: 'आशा राव', account: '50100012345678', ifsc: 'HDFC0001234' } }, /name/],
  ['a UPI address and 1 lakh', { amount: '100000.00', party: { name: 'Asha Rao', account: 'a@b' } }, /UPI/],
])('an order with %s is refused before anything is sent', async (_what, changed, reason) => {
  const order = payout('80.00', changed);
  const answer = await fixture.channel.create(order, longDeadline());
  expect(answer).toEqual({ outcome: 'refused', reason: expect.stringMatching(reason) });
  expect(payoutsOf(order.orderNo)).toHaveLength(0);
});

test('a payee is created once at Razorpay, stored without name and account number, and used again', async () => {
  const party = { name: 'Vikram Shah', account: '60200098765432', ifsc: 'ICIC0004321' };
  const keys: string[] = [];
  const channel = fixture.channelAt(fixture.url);
  const remember = vi.spyOn(fixture.memory, 'remember').mockClear();
  for (const _time of [1, 2]) await channel.create(payout('10.01', { party }), longDeadline());
  keys.push(...remember.mock.calls.map(([key]) => key).filter((key) => key.startsWith('beneficiary:')));
  remember.mockRestore();
  expect(keys).toEqual([expect.stringMatching(/^beneficiary:[0-9a-f]{64}$/)]);
  const accounts = recordsOf(fixture.context, 'fund_account').filter(
    ({ bank }) => bank?.account_number === party.account,
  );
  expect(accounts).toHaveLength(1);
});

test('many concurrent creates with lost answers make one payout', async () => {
  const order = payout('80.01');
  fixture.context.server.faults.next('answer_lost', 2, '/v1/payouts');
  const answers = await Promise.all(Array.from({ length: 4 }, () => fixture.channel.create(order, longDeadline())));
  expect(new Set(answers.map((answer) => ('channelRef' in answer ? answer.channelRef : answer.outcome)))).toHaveLength(
    1,
  );
  expect(payoutsOf(order.orderNo)).toHaveLength(1);
});

test('a payout that Razorpay rejects is refused, and a payout of an old order is not sent again', async () => {
  expect(await fixture.channel.create(payout('80.11'), longDeadline())).toMatchObject({ outcome: 'refused' });
  const old = payout('80.00', { createdAt: Date.now() - 7 * 24 * 3_600_000 });
  expect(await fixture.channel.create(old, longDeadline())).toMatchObject(NO_ANSWER);
  expect(payoutsOf(old.orderNo)).toHaveLength(0);
});

test('the same number with another amount is unknown, because the first payout may be paid', async () => {
  const order = payout('80.01');
  await fixture.channel.create(order, longDeadline());
  expect(await fixture.channel.create({ ...order, amount: '81.01' }, longDeadline())).toMatchObject(NO_ANSWER);
});

test('an unknown payout is reported as not found, so it is sent again with the same idempotency key', async () => {
  const answer = await fixture.channel.query(payout('80.00'), longDeadline());
  expect(answer).toMatchObject({ outcome: 'unknown', why: 'not_found' });
});

test('a processed payout that is reversed is returned; one that was rejected is failed', async () => {
  const { order, move, id } = await openPayout();
  const moved = { amount: order.amount, reference: id };
  await move('processed');
  expect(await fixture.channel.query(order, longDeadline())).toMatchObject({ outcome: 'paid', payments: [moved] });
  await move('reversed');
  const returned = { outcome: 'returned', payments: [moved], returned: moved };
  expect(await fixture.channel.query(order, longDeadline())).toMatchObject(returned);
  const rejected = payout('80.13');
  await fixture.channel.create(rejected, longDeadline());
  await becomes(rejected, { outcome: 'failed' });
});

test('the fake processes a payout of .16, and reverses it later', async () => {
  const order = payout('80.16');
  await fixture.channel.create(order, longDeadline());
  await until(() =>
    expect(fixture.webhooks(order.orderNo).map(eventOf)).toEqual(['payout.processed', 'payout.reversed']),
  );
});

test('a queued payout can be cancelled, and a payout in process cannot', async () => {
  const queued = payout('80.02');
  await fixture.channel.create(queued, longDeadline());
  for (const _time of [1, 2])
    expect(await fixture.channel.cancel(queued, longDeadline())).toMatchObject({ outcome: 'closed' });
  expect(await fixture.channel.query(queued, longDeadline())).toMatchObject({ outcome: 'failed' });
  const processing = payout('80.04');
  await fixture.channel.create(processing, longDeadline());
  expect(await fixture.channel.cancel(processing, longDeadline())).toMatchObject({ outcome: 'accepted' });
});

test('a status that reverts, or is not documented, does not end a payout', async () => {
  const { order, move } = await openPayout();
  await move('processed');
  expect(await fixture.channel.query(order, longDeadline())).toMatchObject({ outcome: 'paid' });
  await move('processing');
  expect(await fixture.channel.query(order, longDeadline())).toMatchObject({ outcome: 'accepted' });
  await move('teleported');
  expect(await fixture.channel.query(order, longDeadline())).toMatchObject(NO_ANSWER);
});

test('webhooks of payouts, also in the wrong order, only cause a query', async () => {
  const { order, move } = await openPayout();
  fixture.context.server.webhooks.deliver('held');
  for (const status of ['processed', 'reversed']) await move(status);
  fixture.context.server.webhooks.release();
  const webhooks = await until(() => {
    const found = fixture.webhooks(order.orderNo);
    expect(found).toHaveLength(2);
    return found;
  });
  for (const { headers, body } of webhooks) {
    const query = { type: 'query', kind: 'payout', orderNo: order.orderNo };
    expect(fixture.channel.parseCallback(headers, body)).toEqual(query);
  }
});

test('a stored fund account that belongs to another payee is not paid', async () => {
  const order = payout('80.00', { party: { name: 'Ravi Kumar', account: '70300011112222', ifsc: 'SBIN0001234' } });
  const proxy = await startFaultyUpstream(async (request, reply) => {
    const answer = await passOn(fixture.url, request);
    const body =
      request.path === '/v1/fund_accounts' ? answer.body.replace('70300011112222', '70300011113333') : answer.body;
    reply.writeHead(answer.status, answer.headers).end(body);
  });
  expect(await fixture.channelAt(proxy.url).create(order, longDeadline())).toMatchObject(NO_ANSWER);
  expect(payoutsOf(order.orderNo)).toHaveLength(0);
  await proxy.close();
});

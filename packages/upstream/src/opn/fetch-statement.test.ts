import { findFormat } from '@tidegate/statements';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readStatement } from '../testing/read-statement.ts';
import { type OpnSetup, openOpn, within } from './testing/open-opn.ts';

let opn: OpnSetup;
beforeAll(async () => {
  opn = await openOpn();
});
afterAll(() => opn.close());
afterEach(() => opn.control('statements'));

const options = { currency: 'THB', timeZone: 'Asia/Bangkok' };
const day = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10);
const fetch = (on = day) => opn.channel.fetchStatement?.({ format: 'opn-transactions', day: on }, within(10_000));
const read = async () => readStatement(findFormat('opn-transactions'), await fetch(), options);
const isOver = () => opn.control('clock', { offsetSeconds: 26 * 3_600 });

test('a payin, its refund, a transfer to the bank and a charge in dollars are in the transactions of their day after it is over', async () => {
  const order = opn.order({ amount: '80.00' });
  await opn.channel.create(order, within(10_000));
  await opn.control('change', { charge: order.orderNo, to: 'pay' });
  const [charge] = await opn.charges(order.orderNo);
  const refund = { ...order, reference: charge?.id ?? '', refundNo: 'RFS1', refundAmount: '30.00', reason: 'a test' };
  expect(await opn.channel.refund?.(refund, within(10_000))).toMatchObject({ outcome: 'accepted' });
  const { id: transfer } = await opn.control('transfer', { satang: 1_000 });
  const { id: dollars } = await opn.control('dollars', { cents: 300, satang: 10_000 });
  expect(await fetch()).toMatchObject({ outcome: 'not_ready' });
  await isOver();
  const { lines, unparsed, summaries } = await read();
  expect(unparsed).toEqual([]);
  expect(lines).toMatchObject([
    {
      type: 'payin',
      gross: '80.00',
      fee: '1.32',
      tax: '0.09',
      net: '78.59',
      channelRef: charge?.id,
      orderNo: order.orderNo,
    },
    { type: 'refund', direction: 'out', gross: '30.00', channelRef: expect.stringMatching(/^rfnd_/), bookedOn: day },
    { type: 'settlement', direction: 'out', gross: '10.00', channelRef: transfer },
    { type: 'payin', gross: '100.00', fee: '3.65', tax: '0.26', currency: 'THB', channelRef: dollars, orderNo: null },
  ]);
  expect(summaries).toMatchObject([{ from: day, to: day }]);
});

test.each([
  ['missing_row', { type: 'refund' }],
  ['wrong_amount', { type: 'payin', gross: '80.01' }],
  ['foreign_row', { type: 'payin', orderNo: 'FOREIGN1' }],
])('with the fault %s the first row has the injected difference', async (fault, first) => {
  await isOver();
  await opn.control('statements', { fault });
  expect((await read()).lines[0]).toMatchObject(first);
});

test('a list without one of its rows is refused, and a list that breaks off is not stored as a file', async () => {
  await isOver();
  await opn.control('statements', { fault: 'cut_off' });
  await expect(read()).rejects.toMatchObject({ reason: 'totals_differ' });
  await opn.control('statements');
  await opn.control('faults', { fault: 'too_many_requests', path: '/transactions' });
  expect(await fetch()).toEqual({ outcome: 'unknown', detail: 'too many calls (HTTP 429)' });
});

test('several pages of transactions are one file, and without one of its pages there is no file', async () => {
  const tomorrow = new Date(Date.parse(day) + 24 * 3_600_000).toISOString().slice(0, 10);
  await opn.control('clock', { offsetSeconds: 24 * 3_600 });
  for (let n = 0; n < 101; n += 1) await opn.control('transfer', { satang: 100 });
  await opn.control('clock', { offsetSeconds: 50 * 3_600 });
  const readTomorrow = async () => readStatement(findFormat('opn-transactions'), await fetch(tomorrow), options);
  expect((await readTomorrow()).lines).toHaveLength(101);
  const fetched = await fetch(tomorrow);
  await opn.control('faults', { fault: 'server_error', path: '/transactions' });
  const reading = readStatement(findFormat('opn-transactions'), fetched, options);
  await expect(reading).rejects.toThrow('broke off after 100 rows');
});

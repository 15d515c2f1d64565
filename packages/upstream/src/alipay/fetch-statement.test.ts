import { findFormat } from '@tidegate/statements';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longDeadline, paid } from '../testing/contract-subject.ts';
import { readStatement } from '../testing/read-statement.ts';
import { type OpenedFake, openFake } from './testing/open-fake.ts';

const options = { currency: 'CNY', timeZone: 'Asia/Shanghai' };
const dayInChina = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10);
const hours = 3_600;

describe('the bill of Alipay', () => {
  let opened: OpenedFake;
  beforeAll(async () => {
    opened = await openFake();
  });
  afterAll(() => opened.close());

  const fetch = (day: string) => opened.channel.fetchStatement?.({ format: 'alipay-bill', day }, longDeadline());
  const read = async (day: string) => readStatement(findFormat('alipay-bill'), await fetch(day), options);

  test('the bill is not ready on its own day, and has the payments and refunds of the day afterwards', async () => {
    const order = opened.order({ amount: '80.00' });
    await opened.channel.create(order, longDeadline());
    const { payments } = await paid(opened.channel, { ...order, channelRef: order.orderNo });
    const reference = payments[0]?.reference ?? '';
    const refund = { ...order, refundNo: `RF${order.orderNo}`, reference, refundAmount: '30.00', reason: 'a test' };
    expect(await opened.channel.refund?.(refund, longDeadline())).toMatchObject({ outcome: 'refunded' });
    const day = dayInChina(opened.fake.trade(order.orderNo)?.paidAt ?? 0);
    expect(await fetch(day)).toMatchObject({ outcome: 'not_ready' });

    await opened.control('clock', { offsetSeconds: 34 * hours });
    const { lines, unparsed } = await read(day);
    expect(unparsed).toEqual([]);
    expect(lines).toMatchObject([
      { type: 'payin', gross: '80.00', fee: '0.48', channelRef: reference, orderNo: order.orderNo, bookedOn: day },
      { type: 'refund', direction: 'out', gross: '30.00', channelRef: refund.refundNo, orderNo: order.orderNo },
    ]);
    expect(await fetch('2020-01-01')).toMatchObject({ outcome: 'not_ready' });

    await opened.control('bills', { fault: 'doubled_row' });
    expect((await read(day)).lines).toHaveLength(3);
    await opened.control('bills', { fault: 'cut_off' });
    await expect(read(day)).rejects.toMatchObject({ name: 'StatementUnreadable', reason: 'damaged' });
    await opened.control('bills');
  });
});

import { findFormat } from '@tidegate/statements';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { LONG_DEADLINE_MS, longDeadline, paid } from '../testing/contract-subject.ts';
import { readStatement } from '../testing/read-statement.ts';
import { razorpay } from './index.ts';
import { type Fixture, openFixture, refundOf } from './testing/open-fixture.ts';

const options = { currency: 'INR', timeZone: 'Asia/Kolkata' };
const dayInIndia = (ms: number) => new Date(ms + 5.5 * 3_600_000).toISOString().slice(0, 10);

describe('statements of Razorpay', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openFixture();
  });
  // Later orders are made today again.
  afterEach(() => fixture.control('clock', { offsetSeconds: 0 }));
  afterAll(() => fixture.close());

  const fetch = (format: string, day: string) => fixture.channel.fetchStatement?.({ format, day }, longDeadline());
  const read = async (format: string, day: string) =>
    readStatement(findFormat(format), await fetch(format, day), options);
  /** Until Razorpay's clock shows the next day. */
  const untilTomorrow = () => fixture.control('clock', { offsetSeconds: 26 * 3_600 });

  test('a payin and its refund are in the settlements of the day after the day is over', async () => {
    const order = fixture.order();
    await fixture.channel.create(order, longDeadline());
    const { payments } = await paid(fixture.channel, order);
    const reference = payments[0]?.reference ?? '';
    const refund = refundOf(order, reference, { refundAmount: '30.00' });
    await fixture.channel.refund?.(refund, longDeadline());
    const refundRef = await vi.waitFor(async () => {
      const answer = await fixture.channel.queryRefund?.(refund, longDeadline());
      if (answer?.outcome !== 'refunded') throw new Error('not refunded yet');
      return answer.refundRef;
    }, LONG_DEADLINE_MS);
    const day = dayInIndia(Date.now());
    expect(await fetch('razorpay-recon', day)).toMatchObject({ outcome: 'not_ready' });
    await untilTomorrow();
    const { lines, unparsed } = await read('razorpay-recon', day);
    expect(unparsed).toEqual([]);
    expect(lines).toMatchObject([
      { type: 'payin', gross: '80.00', fee: '0.20', tax: '0.04', channelRef: reference, orderNo: order.orderNo },
      { type: 'refund', direction: 'out', gross: '30.00', channelRef: refundRef, orderNo: order.orderNo },
    ]);
    await fixture.control('statements', { fault: 'missing_row' });
    expect((await read('razorpay-recon', day)).lines).toMatchObject([{ type: 'refund' }]);
    await fixture.control('statements', {});
  });

  test('a payout that came back has two lines in the statement of the account', async () => {
    const order = fixture.order({ kind: 'payout', amount: '200.04' });
    const created = await fixture.channel.create(order, longDeadline());
    const channelRef = 'channelRef' in created ? created.channelRef : '';
    const move = (status: string) => fixture.control('state', { id: channelRef, status, reason: status });
    // A reversed payout came back only if a query saw it as paid before. Otherwise it failed.
    await move('processed');
    expect(await fixture.channel.query(order, longDeadline())).toMatchObject({ outcome: 'paid' });
    await move('reversed');
    expect(await fixture.channel.query(order, longDeadline())).toMatchObject({ outcome: 'returned' });
    const day = dayInIndia(Date.now());
    await untilTomorrow();
    const { lines, summaries } = await read('razorpayx-statement', day);
    expect(lines).toMatchObject([
      { type: 'payout_return', direction: 'in', net: '200.04', channelRef, balanceAfter: '90000.00' },
      { type: 'payout', direction: 'out', net: '200.04', channelRef, orderNo: order.orderNo },
    ]);
    expect(summaries).toMatchObject([{ opening: '90000.00', closing: '90000.00' }]);
  });

  test('several pages are one file, and an incomplete transfer is not stored as a file', async () => {
    const order = fixture.order();
    await fixture.channel.create(order, longDeadline());
    await paid(fixture.channel, order);
    const day = dayInIndia(Date.now());
    await untilTomorrow();
    const fetched = await fetch('razorpay-recon', day);
    fixture.fake.context.server.faults.next('server_error');
    await expect(readStatement(findFormat('razorpay-recon'), fetched, options)).rejects.toThrow('broke off');
  });

  test('a channel without RazorpayX has only settlements', async () => {
    const channel = fixture.channelAt(fixture.url, { accountNumber: '' });
    expect(razorpay.offers(['keyId', 'keySecret']).statements).toEqual(['razorpay-recon']);
    expect(razorpay.offers(['keyId', 'keySecret', 'accountNumber']).statements).toContain('razorpayx-statement');
    const request = { format: 'razorpayx-statement', day: '2026-11-01' };
    expect(await channel.fetchStatement?.(request, longDeadline())).toMatchObject({ outcome: 'unknown' });
  });
});

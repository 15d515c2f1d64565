import { expect, test } from 'vitest';
import type { TransferCause } from '../../core/ledger.ts';
import type { PaymentUse } from '../../core/payment.ts';
import { type BookedPayment, type ChannelTransfer, expectationsOf } from './decide-expectations.ts';

let no = 0;
const transfer = (
  debit: ChannelTransfer['debit'],
  credit: ChannelTransfer['credit'],
  amount: string,
  cause: TransferCause,
  more: Partial<ChannelTransfer> = {},
): ChannelTransfer => {
  no += 1;
  return { transferNo: no, debit, credit, amount, cause, orderNo: 'PI1', batchNo: 1, createdAt: 1_000, ...more };
};
const payment = (
  reference: string | null,
  amount: string,
  use: PaymentUse = 'credited',
  more: Partial<BookedPayment> = {},
): BookedPayment => ({ direction: 'in', reference, amount, use, channelId: 'a', orderNo: 'PI1', batchNo: 1, ...more });
const shown = (transfers: ChannelTransfer[], payments: BookedPayment[]) =>
  expectationsOf(transfers, payments, 'PKR').map(({ direction, amount, channelRef }) => [
    direction,
    amount,
    channelRef,
  ]);

test('net amount and fee of a payin are one expected movement with the reference of the payment', () => {
  const transfers = [
    transfer('channel:a', 'available', '97.50', 'payin'),
    transfer('channel:a', 'fee_revenue', '2.50', 'payin_fee'),
  ];
  expect(shown(transfers, [payment('R', '100.00')])).toEqual([['in', '100.00', 'R']]);
  expect(expectationsOf(transfers, [payment('R', '100.00')], 'PKR')[0]?.transferNo).toBe(transfers[0]?.transferNo);
});

test('two payments in one answer are two expected movements', () => {
  const transfers = [
    transfer('channel:a', 'suspense', '30.00', 'payin_part'),
    transfer('channel:a', 'suspense', '70.00', 'payin_part'),
    transfer('suspense', 'available', '97.50', 'payin_parts_credited'),
  ];
  expect(shown(transfers, [payment('R1', '30.00', 'part'), payment('R2', '70.00')])).toEqual([
    ['in', '30.00', 'R1'],
    ['in', '70.00', 'R2'],
  ]);
});

test('a payout and its return are movements in opposite directions, and may have the same reference', () => {
  const of = { orderNo: 'PO1' };
  const transfers = [
    transfer('frozen', 'channel:a', '50.00', 'payout_settle', of),
    transfer('channel:a', 'suspense', '50.00', 'suspense_in', of),
  ];
  const payments = [
    payment('R', '50.00', 'returned', { ...of, direction: 'back' }),
    payment('R', '50.00', 'credited', { ...of, direction: 'out' }),
  ];
  expect(shown(transfers, payments)).toEqual([
    ['out', '50.00', 'R'],
    ['in', '50.00', 'R'],
  ]);
});

test('transfers without a payment of the same amount are a movement without a reference', () => {
  const of = { orderNo: 'PO1' };
  const evidence = transfer('frozen', 'channel:a', '50.00', 'payout_settle', of);
  expect(shown([evidence], [payment(null, '50.00', 'evidence', { ...of, direction: 'out' })])).toEqual([
    ['out', '50.00', null],
  ]);
  const difference = transfer('channel:a', 'suspense', '5.00', 'suspense_in', of);
  expect(shown([difference], [payment('R', '45.00', 'credited', of)])).toEqual([['in', '5.00', null]]);
});

test('the payment that confirms evidence is not the movement that came with it', () => {
  const of = { orderNo: 'PO1' };
  const paid = { ...of, direction: 'out' } as const;
  const again = transfer('suspense', 'channel:a', '50.00', 'suspense_out', of);
  const payments = [payment('R1', '50.00', 'credited', paid), payment('R2', '50.00', 'unasked', paid)];
  expect(shown([again], payments)).toEqual([['out', '50.00', 'R2']]);
});

test('transfers outside of the channel account and postings of the reconciliation are not expected on a statement', () => {
  const transfers = [
    transfer('available', 'frozen', '1.00', 'payout_freeze'),
    transfer('variance:a', 'channel:a', '1.00', 'reconciliation'),
  ];
  expect(shown(transfers, [])).toEqual([]);
});

test('payments of another transaction or channel are ignored', () => {
  const one = transfer('channel:a', 'suspense', '9.00', 'suspense_in');
  const others = [
    payment('X', '9.00', 'suspense', { batchNo: 2 }),
    payment('Y', '9.00', 'suspense', { channelId: 'b' }),
  ];
  expect(shown([one], others)).toEqual([['in', '9.00', null]]);
});

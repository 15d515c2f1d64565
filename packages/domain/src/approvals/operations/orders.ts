import * as z from 'zod';
import {
  cancelOrder as cancel,
  confirmFunds as confirm,
  refreshOrder as refresh,
  resolvePayout as resolve,
} from '../../orders/index.ts';
import { amount, choice, orderNo, reference, text } from '../input-schemas.ts';
import { aboveLimit, onOrder } from '../operation.ts';

export const cancelOrder = onOrder({
  summary: 'Cancel an order: at once where nothing was sent, else only if its channel says that it is closed.',
  roles: ['operator'],
  input: z.strictObject({ orderNo: orderNo() }),
  execute: ({ domain, by }, order) => cancel(domain, order, by),
});

export const refreshOrder = onOrder({
  summary: "Ask an order's channel now how it stands, and book what it says.",
  roles: ['support', 'operator', 'finance'],
  input: z.strictObject({ orderNo: orderNo() }),
  execute: ({ domain, by }, order) => refresh(domain, order, by),
});

export const confirmFunds = onOrder({
  summary: `Confirm funds that came in for a payin of a manual channel; what comes late or in excess opens a case${aboveLimit}`,
  roles: ['finance'],
  input: z.strictObject({
    orderNo: orderNo(),
    amount: amount('What came in.'),
    reference: reference(
      "The bank's reference: the same again changes nothing, and that of another order's transfer is refused.",
    ),
  }),
  needsSecond: () => 'above_limit',
  execute: ({ domain, by }, order, { amount, reference }) => confirm(domain, order, { amount, reference }, by),
});

export const resolvePayout = onOrder({
  summary: 'End a stuck payout by evidence; two operators have to agree.',
  roles: ['finance'],
  input: z.strictObject({
    orderNo: orderNo("The payout's order number."),
    outcome: choice('paid settles it, failed releases the money.', ['paid', 'failed']),
    evidence: text('What both have seen, e.g. a bank statement and its line.'),
  }),
  // Whatever the amount (decisions 5.4).
  needsSecond: () => true,
  execute: ({ domain, by }, order, { outcome, evidence }) => resolve(domain, order, { outcome, evidence }, by),
});

import * as z from 'zod';
import {
  cancelOrder as cancel,
  confirmFunds as confirm,
  problemOfRefresh,
  refreshOrder as refresh,
  resolvePayout as resolve,
} from '../../orders/index.ts';
import { amount, choice, orderNo, paymentReference, text } from '../input-schemas.ts';
import { aboveLimit, onOrder } from '../operation.ts';
import { always, onlyAboveLimit } from '../second-operator-rule.ts';

export const cancelOrder = onOrder({
  summary: 'Cancel an order. If it was already sent, the channel must confirm that it is closed.',
  roles: ['operator'],
  input: z.strictObject({ orderNo: orderNo() }),
  // Only the channel knows whether it agrees, and it is not called here.
  trial: (ref, _, by) => ({ type: 'cancelOrder', ref, confirmedBy: 'channel', by }),
  execute: ({ domain, by }, order) => cancel(domain, order, by),
});

export const refreshOrder = onOrder({
  summary: 'Query the channel for the status of an order now, and apply the answer.',
  roles: ['support', 'operator', 'finance'],
  input: z.strictObject({ orderNo: orderNo() }),
  problem: problemOfRefresh,
  execute: ({ domain, by }, order) => refresh(domain, order, by),
});

export const confirmFunds = onOrder({
  summary: `Confirm funds received for a payin of a manual channel. Late or excess funds open a case.${aboveLimit}`,
  title: () => 'Confirm funds',
  roles: ['finance'],
  input: z.strictObject({
    orderNo: orderNo(),
    amount: amount('Amount received.'),
    reference: paymentReference(
      'Reference of the bank transfer. Sending it again has no effect. A reference used for another order is refused.',
    ),
  }),
  needsSecond: onlyAboveLimit,
  trial: (ref, { amount, reference }, by) => ({ type: 'confirmFunds', ref, amount, reference, by }),
  execute: ({ domain, by }, order, { amount, reference }) => confirm(domain, order, { amount, reference }, by),
});

export const resolvePayout = onOrder({
  summary: 'Settle or fail a stuck payout by evidence. Needs a second operator.',
  title: ({ outcome }) => ({ paid: 'Mark paid', failed: 'Mark failed' })[outcome],
  roles: ['finance'],
  input: z.strictObject({
    orderNo: orderNo("The payout's order number."),
    outcome: choice('PAID settles the payout. FAILED releases the money.', ['paid', 'failed']),
    evidence: text('Evidence that both operators have seen, e.g. a bank statement and its line.'),
  }),
  // A second operator is always needed, for any amount (decisions 5.4).
  needsSecond: always,
  trial: (ref, { outcome, evidence }, by) => ({ type: 'resolvePayout', ref, outcome, evidence, by }),
  execute: ({ domain, by }, order, { outcome, evidence }) => resolve(domain, order, { outcome, evidence }, by),
});

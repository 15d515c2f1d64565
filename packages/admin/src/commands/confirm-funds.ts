import { confirmFunds, findOrderByNumber } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, required } from '../fields.ts';
import { noOrder } from '../lookups.ts';
import { amount, orderNo, reference } from '../readers.ts';
import { rejected } from '../rejections.ts';
import { orderRecord } from '../views.ts';

export const confirmFundsCommand = defineCommand({
  name: 'confirm-funds',
  group: 'Orders',
  summary: 'confirm funds that came in for a payin of a manual channel, in part or whole',
  kind: 'change',
  role: 'finance',
  fields: {
    orderNo: argument('<order>', 'its service order number', orderNo),
    amount: required('--amount <amount>', 'what came in', amount),
    reference: required('--reference <reference>', "the bank's reference: the same again changes nothing", reference),
  },
  async run({ domain, by }, { orderNo, amount, reference }) {
    const order = await findOrderByNumber(domain, orderNo);
    if (!order) return noOrder(orderNo);
    const confirmed = await confirmFunds(domain, order, { amount, reference }, by);
    if (!confirmed.ok) return rejected(orderNo, confirmed);
    const { paidAmount, status } = confirmed.value;
    return done(
      `Order ${orderNo} is ${status}: ${paidAmount} of ${order.amount} came in.`,
      orderRecord(confirmed.value),
    );
  },
});

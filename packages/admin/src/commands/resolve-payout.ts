import { findOrderByNumber, resolvePayout } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, oneOf, required } from '../fields.ts';
import { noOrder } from '../lookups.ts';
import { orderNo, text } from '../readers.ts';
import { rejected } from '../rejections.ts';
import { orderRecord } from '../views.ts';

export const resolvePayoutCommand = defineCommand({
  name: 'resolve-payout',
  group: 'Orders',
  summary: 'end a stuck payout by evidence; two operators have to agree',
  kind: 'change',
  role: 'finance',
  fields: {
    orderNo: argument('<order>', 'its service order number', orderNo),
    outcome: required('--outcome <outcome>', 'paid settles it, failed releases the money', oneOf('paid', 'failed')),
    evidence: required('--evidence <text>', 'what both have seen, e.g. a bank statement and its line', text),
  },
  async run({ domain, by }, { orderNo, outcome, evidence }) {
    const order = await findOrderByNumber(domain, orderNo);
    if (!order) return noOrder(orderNo);
    const resolved = await resolvePayout(domain, order, { outcome, evidence }, by);
    if (!resolved.ok) return rejected(orderNo, resolved);
    return done(`Payout ${orderNo} is ${resolved.value.status}.`, orderRecord(resolved.value));
  },
});

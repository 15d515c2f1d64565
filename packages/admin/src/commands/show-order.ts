import { findOrderByNumber } from '@tidegate/domain';
import { readOrderHistory } from '@tidegate/domain/admin';
import { mayAccess } from '@tidegate/domain/operators';
import { done } from '../line/answer.ts';
import { defineCommand } from '../line/command.ts';
import { argument } from '../line/fields.ts';
import { noOrder } from '../line/lookups.ts';
import { orderNo } from '../line/readers.ts';
import { orderRecord, timeText } from '../line/views.ts';

export const showOrder = defineCommand({
  name: 'show-order',
  group: 'Orders',
  summary: 'show an order with its history',
  kind: 'read',
  roles: null,
  respectsRestrictions: true,
  fields: { orderNo: argument('<order>', 'its service order number', orderNo) },
  async run({ domain, operator }, { orderNo }) {
    const order = await findOrderByNumber(domain, orderNo);
    if (!order || !mayAccess(operator, order)) return noOrder(orderNo);
    const { transitions, payments } = await readOrderHistory(domain, order);
    return done(`Order ${orderNo}`, {
      ...orderRecord(order),
      history: transitions.map(({ from, to, trigger, actor, detail, at }) => ({
        at: timeText(at),
        from,
        to,
        trigger,
        actor,
        detail,
      })),
      payments: payments.map(({ reference, channelId, amount, use, receivedAt }) => ({
        receivedAt: timeText(receivedAt),
        reference,
        channelId,
        amount,
        use,
      })),
    });
  },
});

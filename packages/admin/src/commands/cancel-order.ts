import { cancelOrder, findOrderByNumber } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument } from '../fields.ts';
import { noOrder } from '../lookups.ts';
import { orderNo } from '../readers.ts';
import { rejected } from '../rejections.ts';
import { orderRecord } from '../views.ts';

export const cancelOrderCommand = defineCommand({
  name: 'cancel-order',
  group: 'Orders',
  summary: 'cancel an order: at once where nothing was sent, else only if its channel says that it is closed',
  kind: 'change',
  role: 'operator',
  fields: { orderNo: argument('<order>', 'its service order number', orderNo) },
  async run({ domain, by }, { orderNo }) {
    const order = await findOrderByNumber(domain, orderNo);
    if (!order) return noOrder(orderNo);
    const cancelled = await cancelOrder(domain, order, by);
    return cancelled.ok
      ? done(`Order ${orderNo} is cancelled.`, orderRecord(cancelled.value))
      : rejected(orderNo, cancelled);
  },
});

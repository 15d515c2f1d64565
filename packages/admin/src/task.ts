import { findOrderByNumber, type TaskAction, workOnTask } from '@tidegate/domain';
import { type Answer, done } from './answer.ts';
import type { Context } from './command.ts';
import { argument } from './fields.ts';
import { noOrder } from './lookups.ts';
import { orderNo } from './readers.ts';
import { rejected } from './rejections.ts';
import { taskRow } from './views.ts';

export const taskField = argument('<order>', "the payout's order number, see list-tasks", orderNo);

/** Does one thing with a task of the market, and shows it as it is then. */
export async function actOnTask(
  { domain, by }: Context,
  no: string,
  action: TaskAction,
  message: string,
): Promise<Answer> {
  const order = await findOrderByNumber(domain, no);
  if (!order) return noOrder(no);
  const ref = { merchantId: order.merchantId, orderNo: no };
  const acted = await workOnTask(domain, ref, action, by);
  return acted.ok ? done(message, { status: acted.value.status, ...taskRow(acted.value) }) : rejected(no, acted);
}

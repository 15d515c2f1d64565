import { fateOf, fromCents } from '../../fake-provider/index.ts';
import { type Context, recordOf, seconds } from './context.ts';
import { sendLinkEvent } from './events.ts';
import { type Link, makeId, type Payment } from './records.ts';

/** The payer acts by itself, as the last two digits of the amount say (fake-provider/fate.ts). */
export function startPayer(context: Context, { id, amount }: Link): void {
  const { after } = context.server;
  switch (fateOf(fromCents(amount))) {
    case 'open':
    case 'refused':
      return;
    case 'fails':
      after(2, () => attempt(context, id, 'failed'));
      after(4, () => endLink(context, id, 'expired'));
      return;
    case 'expires':
      after(2, () => endLink(context, id, 'expired'));
      return;
    case 'other_amount':
      after(2, () => payLink(context, id, amount > 100 ? amount - 100 : amount + 100));
      return;
    case 'paid_late':
      after(2, () => {
        const failed = attempt(context, id, 'failed');
        endLink(context, id, 'expired');
        if (!failed) return;
        after(2, () => move(context, failed.id, 'authorized', ['payment.authorized']));
        after(3, () => move(context, failed.id, 'captured', ['payment.captured', 'order.paid']));
      });
      return;
    case 'returned':
    case 'paid':
      after(2, () => payLink(context, id, amount));
      return;
  }
}

/** Pays an open link. */
export function payLink(context: Context, linkId: string, amount: number): void {
  const paid = attempt(context, linkId, 'captured', amount);
  const link = recordOf(context, 'link', linkId);
  if (!paid || !link) return;
  const ended: Link = { ...link, status: 'paid', amountPaid: amount };
  context.store.put(linkId, ended);
  for (const event of ['payment.captured', 'order.paid', 'payment_link.paid'])
    sendLinkEvent(context, event, ended, paid);
}

/** Ends an open link without a payment. */
export function endLink(context: Context, linkId: string, status: 'expired' | 'cancelled'): void {
  const link = recordOf(context, 'link', linkId);
  if (link?.status !== 'created') return;
  const ended: Link = { ...link, status };
  context.store.put(linkId, ended);
  sendLinkEvent(context, `payment_link.${status}`, ended);
}

function attempt(context: Context, linkId: string, status: Payment['status'], amount?: number): Payment | undefined {
  const link = recordOf(context, 'link', linkId);
  if (link?.status !== 'created') return undefined;
  const orderId = link.orderId ?? makeId('order');
  const id = makeId('pay');
  const createdAt = seconds(context);
  const payment: Payment = { type: 'payment', id, orderId, linkId, amount: amount ?? link.amount, status, createdAt };
  context.store.put(linkId, { ...link, orderId });
  context.store.put(id, payment);
  if (status === 'failed') sendLinkEvent(context, 'payment.failed', { ...link, orderId }, payment);
  return payment;
}

/** A failed payment that the bank confirms after all. The link stays as it ended. */
function move(context: Context, paymentId: string, status: Payment['status'], events: readonly string[]): void {
  const payment = recordOf(context, 'payment', paymentId);
  const link = payment && recordOf(context, 'link', payment.linkId);
  if (!payment || !link) return;
  const moved: Payment = { ...payment, status };
  context.store.put(paymentId, moved);
  const owner = status === 'captured' ? { ...link, amountPaid: payment.amount } : link;
  context.store.put(link.id, owner);
  for (const event of events) sendLinkEvent(context, event, owner, moved);
}

import { createHmac, randomUUID } from 'node:crypto';
import { type Context, seconds } from './context.ts';
import type { Link, Payment, Payout, Refund } from './records.ts';
import { viewOfLink, viewOfOrder, viewOfPayment, viewOfPayout, viewOfRefund } from './views.ts';

/** The events of a payment of a link, and of the link itself. */
export function sendLinkEvent(context: Context, event: string, link: Link, payment?: Payment): void {
  const isOfLink = event.startsWith('payment_link.');
  send(context, event, link.reference, {
    ...(isOfLink && { payment_link: viewOfLink(context, link, true) }),
    ...((isOfLink || event.startsWith('order.')) && link.orderId && { order: viewOfOrder(link) }),
    ...(payment && { payment: viewOfPayment(payment) }),
  });
}

export function sendPayoutEvent(context: Context, event: string, payout: Payout): void {
  send(context, event, payout.reference, { payout: viewOfPayout(payout) });
}

export function sendRefundEvent(context: Context, event: string, refund: Refund, payment: Payment): void {
  send(context, event, refund.receipt, { refund: viewOfRefund(refund), payment: viewOfPayment(payment) });
}

/** The body is a snapshot of now; each delivery is signed with the secret of its own time. */
function send(context: Context, event: string, about: string | null, entities: Record<string, object>): void {
  const { account, server, webhookUrl } = context;
  if (webhookUrl === undefined) return;
  const payload = Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }]));
  const body = JSON.stringify({
    entity: 'event',
    account_id: account.accountId,
    event,
    contains: Object.keys(payload),
    payload,
    created_at: seconds(context),
  });
  const id = randomUUID().replaceAll('-', '').slice(0, 14);
  const isForeign = context.foreignSignatures > 0;
  if (isForeign) context.foreignSignatures -= 1;
  server.webhooks.send({
    about: about ?? '',
    url: webhookUrl,
    write: () => {
      const ours = event.startsWith('payout.') ? account.payoutWebhookSecret : account.webhookSecret;
      const secret = isForeign ? 'the secret of another merchant' : (ours ?? '');
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'x-razorpay-signature': signature, 'x-razorpay-event-id': id };
      return { headers: { 'content-type': 'application/json', ...headers }, body };
    },
  });
}

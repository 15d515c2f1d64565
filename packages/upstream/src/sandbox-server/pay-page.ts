import { restOf } from './order-view.ts';
import type { OrderState, StoredOrder } from './state.ts';

/** A simple page on which a person plays the payer. All shown values match patterns without HTML. */
export function payPage(order: StoredOrder, state: OrderState): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sandbox payment</title>
<h1>Sandbox payment</h1>
<p>Order ${order.orderNo}: <strong>${order.amount} ${order.currency}</strong></p>
${
  state.status === 'part_paid'
    ? `<p>Left to pay: <strong>${restOf(order, state)} ${order.currency}</strong></p>
`
    : ''
}<p>Status: <output>${state.status}</output></p>
<p><button data-deed="pay">Pay</button> <button data-deed="fail">Fail</button></p>
<p>No real money moves here.</p>
<script>
for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', async () => {
    await fetch('/orders/${order.orderNo}/' + button.dataset.deed, { method: 'POST' });
    location.reload();
  });
}
</script>
</html>
`;
}

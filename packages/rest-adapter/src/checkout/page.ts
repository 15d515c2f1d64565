import { createHash } from 'node:crypto';
import type { CheckoutView, OrderStatus } from '@tidegate/domain';
import { Html, html } from './html.ts';

/** What each status means to a payer. */
const told: Record<OrderStatus, { text: string; open: boolean }> = {
  created: { text: 'Waiting for your payment', open: true },
  market_available: { text: 'Waiting for your payment', open: true },
  processing: { text: 'Waiting for your payment', open: true },
  partial_paid: { text: 'Partly paid', open: true },
  completed: { text: 'Paid', open: false },
  failed: { text: 'Failed', open: false },
  timeout: { text: 'Expired', open: false },
  cancelled: { text: 'Cancelled', open: false },
};

const style =
  ':root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem}' +
  'dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dd{margin:0}code{overflow-wrap:anywhere}';

/** Nothing is loaded, run, framed or sent anywhere; the one style is this file's. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A payin as its payer sees it. */
export function checkoutPage(view: CheckoutView): string {
  const { text, open } = told[view.status];
  const title = `Pay ${view.merchantName}`;
  const payLink = open ? webLink(view.payLink) : null;
  const returnUrl = webLink(view.returnUrl);
  return page(
    title,
    html`<h1>${title}</h1>
<dl>
<dt>Amount</dt><dd>${view.amount} ${view.currency}</dd>
${view.status === 'partial_paid' && html`<dt>Paid so far</dt><dd>${view.paidAmount} ${view.currency}</dd>`}
<dt>Status</dt><dd role="status">${text}</dd>
${open && view.expiresAt !== null && html`<dt>Pay before</dt><dd>${timeOf(view.expiresAt)}</dd>`}
<dt>Order</dt><dd>${view.orderNo}</dd>
</dl>
${open && view.payQr !== null && html`<h2>QR code content</h2><p><code>${view.payQr}</code></p>`}
${payLink && html`<p><a href="${payLink}">Go on to pay</a></p>`}
${open && html`<p><a href="">Look again whether it is paid</a></p>`}
${returnUrl && html`<p><a href="${returnUrl}">Back to ${view.merchantName}</a></p>`}`,
  );
}

/** A page that only says something. */
export function messagePage(title: string, message: string): string {
  return page(title, html`<h1>${title}</h1><p>${message}</p>`);
}

function page(title: string, main: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`.text;
}

function timeOf(unixMs: number): Html {
  const iso = new Date(unixMs).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** Null for everything but http and https: a link may come from elsewhere, and `javascript:` is one too. */
function webLink(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}

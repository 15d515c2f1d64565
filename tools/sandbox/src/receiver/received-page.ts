import { hash } from 'node:crypto';
import type { Received } from './received-log.ts';

/** The most deliveries on the page. The JSON has all that are kept. */
const SHOWN = 200;

const STYLES = `
:root { color-scheme: light dark; --page: light-dark(#fff, #0f161a); --card: light-dark(#f4f7f8, #182127); --ink: light-dark(#17232b, #e6edf0);
  --soft: light-dark(#4c5b64, #a7b6bd); --line: light-dark(#dbe3e6, #2c3940); --accent: light-dark(#0a625e, #6fd3c9);
  --right: light-dark(#11643a, #7fd8a4); --wrong: light-dark(#b42318, #f59a9a); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 1.5rem 1rem 3rem; font: 1rem/1.5 system-ui, "Noto Sans", sans-serif; color: var(--ink); background: var(--page); }
h1 { font-size: 1.6rem; margin: 0; }
p { color: var(--soft); margin: 0.4rem 0 1.2rem; overflow-wrap: anywhere; }
a { color: var(--accent); }
details { border-top: 1px solid var(--line); }
details:last-of-type { border-bottom: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 11.5rem 3.5rem 6.5rem 1fr 6.5rem 13rem; gap: 0.25rem 1rem; padding: 0.6rem 0.25rem; cursor: pointer; }
summary:hover { background: var(--card); }
summary:focus-visible { outline: 2px solid var(--accent); }
summary > span { overflow-wrap: anywhere; }
.amount { text-align: right; font-variant-numeric: tabular-nums; }
.time, .number { color: var(--soft); }
.time { white-space: nowrap; }
.verified { color: var(--right); }
.refused { color: var(--wrong); }
pre { margin: 0 0 1rem; padding: 0.8rem; border-radius: 0.4rem; background: var(--card); white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.875rem; }
@media (max-width: 56rem) { summary { grid-template-columns: 1fr 1fr; } .time, .number { grid-column: 1 / -1; } .amount { text-align: left; } }
`;

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLES, 'base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The deliveries as a page, newest first: a row for each, which unfolds to the whole message. `path` shows them again. */
export function receivedPage(deliveries: readonly Received[], path: string): string {
  const shown = deliveries.slice(-SHOWN).toReversed();
  const rest = deliveries.length > shown.length ? ` These are the last ${SHOWN} of ${deliveries.length}.` : '';
  const text =
    shown.length === 0
      ? 'No notification has come yet. Create an order, for example with <code>npm run demo</code>.'
      : `Newest first. Select a row to see the whole message.${rest}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Received notifications · Tidegate</title>
<link rel="icon" href="data:,">
<style>${STYLES}</style>
</head>
<body>
<main>
<h1>Received notifications</h1>
<p>${text} <a href="${escaped(path)}">Reload</a></p>
${shown.map(row).join('\n')}
</main>
</body>
</html>
`;
}

function row({ receivedAt, merchantNo, verified, reason, attempt, answered, headers, body, text }: Received): string {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  const of = (name: string): string => escaped(typeof fields[name] === 'string' ? fields[name] : '');
  const result = verified ? `verified, ${answered}` : `refused, ${answered}`;
  const repeat = attempt > 1 ? ` (attempt ${attempt})` : '';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const message = `${lines.join('\n')}\n\n${typeof body === 'object' && body !== null ? JSON.stringify(body, null, 2) : text}`;
  return `<details>
<summary><span class="time"><time datetime="${escaped(receivedAt)}">${escaped(receivedAt.slice(0, 19).replace('T', ' '))}</time></span>
<span>${of('orderType')}</span><span>${of('status')}</span>
<span class="number">${escaped(merchantNo)} ${of('merchantOrderNo')} ${of('orderNo')}</span>
<span class="amount">${of('amount')}</span>
<span class="${verified ? 'verified' : 'refused'}">${result}${repeat}</span></summary>
${reason === undefined ? '' : `<p class="refused">${escaped(reason)}</p>\n`}<pre>${escaped(message)}</pre>
</details>`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

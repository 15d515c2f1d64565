import { type CheckoutView, type CheckoutWords, type PayerState, payerSentencesOf } from '@tidegate/domain';
import type { Language } from './choose-language.ts';
import { drawQr } from './draw-qr.ts';
import { Html, html } from './html.ts';
import { pageScript, pageStyle } from './page-assets.ts';
import { isAsking, isOpen, isPartPaid, isPayable, markOf, stateOf } from './page-state.ts';
import { webLink } from './web-link.ts';
import { isRightToLeft, wordsOf } from './words.ts';

export interface PageParts {
  view: CheckoutView;
  /** The last part of the page's address. All its links begin with it. */
  token: string;
  language: Language;
  /** Unix milliseconds. */
  now: number;
  /** Whether the page has the buttons with which a person plays the payer. */
  isSandbox: boolean;
}

/** The look of a state: its colour, and the drawing above its text. */
const looks: Record<PayerState, { tone: string; drawing: string | null }> = {
  preparing: { tone: 'calm', drawing: null },
  waiting: { tone: 'calm', drawing: null },
  part_paid: { tone: 'warn', drawing: null },
  part_paid_no_way: { tone: 'warn', drawing: null },
  late: { tone: 'warn', drawing: 'M12 7v5l3 2' },
  paid: { tone: 'good', drawing: 'm8 12.5 3 3 5.5-6.5' },
  failed: { tone: 'bad', drawing: 'm9 9 6 6m0-6-6 6' },
  expired: { tone: 'warn', drawing: 'M12 7v5l3 2' },
  cancelled: { tone: 'bad', drawing: 'M8 12h8' },
  received_less: { tone: 'warn', drawing: 'M12 7v6m0 3v.5' },
  received_all: { tone: 'warn', drawing: 'M12 7v6m0 3v.5' },
  received_more: { tone: 'warn', drawing: 'M12 7v6m0 3v.5' },
  paid_more: { tone: 'warn', drawing: 'M12 7v6m0 3v.5' },
  sent_back: { tone: 'calm', drawing: 'M16 12H8m3-3-3 3 3 3' },
};

/** The checkout page of a payin. */
export function checkoutPage({ view, token, language, now, isSandbox }: PageParts): string {
  const words = wordsOf(language);
  const state = stateOf(view, now);
  const merchant = html`<bdi>${view.merchantName}</bdi>`;
  const { title, advice } = textsOf(view, words, state, merchant);
  const { tone, drawing } = looks[state];
  const heading = words.pay.replace('{name}', () => view.merchantName);
  const returnUrl = webLink(view.returnUrl);
  const { rest, received } = amountsOf(view, state);
  const mayChange = isOpen(view, state);
  const main = html`<main data-mark="${markOf(view, now)}" data-said="${title}"${mayChange && html` data-events="${token}/events"`}>
<h1 tabindex="-1">${filled(words.pay, { name: merchant })}</h1>
<p class="amount"><bdi>${grouped(view.money.asked)} <small>${view.currency}</small></bdi></p>
<section class="status ${tone}">
${drawing && html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="${drawing}"/></svg>`}
<h2>${title}</h2>
<p class="soft">${advice}</p>
${rest && copyButton(view, words)}
${isPayable(state) && waysToPay(view, words, token, now)}
</section>
<dl>
${received && html`<dt>${words.paidSoFar}</dt><dd>${received}</dd>`}
${rest && html`<dt>${words.rest}</dt><dd><strong>${rest}</strong></dd>`}
<dt>${words.order}</dt><dd class="number"><bdi>${view.orderNo}</bdi></dd>
${isPayable(state) && view.expiresAt !== null && html`<dt>${words.payBefore}</dt><dd>${timeOf(view.expiresAt)}</dd>`}
</dl>
${mayChange && html`<p><a href="${token}">${words.lookAgain}</a></p>`}
${returnUrl && html`<a class="button${mayChange && ' quiet'}" href="${returnUrl}" rel="noopener noreferrer">${filled(words.back, { name: merchant })}</a>`}
</main>
${isSandbox && isPayable(state) && payerButtons(token, state)}`;
  return page(language, heading, main, { renews: mayChange, script: true });
}

/** What the payer is told: the title, and the sentences below it. */
function textsOf(
  view: CheckoutView,
  { states, asking, sentences }: CheckoutWords,
  state: PayerState,
  name: Html,
): { title: string; advice: Html } {
  if (!isAsking(state)) {
    const { title, advice } = states[state];
    return { title, advice: filled(advice, { amount: amountOf(view, view.money.rest), name }) };
  }
  const told = payerSentencesOf(view.currency, view.money).map((sentence) =>
    filled(sentences[sentence.say], { name, amount: 'amount' in sentence ? amountOf(view, sentence.amount) : null }),
  );
  return { title: asking[state], advice: told.reduce((before, next) => html`${before} ${next}`) };
}

/** The amount left to pay, and the amount received so far, where they are shown. */
function amountsOf(view: CheckoutView, state: PayerState): { rest: Html | null; received: Html | null } {
  const { rest, counted, arrived } = view.money;
  if (isPartPaid(state)) return { rest: amountOf(view, rest), received: amountOf(view, counted) };
  return { rest: null, received: isAsking(state) ? amountOf(view, arrived) : null };
}

/** A page with a message only. The payer can quote `note` to support. */
export function messagePage(language: Language, which: 'notFound' | 'notAvailable', note: string | null): string {
  const { title, advice } = wordsOf(language)[which];
  const main = html`<main><h1>${title}</h1><p>${advice}</p>${note && html`<p class="soft"><bdi>${note}</bdi></p>`}</main>`;
  return page(language, title, main, { renews: false, script: false });
}

function page(language: Language, title: string, main: Html, has: { renews: boolean; script: boolean }): string {
  return html`<!doctype html>
<html lang="${language}"${isRightToLeft(language) && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${has.renews && html`<noscript><meta http-equiv="refresh" content="10"></noscript>`}
<style>${new Html(pageStyle)}</style>
</head>
<body>
${main}
${has.script && html`<p id="announcement" class="announcement" role="status"></p><script>${new Html(pageScript)}</script>`}
</body>
</html>
`.text;
}

function waysToPay(view: CheckoutView, words: CheckoutWords, token: string, now: number): Html {
  const leftMs = view.expiresAt === null ? null : String(view.expiresAt - now);
  return html`${view.payQr !== null && drawQr(view.payQr, words.qr)}${view.hasQrImage && html`<div class="qr"><img src="${token}/qr" alt="${words.qr}"></div>`}
${webLink(view.payLink) && html`<a class="button" href="${token}/pay" rel="noopener noreferrer">${words.toBank}</a>`}
${leftMs && html`<p class="left" hidden>${words.timeLeft}: <strong role="timer" dir="ltr" data-left-ms="${leftMs}"></strong></p>`}`;
}

/** Hidden until the script has checked that the browser can write to the clipboard. */
function copyButton(view: CheckoutView, words: CheckoutWords): Html {
  return html`<button class="button quiet" type="button" hidden data-copy="${view.money.rest}" data-copied="${words.copied}">${words.copyAmount}</button>`;
}

/** These buttons are for developers and testers, so they are in English on every page. */
function payerButtons(token: string, state: PayerState): Html {
  const action = (name: string, text: string) =>
    html`<button class="button quiet" formaction="${token}/sandbox/${name}">${text}</button>`;
  return html`<section class="sandbox" lang="en" dir="ltr" aria-labelledby="sandbox">
<h2 id="sandbox">Sandbox</h2>
<p class="soft">No real money moves here. Play the payer:</p>
<form method="post">${action('pay', 'Pay')}${action('pay-half', 'Pay half')}${state === 'waiting' && action('fail', 'Fail')}</form>
</section>`;
}

/** A text with each `{…}` replaced. A replacement keeps its own writing direction. */
function filled(text: string, fillings: Record<string, Html | null>): Html {
  const [first = '', ...others] = text.split('{');
  return others.reduce((before, part) => {
    const [name = '', after = ''] = part.split('}');
    return html`${before}${fillings[name] ?? null}${after}`;
  }, html`${first}`);
}

function amountOf({ currency }: CheckoutView, amount: string): Html {
  return html`<bdi>${grouped(amount)} ${currency}</bdi>`;
}

/** `1234567.00` to `1,234,567.00`. */
function grouped(amount: string): string {
  const [whole = '0', decimals = '00'] = amount.split('.');
  return `${BigInt(whole).toLocaleString('en-US')}.${decimals}`;
}

function timeOf(unixMs: number): Html {
  const iso = new Date(unixMs).toISOString();
  return html`<time dir="ltr" datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

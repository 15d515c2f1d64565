import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CheckoutView, LedgerUnavailable } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aView, type ViewChange } from '../../test/checkout-view.ts';
import { type Fixture, startFixture } from '../../test/rest-fixture.ts';
import type { RestDomain } from '../request/rest-domain.ts';

const now = 1_789_999_000_000;
const TOKEN = 'PI01aaaaaaaaaaaaaaaaaaaa';

let fixture: Fixture;
let production: Fixture;
let upstream: Server;
let played: string[] = [];
let view: CheckoutView | null | Error;
let image: Awaited<ReturnType<RestDomain['readQrImage']>> = null;
const read: string[] = [];
beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    played.push(`${request.method} ${request.url} ${await text(request)}`);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const findCheckout = async () => {
    if (view instanceof Error) throw view;
    return view;
  };
  const sandboxUpstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const readQrImage = async (token: string) => {
    read.push(token);
    return image;
  };
  const parts = { domain: { findCheckout, readQrImage }, clock: () => now, sandboxUpstreamUrl };
  [fixture, production] = await Promise.all([
    startFixture(parts),
    startFixture({ ...parts, environment: 'production' }),
  ]);
});
afterAll(async () => {
  await Promise.all([fixture.close(), production.close()]);
  upstream.close();
});

async function visit(shown: CheckoutView | null | Error, token = TOKEN, headers: Record<string, string> = {}) {
  view = shown;
  const response = await fetch(`${fixture.url}/checkout/${token}`, { headers, redirect: 'manual' });
  return { response, page: await response.text() };
}

test('the page shows the payee, the amount, the status and the ways to pay', async () => {
  const { response, page } = await visit(aView({ payQr: '000201', payLink: 'https://bank.example/pay?a=1&b=2' }));
  expect(response.status).toBe(200);
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  for (const said of [
    '<title>Pay Test Shop</title>',
    '100.50 <small>THB',
    'Waiting for your payment',
    '2026-09-21 14:13 UTC',
  ])
    expect(page).toContain(said);
  expect(page).toMatch(/<svg role="img" aria-label="QR code for your payment"/);
  expect(page).toContain('data-left-ms="1000000"');
  expect(Buffer.byteLength(page)).toBeLessThan(50_000);
});

test('the link to the bank is a redirect of the service, and the page does not name the channel', async () => {
  const open = aView({ payLink: 'https://bank.example/pay?a=1&b=2' });
  const { page } = await visit(open);
  expect(page).toContain(`href="${TOKEN}/pay"`);
  expect(page).not.toContain('bank.example');
  const { response } = await visit(open, `${TOKEN}/pay`);
  expect([response.status, response.headers.get('location')]).toEqual([303, 'https://bank.example/pay?a=1&b=2']);
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  const others = [{ payLink: null }, { payLink: 'javascript:alert(1)' }, { status: 'completed' as const }];
  for (const change of [...others, { expiresAt: now }]) {
    const { response } = await visit({ ...open, ...change }, `${TOKEN}/pay`);
    expect([change, response.headers.get('location')]).toEqual([change, `../${TOKEN}`]);
  }
});

test('a QR code that exists only as an image is served by the service, and scripts in it never run', async () => {
  const open = aView({ payLink: 'https://api.bank.example/qr.svg', hasQrImage: true });
  const { page, response: shown } = await visit(open);
  expect(page).toContain(`<img src="${TOKEN}/qr" alt="QR code for your payment">`);
  expect(page).not.toContain('bank.example');
  expect(shown.headers.get('content-security-policy')).toContain("img-src 'self'");
  expect((await visit(open, `${TOKEN}/qr`)).response.status).toBe(404);
  image = { contentType: 'image/svg+xml', bytes: Buffer.from('<svg onload="alert(1)"/>') };
  for (const _page of [1, 2]) {
    const { response, page: svg } = await visit(open, `${TOKEN}/qr`);
    expect([response.status, response.headers.get('content-type'), svg]).toEqual([
      200,
      'image/svg+xml',
      '<svg onload="alert(1)"/>',
    ]);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*; sandbox$/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
  // Once in vain, and then once for both.
  expect(read).toEqual([TOKEN, TOKEN]);
  for (const change of [{ hasQrImage: false }, { status: 'completed' as const }, { expiresAt: now }])
    expect((await visit({ ...open, ...change }, `${TOKEN}/qr`)).response.status).toBe(404);
  const drawn = await visit(aView({ payQr: '000201' }));
  expect(drawn.page).not.toContain('<img');
  // Otherwise the browser asks for an icon too.
  expect(drawn.response.headers.get('content-security-policy')).toContain("img-src 'none'");
});

test('a part payment is shown with the outstanding amount, and an ended order offers no way to pay', async () => {
  const part = await visit(aView({ status: 'partial_paid', amount: '1100.50', paidAmount: '1050.25', payQr: '0002' }));
  expect(part.page).toContain('1,050.25 THB');
  expect(part.page).toContain('Please pay the rest: <bdi>50.25 THB</bdi>');
  const way = { payQr: '000201', payLink: 'https://bank.example/', returnUrl: 'https://shop.example/back' };
  const noWay = await visit(aView({ status: 'partial_paid', amount: '1100.50', paidAmount: '1050.25' }));
  expect(noWay.page).toContain('Please transfer the rest, <bdi>50.25 THB</bdi>, to the same recipient as before.');
  expect(noWay.page).toContain('data-copy="50.25"');
  expect(noWay.page).not.toMatch(/role="img"|href="[^"]*\/pay"/);
  const ends = {
    completed: 'Paid',
    failed: 'Payment failed',
    timeout: 'Payment expired',
    cancelled: 'Payment cancelled',
  };
  for (const [status, title] of Object.entries(ends)) {
    const { page } = await visit(aView({ ...way, status: status as keyof typeof ends }));
    expect(page).toContain(`<h2>${title}</h2>`);
    expect(page).not.toMatch(/role="img"|\/pay"|Pay before|data-events|http-equiv|formaction/);
    expect(page).toContain(
      'href="https://shop.example/back" rel="noopener noreferrer">Back to <bdi>Test Shop</bdi></a>',
    );
  }
});

const held = (amount: string) => ({ payments: [{ use: 'suspense' as const, amount }], cases: [{ amount }] });
const whomToAsk = 'Please do not pay again. Ask <bdi>Test Shop</bdi> about it and give the order number.';

test.each<[string, ViewChange, string, string]>([
  [
    'expired after a part payment',
    {
      status: 'timeout',
      paidAmount: '50.25',
      payments: [{ use: 'part', amount: '50.25' }],
      cases: [{ kind: 'parts_of_unpaid', amount: '50.25' }],
    },
    'Less than the amount has arrived',
    'We received <bdi>50.25 THB</bdi>. The order asks for <bdi>100.50 THB</bdi>. We hold <bdi>50.25 THB</bdi>, which is not credited yet.',
  ],
  [
    'was paid too little',
    { ...held('99.51'), country: 'CN', currency: 'CNY' },
    'Less than the amount has arrived',
    'We received <bdi>99.51 CNY</bdi>. The order asks for <bdi>100.50 CNY</bdi>. We hold <bdi>99.51 CNY</bdi>, which is not credited yet.',
  ],
  [
    'was cancelled with money held',
    { ...held('99.51'), country: 'CN', currency: 'CNY', status: 'cancelled' },
    'Less than the amount has arrived',
    'We hold <bdi>99.51 CNY</bdi>, which is not credited yet.',
  ],
  [
    'was paid late',
    { ...held('100.50'), status: 'timeout' },
    'Your money has arrived',
    'We received <bdi>100.50 THB</bdi>. We hold <bdi>100.50 THB</bdi>, which is not credited yet.',
  ],
  [
    'is being paid back',
    { status: 'timeout', payments: [{ use: 'suspense', amount: '100.50' }], cases: [{ refundNo: 'RF1' }] },
    'Your money has arrived',
    'We received <bdi>100.50 THB</bdi>. <bdi>100.50 THB</bdi> is being sent back to you.',
  ],
])('the payer of an order that %s reads how much is held, and whom to ask', async (_, change, title, sentences) => {
  const { page } = await visit(aView({ ...change, payQr: '0002', payLink: 'https://bank.example/' }));
  expect(page).toContain(`<h2>${title}</h2>`);
  expect(page).toContain(`${sentences} ${whomToAsk}`);
  expect(page).toContain('data-events');
  expect(page).not.toMatch(/role="img"|\/pay"|order again|try again|data-copy="|Left to pay|Pay before|formaction/);
});

test('an overpaid order says that more than the amount has arrived', async () => {
  const { page } = await visit(
    aView({
      status: 'completed',
      payments: [
        { use: 'credited', amount: '100.50' },
        { use: 'suspense', amount: '20.00' },
      ],
      cases: [{ kind: 'double', amount: '20.00' }],
    }),
  );
  expect(page).toContain('<h2>Paid, and more than the amount has arrived</h2>');
  expect(page).toContain('We received <bdi>120.50 THB</bdi>. The order asks for <bdi>100.50 THB</bdi>.');
  expect(page).toContain(`We hold <bdi>20.00 THB</bdi>, which is not credited yet. ${whomToAsk}`);
});

test('money that was sent back is said to be sent back', async () => {
  const { page } = await visit(
    aView({
      status: 'cancelled',
      payments: [{ use: 'suspense', amount: '99.51' }],
      cases: [{ amount: '99.51', state: 'returned' }],
    }),
  );
  expect(page).toContain('<h2>Your money was sent back</h2>');
  expect(page).toContain(`<bdi>99.51 THB</bdi> was sent back to you. ${whomToAsk}`);
  expect(page).not.toContain('data-events');
});

test('after the expiry the page requests no payment, although the order is still open', async () => {
  const { page } = await visit(aView({ expiresAt: now, payQr: '000201' }));
  expect(page).toContain('<h2>The time to pay is over</h2>');
  expect(page).toContain('data-events');
  expect(page).not.toMatch(/role="img"|formaction/);
});

test.each([
  ['CN', 'zh-CN,zh;q=0.9,en;q=0.5', 'zh', '等待您付款'],
  ['TH', 'th', 'th', 'รอการชำระเงินของคุณ'],
  ['IN', 'fr, hi;q=0.8, en;q=0.7', 'hi', 'आपके भुगतान की प्रतीक्षा है'],
  ['PK', 'ur-PK', 'ur" dir="rtl', 'آپ کی ادائیگی کا انتظار ہے'],
  ['PK', 'ur;q=0.5, en', 'en', 'Waiting for your payment'],
  ['PK', 'th, zh', 'en', 'Waiting for your payment'],
  ['TH', 'th;q=0, *', 'en', 'Waiting for your payment'],
  ['TH', `${'x,'.repeat(5_000)}th`, 'en', 'Waiting for your payment'],
] as const)('%s with Accept-Language %s: %s', async (country, accepts, language, said) => {
  const { response, page } = await visit(aView({ country, payQr: '0002' }), TOKEN, { 'accept-language': accepts });
  expect(page).toContain(`<html lang="${language}">`);
  expect(page).toContain(`<h2>${said}</h2>`);
  expect(response.headers.get('vary')).toBe('accept-language');
});

test('in the sandbox the page has buttons that play the payer', async () => {
  const { page } = await visit(aView({ payQr: '0002' }));
  for (const [action, asked] of [
    ['pay', 'POST /orders/PI01/pay {}'],
    ['pay-half', 'POST /orders/PI01/pay {"amount":"50.25"}'],
    ['fail', 'POST /orders/PI01/fail {}'],
  ]) {
    expect(page).toContain(`formaction="${TOKEN}/sandbox/${action}"`);
    played = [];
    const response = await fetch(`${fixture.url}/checkout/${TOKEN}/sandbox/${action}`, {
      method: 'POST',
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location'), played]).toEqual([303, `../../${TOKEN}`, [asked]]);
  }
  played = [];
  const unknown = await fetch(`${fixture.url}/checkout/${TOKEN}/sandbox/refund`, { method: 'POST' });
  expect([unknown.status, played]).toEqual([404, []]);
});

test('production has no such buttons and no such actions, with any settings', async () => {
  view = aView({ payQr: '0002' });
  const response = await fetch(`${production.url}/checkout/${TOKEN}`);
  expect(await response.text()).not.toMatch(/<form|<button|formaction|Sandbox/);
  expect(response.headers.get('content-security-policy')).toContain("form-action 'none'");
  played = [];
  for (const action of ['pay', 'pay-half', 'fail']) {
    const refused = await fetch(`${production.url}/checkout/${TOKEN}/sandbox/${action}`, { method: 'POST' });
    expect(refused.status).toBe(405);
  }
  expect(played).toEqual([]);
});

test('untrusted text is escaped on the page', async () => {
  const evil = `<script>alert(1)</script>"'&`;
  const { page } = await visit(
    aView({
      merchantName: evil,
      payQr: evil,
      payLink: 'javascript:alert(1)',
      returnUrl: `https://shop.example/"><script>`,
    }),
  );
  expect(page.match(/<script|javascript:/gi)).toEqual(['<script']);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
});

test('an unknown token gets a page too, and a malformed token is not looked up', async () => {
  const { response, page } = await visit(null);
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page).toContain('Payment not found');
  expect((await visit(new Error('must not be asked'), 'a%00b')).response.status).toBe(404);
});

test('all invalid tokens get the same page', async () => {
  const page = async (token: string, shown: null | Error = new Error('must not be asked')) => {
    const { response, page } = await visit(shown, token);
    const headers = Object.fromEntries(response.headers);
    return { ...headers, 'x-request-id': '', date: '', status: response.status, page };
  };
  const wrong = await page('PI01aaaaaaaaaaaaaaaaaaaa', null);
  expect(wrong).toMatchObject({ status: 404, 'content-type': 'text/html; charset=utf-8' });
  const others = [
    'short',
    'a%00b',
    'a'.repeat(101),
    'a'.repeat(8_000),
    'PI01aaaaaaaa%zz',
    '%',
    'a/b',
    'a%2fb',
    'ä',
    '',
    '..%2f',
  ];
  for (const token of others) expect({ token, ...(await page(token)) }).toEqual({ token, ...wrong });
});

test('an internal failure shows a page with only a contact', async () => {
  const away = await visit(new LedgerUnavailable('secret detail'));
  expect([away.response.status, away.response.headers.get('retry-after')]).toEqual([503, '5']);
  const crash = await visit(new Error('secret detail'));
  expect(crash.response.status).toBe(500);
  expect(crash.page).not.toContain('secret detail');
  expect(crash.page).toContain(crash.response.headers.get('x-request-id'));
});

test('the page must not be framed, cached or indexed, and may not load anything', async () => {
  for (const { response } of [await visit(aView()), await visit(null)]) {
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
    );
  }
});

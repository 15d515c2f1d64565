import type { CheckoutView } from '@tidegate/domain';
import { SeamUnavailable } from '@tidegate/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ground, startGround } from '../../test/rest-ground.ts';

let ground: Ground;
let view: CheckoutView | null | Error;
beforeAll(async () => {
  ground = await startGround({
    domain: {
      findCheckout: async () => {
        if (view instanceof Error) throw view;
        return view;
      },
    },
  });
});
afterAll(() => ground.close());

const aView = (change: Partial<CheckoutView> = {}): CheckoutView => ({
  ...{
    orderNo: 'PI01',
    merchantName: 'Test Shop',
    country: 'TH',
    currency: 'THB',
    amount: '100.50',
    paidAmount: '0.00',
  },
  ...{ status: 'processing', payLink: null, payQr: null, expiresAt: 1_790_000_000_000, returnUrl: null },
  ...change,
});

async function visit(shown: CheckoutView | null | Error, token = 'PI01aaaaaaaaaaaaaaaaaaaa') {
  view = shown;
  const response = await fetch(`${ground.url}/checkout/${token}`);
  return { response, page: await response.text() };
}

test('shows who is paid, how much, how it stands and how to pay', async () => {
  const { response, page } = await visit(aView({ payQr: '000201', payLink: 'https://bank.example/pay?a=1&b=2' }));
  expect(response.status).toBe(200);
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  for (const text of ['Pay Test Shop', '100.50 THB', 'Waiting for your payment', '000201', '2026-09-21 14:13 UTC']) {
    expect(page).toContain(text);
  }
  expect(page).toContain('href="https://bank.example/pay?a=1&amp;b=2"');
});

test('a part paid is shown; an order that has ended cannot be paid any more', async () => {
  const part = await visit(aView({ status: 'partial_paid', paidAmount: '50.25' }));
  expect(part.page).toContain('50.25 THB');
  const paid = await visit(
    aView({
      status: 'completed',
      payQr: '000201',
      payLink: 'https://bank.example/',
      returnUrl: 'https://shop.example/back',
    }),
  );
  expect(paid.page).toMatch(/role="status">Paid</);
  expect(paid.page).not.toMatch(/000201|bank\.example|Pay before/);
  expect(paid.page).toContain('<a href="https://shop.example/back">Back to Test Shop</a>');
});

test('nothing of what others wrote becomes part of the page', async () => {
  const evil = `<script>alert(1)</script>"'&`;
  const { page } = await visit(
    aView({
      merchantName: evil,
      payQr: evil,
      payLink: 'javascript:alert(1)',
      returnUrl: `https://shop.example/"><script>`,
    }),
  );
  expect(page).not.toMatch(/<script|javascript:/i);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
});

test('an unknown token is a page too, and is not looked up where it cannot be one of ours', async () => {
  const { response, page } = await visit(null);
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page).toContain('Payment not found');
  expect((await visit(new Error('must not be asked'), 'a%00b')).response.status).toBe(404);
});

test('whatever is no token of ours gets one and the same page', async () => {
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

test('trouble is a page that tells nothing but where to ask', async () => {
  const away = await visit(new SeamUnavailable('secret detail'));
  expect([away.response.status, away.response.headers.get('retry-after')]).toEqual([503, '5']);
  const crash = await visit(new Error('secret detail'));
  expect(crash.response.status).toBe(500);
  expect(crash.page).not.toContain('secret detail');
  expect(crash.page).toContain(crash.response.headers.get('x-request-id'));
});

test('is not framed, kept, indexed or allowed to load anything', async () => {
  for (const { response } of [await visit(aView()), await visit(null)]) {
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
    );
  }
});

import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '../core/order.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, placePayin } from '../testing/payins.ts';
import { findCheckout, payUrlOf, readQrImage } from './checkout.ts';
import { findOrder, findOrderByNumber } from './find-order.ts';

let fixture: TestDomain;
let order: Order;
let neighbour: Order;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const { merchantId } = await aMerchant(fixture.domain, 'TH', 'ร้านทดสอบ');
  order = await placePayin(fixture.domain, merchantId, 'TH', { details: { returnUrl: 'https://shop.test/back' } });
  neighbour = await placePayin(fixture.domain, merchantId, 'TH', { details: { returnUrl: 'javascript:alert(1)' } });
  await fixture.domain.commit(aReport(order, { outcome: 'accepted', payQr: '0002' }));
  await fixture.domain.commit(
    aReport(order, { outcome: 'part_paid', payments: [{ reference: 'P1', amount: '40.00' }], payQr: '0003' }),
  );
});
afterAll(() => fixture.close());

const tokenOf = ({ orderNo }: Order): string => payUrlOf(fixture.domain, orderNo).split('/checkout/')[1] ?? '';

test('the token of a checkout page shows its order as the payer may see it', async () => {
  expect(payUrlOf(fixture.domain, order.orderNo)).toMatch(/^http:\/\/pay\.test\/checkout\/[A-Za-z0-9_-]{59}$/);
  expect(await findCheckout(fixture.domain, tokenOf(order))).toEqual({
    merchantId: order.merchantId,
    orderNo: order.orderNo,
    merchantName: 'ร้านทดสอบ',
    country: 'TH',
    currency: 'THB',
    money: {
      asked: '100.00',
      arrived: '40.00',
      counted: '40.00',
      rest: '60.00',
      held: '0.00',
      returning: '0.00',
      credited: '0.00',
      creditedOtherwise: '0.00',
      returned: '0.00',
      out: '0.00',
    },
    status: 'partial_paid',
    payLink: null,
    payQr: '0003',
    hasQrImage: false,
    expiresAt: order.expiresAt,
    returnUrl: 'https://shop.test/back',
  });
});

test('a payin shows what its open cases hold', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'CN');
  const payin = await placePayin(fixture.domain, merchantId, 'CN');
  const payments = [
    { reference: 'P1', amount: '99.51' },
    { reference: 'P2', amount: '30.00' },
  ];
  await fixture.domain.commit(aReport(payin, { outcome: 'part_paid', payments }));
  expect((await findCheckout(fixture.domain, tokenOf(payin)))?.money).toMatchObject({
    arrived: '129.51',
    held: '129.51',
  });
  await fixture.domain.commit(aReport(payin, { outcome: 'timed_out', reason: 'no' }));
  const by = { actor: 'ann', approver: null, reason: 'sent back' };
  const { orderNo } = payin;
  await fixture.domain.commit({ type: 'returnCase', merchantId, orderNo, caseNo: 1, by });
  expect(await findCheckout(fixture.domain, tokenOf(payin))).toMatchObject({
    status: 'cancelled',
    money: { arrived: '129.51', held: '30.00', returned: '99.51', credited: '0.00' },
  });
});

test('a changed token finds nothing, nor does a token with the MAC of another order', async () => {
  // A token is the order number and a MAC of 32 characters.
  const token = tokenOf(order);
  expect(tokenOf(neighbour).slice(-32)).not.toBe(token.slice(-32));
  const last = token.at(-1) === 'A' ? 'B' : 'A';
  for (const wrong of [
    '',
    'x',
    order.orderNo,
    token.slice(0, -1),
    `${token}A`,
    `${token.slice(0, -1)}${last}`,
    token.toLowerCase(),
    `${order.orderNo}${tokenOf(neighbour).slice(-32)}`,
    `${neighbour.orderNo}${token.slice(-32)}`,
    `PO${token.slice(2)}`,
    `${order.orderNo}${'é'.repeat(32)}`,
    `${order.orderNo}${'\u0000'.repeat(32)}`,
    '../../etc/passwd',
    `${order.orderNo}'${token.slice(-31)}`,
  ])
    expect(await findCheckout(fixture.domain, wrong)).toBeNull();
});

test('a return URL that is not a web address is not shown', async () => {
  expect(await findCheckout(fixture.domain, tokenOf(neighbour))).toMatchObject({
    orderNo: neighbour.orderNo,
    returnUrl: null,
  });
});

test('an order is found by either of its numbers, by its own merchant and kind only', async () => {
  const { domain } = fixture;
  const { merchantId, orderNo, merchantOrderNo } = order;
  const other = (await aMerchant(domain, 'TH')).merchantId;
  expect(await findOrder(domain, merchantId, 'payin', { orderNo })).toMatchObject({ orderNo, paidAmount: '40.00' });
  expect(await findOrder(domain, merchantId, 'payin', { merchantOrderNo })).toMatchObject({ orderNo });
  expect(await findOrder(domain, merchantId, 'payout', { orderNo })).toBeNull();
  expect(await findOrder(domain, other, 'payin', { orderNo })).toBeNull();
  expect(await findOrder(domain, other, 'payin', { merchantOrderNo })).toBeNull();
  expect(await findOrderByNumber(domain, orderNo)).toMatchObject({ merchantId });
  for (const unknown of ['', 'PI0', "'; --", 'PI\u0000', `${orderNo}0`])
    expect(await findOrderByNumber(domain, unknown)).toBeNull();
});

test('a QR code that exists only as an image is fetched from the channel while the payin is open', async () => {
  const { domain, channel } = fixture;
  const image = { contentType: 'image/png', bytes: Buffer.from('png') } as const;
  const requests: string[] = [];
  const { merchantId } = await aMerchant(domain, 'TH');
  const open = await placePayin(domain, merchantId, 'TH');
  const payLink = 'https://bank.test/qr.png';
  await domain.commit(aReport(open, { outcome: 'accepted', payLink }));
  const token = tokenOf(open);
  const hasImage = async () => [
    (await findCheckout(domain, token))?.hasQrImage,
    (await readQrImage(domain, token)) !== null,
  ];
  expect(await hasImage()).toEqual([false, false]);
  channel.qrImage = async (link) => {
    requests.push(link);
    return image;
  };
  expect([await hasImage(), await readQrImage(domain, token), requests]).toEqual([
    [true, true],
    image,
    [payLink, payLink],
  ]);
  // The channel gave the other payin's QR code as text, so it needs no image.
  expect([await readQrImage(domain, tokenOf(order)), await readQrImage(domain, `${token}x`)]).toEqual([null, null]);
  channel.qrImage = () => Promise.reject(new Error('bug'));
  expect(await readQrImage(domain, token)).toBeNull();
  await domain.commit(aReport(open, { outcome: 'failed', reason: 'x' }));
  expect(await hasImage()).toEqual([false, false]);
  delete channel.qrImage;
});

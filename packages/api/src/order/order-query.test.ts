import { createPayin, type Order } from '@tidegate/domain';
import { aMerchant, orderNow } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer');
});
afterAll(() => api.close());

const wholeOrder = `query ($orderNo: String!) { order(orderNo: $orderNo) {
  __typename orderNo merchantId merchantOrderNo kind country currency status amount feeAmount netAmount paidAmount
  channelId failureReason createdAt completedAt expiresAt
} }`;

const findOrder = (orderNo: string) => ask(api.url, wholeOrder, { token, variables: { orderNo } });

const iso = (ms: number) => new Date(ms).toISOString();

async function aPayin(country: 'TH' | 'IN' | 'CN' | 'PK'): Promise<Order> {
  const { merchantId } = await aMerchant(api.domain, country);
  const merchant = await api.domain.directory.merchant(merchantId);
  if (merchant === null) throw new Error('the merchant is not there');
  const request = { merchantOrderNo: 'M-1', amount: '100.00', bankCode: null, notifyUrl: null, details: {} };
  const created = await createPayin(api.domain, merchant, request);
  if (!created.ok) throw new Error(created.rejection);
  return created.value;
}

test('a payin is found by its number, with every field', async () => {
  const { merchantId, orderNo, createdAt, expiresAt } = await aPayin('TH');
  if (expiresAt === null) throw new Error('a payin expires');
  const { status, data, errors } = await findOrder(orderNo);
  expect(errors).toEqual([]);
  expect(status).toBe(200);
  expect(data?.order).toEqual({
    __typename: 'Payin',
    orderNo,
    merchantId: merchantId,
    merchantOrderNo: 'M-1',
    kind: 'PAYIN',
    country: 'TH',
    currency: 'THB',
    status: 'PROCESSING',
    amount: '100.00',
    feeAmount: '2.50',
    netAmount: '97.50',
    paidAmount: '0.00',
    channelId: 'fake',
    failureReason: null,
    completedAt: null,
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
  });
});

test('a completed payin has the paid amount and the time of completion', async () => {
  const { merchantId, orderNo } = await aPayin('IN');
  const answer = { outcome: 'paid', payments: [{ reference: 'P-1', amount: '100.00' }] } as const;
  await api.domain.commit({
    type: 'applyReport',
    ref: { merchantId, orderNo },
    channelId: 'fake',
    during: 'callback',
    answer: { ...answer, payments: [...answer.payments] },
  });
  const { data } = await findOrder(orderNo);
  expect(data?.order).toMatchObject({ status: 'COMPLETED', paidAmount: '100.00' });
  expect(data?.order).toHaveProperty('completedAt', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
});

test('a failed payin has its reason', async () => {
  api.channel.answers.create = { outcome: 'refused', reason: 'account closed' };
  const { merchantId } = await aMerchant(api.domain, 'PK');
  const merchant = await api.domain.directory.merchant(merchantId);
  if (merchant === null) throw new Error('the merchant is not there');
  const created = await createPayin(api.domain, merchant, {
    merchantOrderNo: 'M-2',
    amount: '1.00',
    bankCode: null,
    notifyUrl: null,
    details: {},
  });
  api.channel.answers.create = { outcome: 'accepted', channelRef: 'ref-1' };
  if (created.ok || created.detail === undefined) throw new Error('the channel was to refuse it');
  const { failureReason } = await orderNow(api.domain, { merchantId, orderNo: created.detail });
  expect(failureReason).toMatch(/channel/);
  const { data } = await findOrder(created.detail);
  expect(data?.order).toMatchObject({ status: 'FAILED', failureReason, completedAt: null });
});

test('a payout is returned as an implementation of Order, like a payin', async () => {
  const payin = await aPayin('PK');
  const orderNo = payin.orderNo.replace(/^PI/, 'PO');
  await api.domain.database.pool.query(
    `insert into orders (merchant_id, order_no, merchant_order_no, kind, country, currency, mode, status, amount, fee_amount, net_amount,
       paid_amount, fee_terms, channel_id, details, attempt, created_at, updated_at, batch_no)
     select merchant_id, $2, 'M-OUT', 'payout', country, currency, 'market', 'market_available', 100, 6, 106,
       0, fee_terms, channel_id, '{}', 0, created_at, created_at, batch_no from orders where merchant_id = $1`,
    [payin.merchantId, orderNo],
  );
  const { data, errors } = await findOrder(orderNo);
  expect(errors).toEqual([]);
  expect(data?.order).toMatchObject({
    __typename: 'Payout',
    kind: 'PAYOUT',
    status: 'MARKET_AVAILABLE',
    currency: 'PKR',
    amount: '100.00',
    feeAmount: '6.00',
    netAmount: '106.00',
    expiresAt: null,
  });
});

test('an unknown order is null, without an error', async () => {
  const { orderNo } = await aPayin('CN');
  const other = `${orderNo.slice(0, -1)}${orderNo.endsWith('0') ? '1' : '0'}`;
  for (const unknown of [other, 'PI1', `PO${'9'.repeat(30)}`]) {
    expect(await findOrder(unknown)).toMatchObject({ status: 200, data: { order: null }, errors: [] });
  }
});

test.each(['', 'M-1', 'PX0123', 'pi0123', 'PI', `PI${'0'.repeat(31)}`, 'PI01 23', "PI0' or 1=1"])(
  '%j is not an order number',
  async (orderNo) => {
    const { data, errors } = await findOrder(orderNo);
    expect(data).toEqual({ order: null });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining('orderNo must be PI or PO'),
      path: ['order'],
      extensions: {
        code: 'BAD_USER_INPUT',
        fields: [{ path: 'orderNo', reason: expect.stringContaining('PI or PO') }],
      },
    });
  },
);

test('a number instead of a text is refused before the database is read', async () => {
  const { errors } = await ask(api.url, wholeOrder, { token, variables: { orderNo: 12 } });
  expect(errors).toHaveLength(1);
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

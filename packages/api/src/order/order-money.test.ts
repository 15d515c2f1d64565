import type { OrderRef } from '@tidegate/domain';
import { aMerchant, placePayin } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// What operators read about the money of an order, its payments and its cases.

let api: ApiFixture;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('finance');
});
afterAll(() => api.close());

const report = ({ merchantId, orderNo }: OrderRef, answer: object) =>
  api.domain.commit({
    type: 'applyReport',
    ref: { merchantId, orderNo },
    channelId: 'fake',
    during: 'callback',
    answer: answer as never,
  });

async function read(orderNo: string): Promise<unknown> {
  const query = `{ order(orderNo: "${orderNo}") {
    money { asked arrived counted rest held returning credited creditedOtherwise returned out nextStep }
    payments { edges { node { reference use outcome } } }
    timeline(first: 50) { edges { node { ... on PaymentReceived { payment { outcome } } } } }
  } }`;
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  const { order } = data as {
    order: {
      money: object;
      payments: { edges: { node: object }[] };
      timeline: { edges: { node: { payment?: object } }[] };
    };
  };
  const told = order.timeline.edges.flatMap(({ node }) => (node.payment ? [node.payment] : []));
  return { money: order.money, payments: order.payments.edges.map(({ node }) => node), told };
}

test('money that came too late is in suspense, and credited once its case is credited', async () => {
  const { merchantId } = await aMerchant(api.domain, 'CN');
  const order = await placePayin(api.domain, merchantId, 'CN');
  const payments = [{ reference: 'P 1', amount: '120.00' }];
  await report(order, { outcome: 'timed_out', reason: 'no' });
  await report(order, { outcome: 'part_paid', payments });
  expect(await read(order.orderNo)).toMatchObject({
    money: { asked: '100.00', arrived: '120.00', held: '120.00', credited: '0.00', nextStep: 'DECIDE_CASES' },
    payments: [{ reference: 'P 1', use: 'SUSPENSE', outcome: 'HELD' }],
    told: [{ outcome: 'HELD' }],
  });
  const held = async (caseNo: number) => {
    const query = `{ moneyCase(merchantId: "${merchantId}", caseNo: ${caseNo}) { state heldAmount } }`;
    return (await ask(api.url, query, { token })).data;
  };
  expect(await held(1)).toEqual({ moneyCase: { state: 'OPEN', heldAmount: '120.00' } });
  const { orderNo } = order;
  const by = { actor: 'ann', approver: null, reason: 'found' };
  await api.domain.commit({ type: 'creditCase', merchantId, orderNo, caseNo: 1, by });
  expect(await read(order.orderNo)).toMatchObject({
    money: { arrived: '120.00', held: '20.00', credited: '100.00', nextStep: 'DECIDE_CASES' },
    payments: [{ use: 'SUSPENSE', outcome: 'CREDITED_IN_PART' }],
  });
  expect(await held(1)).toEqual({ moneyCase: { state: 'CREDITED', heldAmount: '0.00' } });
  expect(await held(2)).toEqual({ moneyCase: { state: 'OPEN', heldAmount: '20.00' } });
});

test('a refused variable names its field, in words for people', async () => {
  const query = 'query ($filter: OrderFilter) { orders(filter: $filter, first: 1) { edges { node { orderNo } } } }';
  const refused = async (filter: object) => {
    const { errors } = await ask(api.url, query, { token, variables: { filter } });
    return errors.map(({ extensions }) => extensions.fields);
  };
  expect(await refused({ countries: ['XX'] })).toEqual([
    [{ path: 'filter.countries.0', reason: 'must be one of the known values' }],
  ]);
  expect(await refused({ amountFrom: '1,500.00' })).toEqual([
    [{ path: 'filter.amountFrom', reason: 'must be an amount such as 1250.00, with at most two decimals' }],
  ]);
});

test('a payin that was paid in part says so wherever its failure is shown, and the merchant reads the reason of the contract', async () => {
  const { merchantId } = await aMerchant(api.domain, 'TH');
  const [inPart, unpaid] = [
    await placePayin(api.domain, merchantId, 'TH'),
    await placePayin(api.domain, merchantId, 'TH'),
  ];
  await report(inPart, { outcome: 'part_paid', payments: [{ reference: 'P 9', amount: '40.00' }] });
  for (const order of [inPart, unpaid]) await report(order, { outcome: 'timed_out', reason: 'no' });
  const query = `{ orders(filter: { merchantIds: ["${merchantId}"], failureReasons: ["not paid in time"] }, sortBy: CREATED_OLDEST) {
    edges { node { orderNo failure failureReason } } } }`;
  const { orders } = (await ask(api.url, query, { token })).data as { orders: { edges: { node: object }[] } };
  const failureReason = 'not paid in time';
  expect(orders.edges.map(({ node }) => node)).toEqual([
    { orderNo: inPart.orderNo, failure: 'not paid in full in time', failureReason },
    { orderNo: unpaid.orderNo, failure: failureReason, failureReason },
  ]);
});

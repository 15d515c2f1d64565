import { aFundedMerchant, placePayin, placePayout } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
let token: string;
let merchantId: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer', 'support', 'operator', 'finance');
  ({ merchantId } = await aFundedMerchant(api.domain, 'PK', '10000.00', 'market'));
});
afterAll(() => api.close());

const answered = async (query: string, variables: object = {}) => {
  const { data, errors } = await ask(api.url, query, { token, variables });
  expect(errors).toEqual([]);
  return data as Record<string, unknown>;
};

/** Every order id in an answer. */
function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { orderNo, id } = value as { orderNo?: unknown; id?: unknown };
  const own = typeof orderNo === 'string' && typeof id === 'string' ? [id] : [];
  return [...own, ...Object.values(value).flatMap(idsIn)];
}

test('an order has the same id on every path, and `node` finds it', async () => {
  const payin = await placePayin(api.domain, merchantId, 'PK', { notifyUrl: 'http://127.0.0.1:9/n' });
  const ref = { merchantId, orderNo: payin.orderNo };
  // The second payment opens a case.
  for (const reference of ['A', 'B'])
    await api.domain.commit({
      type: 'applyReport',
      ref,
      channelId: 'fake',
      during: 'callback',
      answer: { outcome: 'paid', payments: [{ reference, amount: '100.00' }] },
    });
  const query = `query ($orderNo: String!) {
    order(orderNo: $orderNo) { id orderNo ... on Payin { sameId: id } }
    orders(filter: { orderNo: $orderNo }) { edges { node { id orderNo } } }
    moneyCases(filter: { orderNo: $orderNo }) { edges { node { order { id orderNo } } } }
  }`;
  const ids = idsIn(await answered(query, ref));
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(1);
  const [id] = ids;
  expect(
    await answered('query ($id: ID!) { node(id: $id) { __typename id ... on Order { orderNo } } }', { id }),
  ).toEqual({
    node: { __typename: 'Payin', id, orderNo: payin.orderNo },
  });
  expect(await answered('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: [id] })).toEqual({
    nodes: [{ id }],
  });
});

test('a payout of the task market has the same id in every list and in the answer of a mutation', async () => {
  const { orderNo } = await placePayout(api.domain, merchantId, 'PK', { mode: 'market' });
  const query = `query ($orderNo: String!) {
    order(orderNo: $orderNo) { id orderNo }
    orders(filter: { orderNo: $orderNo }) { edges { node { id orderNo } } }
    payoutTasks { edges { node { id orderNo } } }
  }`;
  const before = idsIn(await answered(query, { orderNo }));
  const changed = idsIn(
    await answered(
      `mutation ($orderNo: String!) {
        claimPayoutTask(input: { orderNo: $orderNo }, reason: "a test") { ... on ClaimPayoutTaskPayload { order { id orderNo } } }
      }`,
      { orderNo },
    ),
  );
  expect(before).toHaveLength(3);
  expect(changed).toHaveLength(1);
  expect(new Set([...before, ...changed]).size).toBe(1);
  const [id = ''] = before;
  expect(id).not.toContain(orderNo);
  expect(await answered('query ($id: ID!) { node(id: $id) { __typename ... on Order { orderNo } } }', { id })).toEqual({
    node: { __typename: 'Payout', orderNo },
  });
});

test('an order number with the id prefix of the other order kind finds nothing', async () => {
  const { orderNo } = await placePayin(api.domain, merchantId, 'PK');
  const id = Buffer.from(`Payout:${merchantId} ${orderNo}`).toString('base64');
  expect(await answered('query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({ node: null });
});

import type { Order } from '@tidegate/domain';
import { pageOrders, readPageRequest, unrestricted } from '@tidegate/domain/lists';
import { aMerchant, placePayin } from '@tidegate/domain/testing';
import { getNamedType, isLeafType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../test/api-fixture.ts';
import { schema } from './schema.ts';

let api: ApiFixture;
let token: string;
const orders: Order[] = [];
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer');
  for (const country of ['CN', 'IN'] as const) {
    const { merchantId } = await aMerchant(api.domain, country);
    for (let i = 0; i < 3; i += 1) {
      const ref = await placePayin(api.domain, merchantId, country, { notifyUrl: 'http://127.0.0.1:9/n' });
      const answer = { outcome: 'paid' as const, payments: [{ reference: ref.orderNo, amount: '100.00' }] };
      if (i > 0)
        await api.domain.commit({
          type: 'applyReport',
          ref: { merchantId, orderNo: ref.orderNo },
          channelId: 'fake',
          during: 'query',
          answer,
        });
    }
  }
  const read = readPageRequest('orders', { first: 10 });
  if (read.ok) orders.push(...(await pageOrders(api.domain, unrestricted, {}, read.page)).rows);
});
afterAll(() => api.close());

/** The first answer of a query, interpreted, and the third one, compiled. */
async function bothWays(query: string, variables: object = {}) {
  const answers = [];
  for (let i = 0; i < 3; i += 1) {
    const { status, data, errors } = await ask(api.url, query, { token, variables });
    // Each answer has its own request id.
    answers.push({
      status,
      data,
      errors: errors.map(({ extensions, ...error }) => ({ ...error, code: extensions.code })),
    });
  }
  return { interpreted: answers[0], compiled: answers[2] };
}

const leaves = (type: string): string[] => {
  const of = schema.getType(type);
  if (!isObjectType(of)) throw new Error(`${type} is no object type`);
  return Object.values(of.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)))
    .map(({ name }) => name);
};

const cases: [name: string, query: string, variables?: object][] = [
  [
    'a page with merchants and wallets',
    '{ orders(first: 4) { edges { cursor node { __typename orderNo merchant { name wallet { balance } } } } pageInfo { hasNextPage endCursor } } }',
  ],
  [
    'a page by variables',
    'query ($n: Int!, $filter: OrderFilter) { orders(first: $n, filter: $filter) { nodes: edges { node { status createdAt } } } }',
    { n: 3, filter: { statuses: ['COMPLETED'] } },
  ],
  [
    'fragments, named and in line',
    'query { orders(first: 2) { edges { node { ...F ... on Payin { id netAmount } ... on Payout { task { claimedBy } } } } } } fragment F on Order { orderNo amount currency }',
  ],
  [
    'fields that are skipped and included',
    'query ($yes: Boolean = true) { orders(first: 1) { edges { node { orderNo @skip(if: $yes) status @include(if: $yes) } } } }',
  ],
  [
    'the same field under two names',
    '{ a: orders(first: 1) { edges { node { amount } } } b: orders(first: 1) { edges { node { feeAmount merchant { status } } } } }',
  ],
  [
    'an answer by a name that JavaScript has a use for',
    '{ __proto__: orders(first: 1) { edges { constructor: node { toString: orderNo } } } }',
  ],
  ['nothing found', '{ order(orderNo: "PI000") { orderNo } node(id: "b3JkZXI=") { id } }'],
  ['a refused argument', '{\r\n  orders(first: 1000) { edges { node { orderNo } } } }'],
  ['a field without the right', '{ orders(first: 1) { edges { node { orderNo party { name } } } } }'],
  [
    'a list of operators without the right',
    '{ operators(first: 1) { edges { node { operatorId } } } merchants(first: 1) { edges { node { name } } } }',
  ],
  [
    'a variable that does not fit',
    'query ($n: Int!) { orders(first: $n) { edges { node { orderNo } } } }',
    { n: 'many' },
  ],
  ['a variable that is missing', 'query ($n: Int!) { orders(first: $n) { edges { node { orderNo } } } }'],
  [
    'an unknown enum',
    'query ($s: [OrderStatus!]) { orders(filter: { statuses: $s }) { edges { node { orderNo } } } }',
    { s: ['GONE'] },
  ],
  [
    'a timeline and connections below a page',
    '{ orders(first: 3) { edges { node { timeline(first: 5) { edges { node { __typename } } } transfers(first: 5) { edges { node { amount } } } notifications(first: 1) { edges { node { state url } } } } } } }',
  ],
  ['one of several operations', 'query A { merchants(first: 2) { edges { node { name } } } }'],
];

test.each(cases)('a compiled query returns the same as an interpreted query: %s', async (_name, query, variables) => {
  const { interpreted, compiled } = await bothWays(query, variables);
  expect(compiled).toEqual(interpreted);
  // Compared as text too, because the fields have to be in the document's order.
  expect(JSON.stringify(compiled?.data)).toBe(JSON.stringify(interpreted?.data));
});

test.each([
  ['Payin', (field: string) => `{ orders(first: 6) { edges { node { ... on Payin { ${field} } } } } }`],
  ['Merchant', (field: string) => `{ orders(first: 6) { edges { node { merchant { ${field} } } } } }`],
  ['Wallet', (field: string) => `{ orders(first: 6) { edges { node { merchant { wallet { ${field} } } } } } }`],
])(
  'every field of %s has the same value, whether it is selected alone or with all other fields',
  async (type, queryOf) => {
    const fields = leaves(type);
    const token = await api.letIn('support');
    const whole = await ask(api.url, queryOf(fields.join(' ')), { token });
    expect(whole.errors).toEqual([]);
    const textOf = (data: unknown, field: string) =>
      [...JSON.stringify(data).matchAll(new RegExp(`"${field}":("[^"]*"|\\[[^\\]]*\\]|[^,}]*)`, 'g'))].map(String);
    for (const field of fields) {
      const alone = await ask(api.url, queryOf(field), { token });
      expect(alone.errors).toEqual([]);
      expect(textOf(alone.data, field)).toHaveLength(6);
      expect(textOf(alone.data, field)).toEqual(textOf(whole.data, field));
    }
  },
);

test('only the columns of selected fields are read from the database', async () => {
  const texts: string[] = [];
  const { pool } = api.domain.database;
  const query = pool.query.bind(pool);
  pool.query = ((...args: Parameters<typeof query>) => {
    texts.push(JSON.stringify(args[0]));
    return query(...args);
  }) as typeof pool.query;
  try {
    const { errors } = await ask(
      api.url,
      '{ orders(first: 6) { edges { node { orderNo merchant { name wallet { frozen } } } } } }',
      { token },
    );
    expect(errors).toEqual([]);
  } finally {
    pool.query = query;
  }
  const read = texts.filter((text) => /from (orders|merchant)\b/.test(text));
  expect(read).toHaveLength(1);
  expect(read[0]).toMatch(/"frozen/);
  expect(read[0]).not.toMatch(/details|fee_terms|pay_link|ip_allow_list|available/);
});

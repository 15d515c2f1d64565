import {
  aCycle,
  aDraft,
  aFundedMerchant,
  aLine,
  aMerchant,
  anImport,
  dayAgo,
  placePayin,
  placePayout,
  reconcileAll,
} from '@tidegate/domain/testing';
import { type GraphQLField, isNonNullType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';
import { connections, selectionOfOwner } from '../../test/schema-lists.ts';

let api: ApiFixture;
let token: string;
let india: string;
let order: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer', 'support', 'operator', 'finance', 'admin');
  const merchants = [
    { country: 'IN', ...(await aFundedMerchant(api.domain, 'IN')) },
    { country: 'CN', ...(await aMerchant(api.domain, 'CN')) },
  ] as const;
  india = merchants[0].merchantId;
  for (const { merchantId, country } of merchants)
    for (let n = 0; n < 3; n += 1) {
      const { orderNo } = await placePayin(api.domain, merchantId, country, { notifyUrl: 'http://127.0.0.1:9/n' });
      if (merchantId === india) order = orderNo;
      // The second payment of an order opens a case.
      for (const reference of ['A', 'B'])
        await api.domain.commit({
          type: 'applyReport',
          ref: { merchantId, orderNo },
          channelId: 'fake',
          during: 'callback',
          answer: { outcome: 'paid', payments: [{ reference: `${orderNo}${reference}`, amount: '100.00' }] },
        });
    }
  await placePayout(api.domain, india, 'IN');
  // A statement with a payment that the ledger does not have: a break.
  await anImport(api.domain, 'IN', [aLine({ currency: 'INR', bookedOn: dayAgo('IN', 2), channelRef: 'S-1' })]);
  await reconcileAll(api.domain);
  await ask(api.url, 'mutation { requestExport(input: { format: CSV, orders: {} }) { __typename } }', { token });
  await api.domain.commit({
    type: 'draftSettlement',
    merchantId: india,
    seq: 1,
    settlementNo: 'STTEST000001',
    draft: aDraft({ accountId: null, settledDays: { '': '2999-01-01' } }),
    by: { actor: 'ann', approver: null, reason: 'a test' },
  });
  await aCycle(api.domain, india);
  await api.domain.database.pool.query(
    `insert into host_health (merchant_id, host, last_attempt_at) values ($1, 'shop.test:443', clock_timestamp())`,
    [india],
  );
});
afterAll(() => api.close());

const counted = '{ totalCount totalCountIsExact edges { node { __typename } } }';
interface Counted {
  totalCount: number;
  totalCountIsExact: boolean;
  edges: { node: unknown }[];
}

/** The required filters of lists that need more than a merchant. */
const filters: Record<string, string> = { statementLines: 'country: IN, fileNo: 1', waitingDays: 'waitsFor: CLOSING' };

/** The required arguments of a list. */
function requiredOf({ name: list, args }: GraphQLField<unknown, unknown>): string {
  const names = args.filter(isRequiredArgument).map(({ name }) => name);
  const filter = filters[list] ?? `merchantId: "${india}"`;
  const values: Record<string, string> = { filter: `{ ${filter} }`, merchantId: `"${india}"` };
  return names.map((name) => `${name}: ${values[name]}`).join(' ');
}

test.each(connections)('$path: totalCount is the number of entries', async ({ owner, field }) => {
  expect(isNonNullType(field.type) || owner === 'Query').toBe(true);
  const document = `list: ${field.name}(first: 100 ${requiredOf(field)}) ${counted}`;
  const way = selectionOfOwner[owner]?.({ orderNo: order, merchantId: india }) ?? '';
  const query =
    owner === 'Query' ? `{ ${document} }` : `{ it: ${way} { ${document} } ${way.includes('edges') ? '} }' : ''} }`;
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  const found = JSON.parse(JSON.stringify(data), (key, value) =>
    key === 'it' && value?.edges ? value.edges[0].node : value,
  );
  const { totalCount, totalCountIsExact, edges } = (owner === 'Query' ? found : found.it).list as Counted;
  expect({ totalCount, totalCountIsExact }).toEqual({ totalCount: edges.length, totalCountIsExact: true });
  if (!mayBeEmpty.includes(`${owner}.${field.name}`)) expect(totalCount).toBeGreaterThan(0);
});

/** Lists without rows here. Their totals are tested in scope-of-lists.test.ts of the domain, history.test.ts, settlement.test.ts, reconciliation.test.ts and work.test.ts. */
const mayBeEmpty = [
  'Query.waitingDays',
  'Query.settlementFiles',
  'Query.approvals',
  'Query.auditFindings',
  'Query.payoutTasks',
  'Query.stuckPayouts',
  'Merchant.notes',
  'MoneyCase.notes',
  'Order.notes',
  'ReconciliationBreak.notes',
  'Channel.bankMappings',
  'Merchant.serviceKeys',
  'Query.configurationHistory',
  'Query.merchantHistory',
];

test('totalCount counts the whole filtered list, whatever the page', async () => {
  const query = `query ($after: String) {
    all: orders(first: 2, after: $after) { totalCount edges { cursor } }
    payouts: orders(first: 1, filter: { kind: PAYOUT }) { totalCount }
    none: orders(first: 1, filter: { statuses: [CANCELLED] }) { totalCount totalCountIsExact edges { cursor } }
  }`;
  const first = await ask(api.url, query, { token });
  const { all } = first.data as { all: { edges: { cursor: string }[] } };
  const second = await ask(api.url, query, { token, variables: { after: all.edges[1]?.cursor } });
  for (const { data, errors } of [first, second]) {
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ all: { totalCount: 7 }, payouts: { totalCount: 1 } });
    expect(data).toMatchObject({ none: { totalCount: 0, totalCountIsExact: true, edges: [] } });
  }
});

test('totalCount counts only entries that a restricted operator may see', async () => {
  const query = `{ orders(first: 1) { totalCount } merchants { totalCount } moneyCases { totalCount } notifications { totalCount } }`;
  for (const to of [{ countries: ['IN' as const] }, { merchantIds: [india] }]) {
    const { data, errors } = await ask(api.url, query, { token: await api.letInRestricted(to) });
    expect(errors).toEqual([]);
    const { length } = ((await ask(api.url, casesOf(india), { token })).data as { it: Counted }).it.edges;
    expect(data).toEqual({
      orders: { totalCount: 4 },
      merchants: { totalCount: 1 },
      moneyCases: { totalCount: length },
      notifications: { totalCount: 3 },
    });
  }
  const { data } = await ask(api.url, query, { token });
  expect(data).toMatchObject({ orders: { totalCount: 7 }, merchants: { totalCount: 2 } });
});

const casesOf = (merchantId: string) =>
  `{ it: moneyCases(filter: { merchantIds: ["${merchantId}"] }) { edges { cursor } } }`;

test('beyond the limit totalCount is marked as a lower bound', async () => {
  const capped = await api.serve({ maxCounted: 3 });
  const query = `{
    orders(first: 1) { totalCount totalCountIsExact }
    merchant(merchantId: "${india}") { walletEntries(first: 1) { totalCount totalCountIsExact } routes { totalCount totalCountIsExact } }
    merchants { totalCount totalCountIsExact }
  }`;
  const { data, errors } = await ask(capped, query, { token });
  expect(errors).toEqual([]);
  expect(data).toMatchObject({
    orders: { totalCount: 3, totalCountIsExact: false },
    merchant: {
      walletEntries: { totalCount: 3, totalCountIsExact: false },
      routes: { totalCountIsExact: true },
    },
    merchants: { totalCount: 2, totalCountIsExact: true },
  });
});

/** How often the database counted for this answer. */
async function countsOf(query: string): Promise<number> {
  const sent = vi.spyOn(api.domain.database.reading, 'query');
  const { errors } = await ask(api.url, query, { token });
  const texts = sent.mock.calls.map(([statement]) => JSON.stringify(statement));
  sent.mockRestore();
  expect(errors).toEqual([]);
  expect(texts.length).toBeGreaterThan(0);
  return texts.filter((text) => text.includes('count(*)')).length;
}

test.each<[string, string, number]>([
  ['nothing is counted unless it is asked for', '{ orders { edges { cursor } pageInfo { hasNextPage } } }', 0],
  ['nothing is counted for a field that is skipped', '{ orders { edges { cursor } totalCount @skip(if: true) } }', 0],
  ['a total is one statement', '{ orders { totalCount } }', 1],
  [
    'both fields, whatever they are called, are one statement',
    '{ orders { a: totalCount b: totalCount totalCountIsExact } }',
    1,
  ],
  [
    'of a page of owners one statement',
    '{ orders { edges { node { transfers(first: 1) { totalCount totalCountIsExact } } } } }',
    1,
  ],
])('%s', async (_what, query, counts) => {
  // The third time the query is compiled.
  for (let n = 0; n < 3; n += 1) expect(await countsOf(query)).toBe(counts);
});

test('totalCount has a cost, so one operation cannot select it many times', async () => {
  const query = (first: number) => `{ orders(first: ${first}) { edges { node {
    ${['payments', 'transfers', 'notifications', 'timeline'].map((list) => `${list}(first: 1) { totalCount totalCountIsExact }`).join(' ')}
  } } } }`;
  expect((await ask(api.url, query(50), { token })).errors).toEqual([]);
  const { errors } = await ask(api.url, query(100), { token });
  expect(errors).toMatchObject([
    { message: expect.stringContaining('objects, at most 5000 are allowed'), extensions: { code: 'BAD_USER_INPUT' } },
  ]);
});

import { setChannel, setRoute } from '@tidegate/domain/admin';
import { aFundedMerchant, aMerchant, placePayin } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../test/api-fixture.ts';

// Whatever is outside an operator's restriction counts as not found, in every query and mutation.

let api: ApiFixture;
let everything: string;
let mine: { merchantId: string; orderNo: string };
let other: { merchantId: string; orderNo: string };
const restricted: Record<string, string> = {};
beforeAll(async () => {
  api = await openApiFixture();
  const make = async (country: 'CN' | 'IN') => {
    const { merchantId } =
      country === 'IN' ? await aFundedMerchant(api.domain, 'IN') : await aMerchant(api.domain, 'CN');
    const { orderNo } = await placePayin(api.domain, merchantId, country, { notifyUrl: 'http://127.0.0.1:9/n' });
    // The second payment of an order opens a case.
    for (const reference of ['A', 'B'])
      await api.domain.commit({
        type: 'applyReport',
        ref: { merchantId, orderNo },
        channelId: 'fake',
        during: 'callback',
        answer: { outcome: 'paid', payments: [{ reference, amount: '100.00' }] },
      });
    return { merchantId, orderNo };
  };
  mine = await make('IN');
  other = await make('CN');
  everything = await api.letIn('viewer', 'support', 'operator', 'finance');
  restricted['to a merchant'] = await api.letInRestricted({ merchantIds: [mine.merchantId] });
  restricted['to a country'] = await api.letInRestricted({ countries: ['IN'] });
  restricted['to both'] = await api.letInRestricted({
    countries: ['IN'],
    merchantIds: [mine.merchantId, other.merchantId],
  });
});
afterAll(() => api.close());

const ways = ['to a merchant', 'to a country', 'to both'];
const globalId = (type: string, key: string) => Buffer.from(`${type}:${key}`).toString('base64');
const answerTo = async (token: string | undefined, query: string) => {
  const { data, errors } = await ask(api.url, query, { token: token ?? '' });
  expect(errors).toEqual([]);
  return data;
};

/** Every list, and the owner of each entry. */
const lists: [name: string, query: string][] = [
  ['orders', '{ list: orders { edges { node { merchantId } } } }'],
  ['merchants', '{ list: merchants { edges { node { merchantId } } } }'],
  ['cases', '{ list: moneyCases { edges { node { merchantId } } } }'],
  ['notifications', '{ list: notifications { edges { node { merchantId } } } }'],
  ['the audit log', '{ list: auditLog { edges { node { merchantId } } } }'],
];

test.each(lists)('%s: a restricted operator gets only entries within the restriction', async (_name, query) => {
  const merchantsOf = async (token: string | undefined): Promise<string[]> => {
    const { list } = (await answerTo(token, query)) as { list: { edges: { node: { merchantId: string } }[] } };
    return [...new Set(list.edges.map(({ node }) => node.merchantId))].sort();
  };
  const all = await merchantsOf(everything);
  expect(all).toContain(mine.merchantId);
  if (query.includes('auditLog')) expect(all.length).toBeGreaterThanOrEqual(1);
  else expect(all).toContain(other.merchantId);
  for (const way of ways) expect([way, await merchantsOf(restricted[way])]).toEqual([way, [mine.merchantId]]);
});

const things: [name: string, query: (of: { merchantId: string; orderNo: string }) => string][] = [
  ['an order by its number', ({ orderNo }) => `{ it: order(orderNo: "${orderNo}") { merchantId } }`],
  ['a merchant by its number', ({ merchantId }) => `{ it: merchant(merchantId: "${merchantId}") { merchantId } }`],
  ...(['Merchant', 'Wallet'] as const).map((type): (typeof things)[number] => [
    `a ${type} by its global id`,
    ({ merchantId }) => `{ it: node(id: "${globalId(type, merchantId)}") { ... on ${type} { merchantId } } }`,
  ]),
  [
    'a Payin by its global id',
    ({ merchantId, orderNo }) =>
      `{ it: node(id: "${globalId('Payin', `${merchantId} ${orderNo}`)}") { ... on Payin { merchantId } } }`,
  ],
  [
    'a MoneyCase by its global id',
    ({ merchantId }) =>
      `{ it: node(id: "${globalId('MoneyCase', `${merchantId} 1`)}") { ... on MoneyCase { merchantId } } }`,
  ],
  [
    'a Notification by its global id',
    ({ merchantId, orderNo }) =>
      `{ it: node(id: "${globalId('Notification', `${merchantId} ${orderNo} completed`)}") { ... on Notification { merchantId } } }`,
  ],
];

test.each(things)('%s: the answer is null outside of the restriction', async (_name, query) => {
  expect(await answerTo(everything, query(other))).toEqual({ it: { merchantId: other.merchantId } });
  for (const way of ways) {
    expect([way, await answerTo(restricted[way], query(mine))]).toEqual([way, { it: { merchantId: mine.merchantId } }]);
    expect([way, await answerTo(restricted[way], query(other))]).toEqual([way, { it: null }]);
  }
});

test('figures and balances count only rows within the restriction', async () => {
  const from = new Date(Date.now() - 86_400_000).toISOString();
  const to = new Date(Date.now() + 86_400_000).toISOString();
  const query = `{
    figures(input: { from: "${from}", to: "${to}", grain: DAY, by: [MERCHANT] }) { groups { merchantId } }
    accountBalances(byMerchant: true) { merchantId }
  }`;
  for (const way of ways) {
    const { figures, accountBalances } = (await answerTo(restricted[way], query)) as {
      figures: { groups: { merchantId: string }[] };
      accountBalances: { merchantId: string }[];
    };
    expect(figures.groups).toEqual([{ merchantId: mine.merchantId }]);
    expect(new Set(accountBalances.map(({ merchantId }) => merchantId))).toEqual(new Set([mine.merchantId]));
  }
  const { figures } = (await answerTo(everything, query)) as { figures: { groups: unknown[] } };
  expect(figures.groups).toHaveLength(2);
});

const changes: [name: string, mutation: (of: { merchantId: string; orderNo: string }) => string, reason: string][] = [
  [
    'cancelOrder',
    ({ orderNo }) => `cancelOrder(input: { orderNo: "${orderNo}" }, reason: "a test")`,
    'ORDER_NOT_FOUND',
  ],
  [
    'refreshOrder',
    ({ orderNo }) => `refreshOrder(input: { orderNo: "${orderNo}" }, reason: "a test")`,
    'ORDER_NOT_FOUND',
  ],
  [
    'topUpWallet',
    ({ merchantId }) =>
      `topUpWallet(input: { merchantId: "${merchantId}", bookingNo: "T1", amount: "1.00", remark: "a test" }, reason: "a test")`,
    'MERCHANT_NOT_FOUND',
  ],
  [
    'creditCase',
    ({ merchantId }) => `creditCase(input: { merchantId: "${merchantId}", caseNo: 1 }, reason: "a test")`,
    'CASE_NOT_FOUND',
  ],
];

test.each(changes)('%s: the answer is "not found" outside of the restriction', async (_name, mutation, reason) => {
  for (const way of ways) {
    const query = `mutation { it: ${mutation(other)} { __typename ... on Problem { reason } } }`;
    expect([way, await answerTo(restricted[way], query)]).toEqual([way, { it: { __typename: 'NotFound', reason } }]);
  }
});

test('restricted operators see the channels of their routes without addresses', async () => {
  const route = { kind: 'payin', mode: 'manual' } as const;
  for (const [channelId, { merchantId }] of [
    ['ours', mine],
    ['theirs', other],
  ] as const) {
    await setChannel(api.domain, {
      channelId,
      adapter: 'manual',
      baseUrl: `http://${channelId}.test`,
      credentials: {},
    });
    await setRoute(api.domain, merchantId, 9, { ...route, channelId });
  }
  const query = '{ channels { edges { node { channelId baseUrl } } } }';
  const channelsOf = async (token: string | undefined) => {
    const { channels } = (await answerTo(token, query)) as { channels: { edges: { node: { channelId: string } }[] } };
    return channels.edges.map(({ node }) => node);
  };
  const ours = { channelId: 'ours', baseUrl: null };
  expect(await channelsOf(everything)).toContainEqual({ channelId: 'theirs', baseUrl: 'http://theirs.test' });
  for (const way of ways) {
    const seen = await channelsOf(restricted[way]);
    expect([way, seen.filter(({ channelId }) => channelId !== 'fake')]).toEqual([way, [ours]]);
    const byId = (channelId: string) => `{ it: node(id: "${globalId('Channel', channelId)}") { __typename } }`;
    expect(await answerTo(restricted[way], byId('ours'))).toEqual({ it: { __typename: 'Channel' } });
    expect(await answerTo(restricted[way], byId('theirs'))).toEqual({ it: null });
    const byName = (channelId: string) => `{ channel(channelId: "${channelId}") { channelId baseUrl } }`;
    expect(await answerTo(restricted[way], byName('ours'))).toEqual({ channel: ours });
    expect(await answerTo(restricted[way], byName('theirs'))).toEqual({ channel: null });
  }
});

test('the service keys of a merchant are visible to operators of that merchant, without their private part', async () => {
  const keys =
    '{ merchants { edges { node { merchantId serviceKeys { edges { node { keyId publicKeyPem endsAt } } } } } } }';
  const seen = async (token: string | undefined) => {
    const { merchants } = (await answerTo(token, keys)) as {
      merchants: { edges: { node: { merchantId: string; serviceKeys: { edges: { node: object }[] } } }[] };
    };
    return Object.fromEntries(merchants.edges.map(({ node }) => [node.merchantId, node.serviceKeys.edges]));
  };
  const keyOf = ({ merchantId }: { merchantId: string }) => ({
    keyId: expect.stringMatching(new RegExp(`^${merchantId}[.][A-Za-z0-9_-]{22}$`)),
    publicKeyPem: expect.stringContaining('BEGIN PUBLIC KEY'),
    endsAt: null,
  });
  expect(await seen(everything)).toMatchObject({
    [mine.merchantId]: [{ node: keyOf(mine) }],
    [other.merchantId]: [{ node: keyOf(other) }],
  });
  for (const way of ways) expect(await seen(restricted[way])).toEqual({ [mine.merchantId]: [{ node: keyOf(mine) }] });
});

test("admins see an operator's tokens without their secret part", async () => {
  const admin = await api.letIn('admin');
  const query =
    '{ operators(first: 100) { edges { node { operatorId tokens(first: 5) { edges { node { tokenId expiresAt revokedAt } } } } } } }';
  const { operators } = (await answerTo(admin, query)) as {
    operators: { edges: { node: { tokens: { edges: object[] } } }[] };
  };
  const one = { tokenId: expect.stringMatching(/^[0-9a-f]{12}$/), expiresAt: null, revokedAt: null };
  for (const { node } of operators.edges) expect(node.tokens.edges).toEqual([{ node: one }]);
  expect(operators.edges.length).toBeGreaterThan(3);
});

test('an operator is found by id, by admins only', async () => {
  const query = (id: string) => `{ operator(operatorId: "${id}") { operatorId } }`;
  const admin = await api.letIn('admin');
  const { operators } = (await answerTo(admin, '{ operators(first: 1) { edges { node { operatorId } } } }')) as {
    operators: { edges: { node: { operatorId: string } }[] };
  };
  const operatorId = operators.edges[0]?.node.operatorId ?? '';
  expect(await answerTo(admin, query(operatorId))).toEqual({ operator: { operatorId } });
  expect(await answerTo(admin, query('no-such-operator'))).toEqual({ operator: null });
  for (const token of [await api.letIn('support'), ...ways.map((way) => restricted[way] ?? '')]) {
    const { errors } = await ask(api.url, query(operatorId), { token });
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  }
});

test('viewers see no personal data', async () => {
  const viewer = await api.letIn('viewer');
  const query = `{ order(orderNo: "${mine.orderNo}") { orderNo party { name } ... on Payin { checkoutUrl } } }`;
  const { data, errors } = await ask(api.url, query, { token: viewer });
  expect(data).toEqual({ order: { orderNo: mine.orderNo, party: null, checkoutUrl: null } });
  expect(errors).toMatchObject([
    { path: ['order', 'party'], extensions: { code: 'FORBIDDEN' } },
    { path: ['order', 'checkoutUrl'], extensions: { code: 'FORBIDDEN' } },
  ]);
});

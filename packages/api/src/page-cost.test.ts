import { setChannel } from '@tidegate/domain/admin';
import { aLine, aMerchant, anImport, dayAgo, placePayin, reconcileAll } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../test/api-fixture.ts';
import { connections, isInNoList, listOfOwners } from '../test/schema-lists.ts';

let api: ApiFixture;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer', 'admin');
  for (let n = 0; n < 2; n++) await api.letIn('viewer');
  for (const channelId of ['one', 'two'])
    await setChannel(api.domain, { channelId, adapter: 'market', baseUrl: '', credentials: {} });
  for (let m = 0; m < 6; m++) {
    const { merchantId } = await aMerchant(api.domain, 'CN');
    for (let i = 0; i < 10; i++) {
      const { orderNo } = await placePayin(api.domain, merchantId, 'CN', { notifyUrl: 'http://127.0.0.1:9/n' });
      await api.domain.commit({
        type: 'applyReport',
        ref: { merchantId, orderNo },
        channelId: 'fake',
        during: 'callback',
        answer: { outcome: 'paid', payments: [{ reference: orderNo, amount: '100.00' }] },
      });
      if (i > 0) continue;
      // Paid twice: a case.
      await api.domain.commit({
        type: 'applyReport',
        ref: { merchantId, orderNo },
        channelId: 'fake',
        during: 'callback',
        answer: { outcome: 'paid', payments: [{ reference: `${orderNo}-2`, amount: '100.00' }] },
      });
    }
  }
  // Payments that the ledger does not have: a break each.
  const line = { currency: 'CNY', bookedOn: dayAgo('CN', 2) };
  await anImport(
    api.domain,
    'CN',
    ['S-1', 'S-2', 'S-3'].map((channelRef) => aLine({ ...line, channelRef })),
  );
  await reconcileAll(api.domain);
});
afterAll(() => api.close());

const query = `query Page($first: Int!) {
  orders(first: $first) {
    edges { node { orderNo status channel { channelId } merchant { name wallet { available frozen } } lastNotification { state attempts { attempt } } } }
    pageInfo { hasNextPage endCursor }
  }
}`;

/** Periodic reads of tokens and changed settings, which do not belong to an answer. */
const nowAndThen = /t\.token_hash = any|configuration_change|set last_used_at = |changed_at >/;

/** The statements sent for the answer of a page of this size, and the page's entries. */
async function statementsOf(first: number, document = query): Promise<{ statements: string[]; rows: unknown[] }> {
  const sent = vi.spyOn(api.domain.database.pool, 'query');
  const { data, errors } = await ask(api.url, document, { token, variables: { first } });
  const texts = sent.mock.calls.map(([statement]) => JSON.stringify(statement));
  const statements = texts.filter((text) => !nowAndThen.test(text));
  sent.mockRestore();
  expect(errors).toEqual([]);
  const [list] = Object.values(data ?? {}) as { edges: unknown[] }[];
  return { statements, rows: list?.edges ?? [] };
}

test('a page of 50 orders with merchants, wallets and notifications costs as many statements as a page of 2', async () => {
  await statementsOf(1);
  const few = await statementsOf(2);
  const many = await statementsOf(50);
  expect(few.rows).toHaveLength(2);
  expect(many.rows).toHaveLength(50);
  // One each for orders, merchants, wallets, channels, last notifications, their attempts.
  expect(few.statements).toHaveLength(6);
  expect(many.statements).toHaveLength(6);
  expect(many.rows[0]).toMatchObject({
    node: {
      status: 'COMPLETED',
      channel: { channelId: 'fake' },
      merchant: { wallet: { available: '975.00', frozen: '0.00' } },
      lastNotification: { state: 'PENDING', attempts: [] },
    },
  });
});

const ownedLists = connections.filter(({ owner }) => !isInNoList(owner)).map(({ path }) => path);

test.each(ownedLists)('%s of all entries of a page are read by one statement', async (owned) => {
  const [owner = '', field] = owned.split('.');
  const list = listOfOwners[owner];
  const entry = '{ edges { node { __typename } } }';
  const query = `query Page($first: Int!) { ${list}(first: $first) { edges { node { ${field}(first: 5) ${entry} } } } }`;
  await statementsOf(1, query);
  const [few, many] = [await statementsOf(1, query), await statementsOf(50, query)];
  expect(many.rows.length).toBeGreaterThan(2);
  // One for the page, one for all lists. A short page needs another one, for the end of its search.
  expect(few.statements).toHaveLength(2);
  expect(many.statements.length, many.statements.join('\n')).toBeLessThanOrEqual(3);
});

test('two aliases of one list with different sizes are two pages, also of the same owner', async () => {
  const query = `{ orders(first: 2) { edges { node { a: transfers(first: 1) { edges { cursor } } b: transfers(first: 2) { edges { cursor } } } } } }`;
  const answer = await ask(api.url, query, { token });
  const data = answer.data ?? {};
  const { edges } = data.orders as { edges: { node: { a: { edges: unknown[] }; b: { edges: unknown[] } } }[] };
  expect(edges.map(({ node }) => [node.a.edges.length, node.b.edges.length])).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

const timeline = 'timeline(first: $n) { edges { node { at } } }';
test.each([
  ['given', `query q($n: Int) { orders(first: $n) { edges { node { ${timeline} } } } }`, { n: 100 }],
  ['by default', `query q($n: Int = 100) { orders(first: $n) { edges { node { ${timeline} } } } }`, {}],
  [
    'of figures',
    `{ ${['a', 'b', 'c'].map((one) => `${one}: figures(input: { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", grain: DAY }) { groups { orders } }`).join(' ')} }`,
    {},
  ],
])(
  'an answer that could be too big is refused before the database is read: sizes %s',
  async (_what, dear, variables) => {
    const { errors } = await ask(api.url, dear, { token, variables });
    expect(errors).toMatchObject([
      { message: expect.stringContaining('objects, at most 5000 are allowed'), extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  },
);

test('a document with a page size as variable is measured for each value, also within a fragment', async () => {
  const query = `query q($n: Int) { orders(first: 100) { edges { node { ...f } } } } fragment f on Order { ${timeline} }`;
  const refused = async (n: number): Promise<boolean> =>
    (await ask(api.url, query, { token, variables: { n } })).errors.length > 0;
  const sizes = [1, 100, 1, 100];
  const answers: boolean[] = [];
  for (const n of sizes) answers.push(await refused(n));
  expect(answers).toEqual([false, true, false, true]);
});

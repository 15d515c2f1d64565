import { aFundedMerchant, aMerchant, makeFindable, placePayin, placePayout } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// The search of the orders list as the console asks for it.

let api: ApiFixture;
let support: string;
let viewer: string;
let thai: string;
let indian: string;
const placed: Record<'paid' | 'failed' | 'payout' | 'other', string> = { paid: '', failed: '', payout: '', other: '' };
beforeAll(async () => {
  api = await openApiFixture();
  support = await api.letIn('support');
  viewer = await api.letIn('viewer');
  ({ merchantId: thai } = await aMerchant(api.domain, 'TH'));
  ({ merchantId: indian } = await aFundedMerchant(api.domain, 'IN'));
  const party = (name: string, account: string, mobile: string) => ({ details: { party: { name, account, mobile } } });
  const notifyUrl = 'http://127.0.0.1:9/n';
  const paid = await placePayin(api.domain, thai, 'TH', {
    merchantOrderNo: 'SHOP-1001',
    bankCode: 'QR',
    amount: '100.00',
    notifyUrl,
    ...party('Somchai Jaidee', '123-4-56789-0', '081 234 5678'),
  });
  const failed = await placePayin(api.domain, thai, 'TH', {
    merchantOrderNo: 'SHOP-1002',
    amount: '200.00',
    notifyUrl: null,
    ...party('Asha Rao', '50100234567890', '+919812345678'),
  });
  const payout = await placePayout(api.domain, indian, 'IN', {
    merchantOrderNo: 'OUT-1',
    amount: '300.00',
    notifyUrl: null,
    ...party('Ali Khan', '50100234567890', '9812345678'),
  });
  const other = await placePayin(api.domain, indian, 'IN', {
    merchantOrderNo: 'SHOP-1001',
    amount: '50.00',
    notifyUrl: null,
  });
  const report = { type: 'applyReport', channelId: 'fake', during: 'query' } as const;
  const paidAnswer = { outcome: 'paid', payments: [{ reference: 'UTR100200300', amount: '100.00' }] } as const;
  await api.domain.commit({ ...report, ref: paid, answer: { ...paidAnswer, payments: [...paidAnswer.payments] } });
  await api.domain.commit({ ...report, ref: failed, answer: { outcome: 'failed', reason: 'closed' } });
  await api.domain.database.pool.query(`update orders set channel_ref = 'CH-77' where order_no = $1`, [payout.orderNo]);
  await makeFindable(api.domain);
  Object.assign(placed, { paid: paid.orderNo, failed: failed.orderNo, payout: payout.orderNo, other: other.orderNo });
});
afterAll(() => api.close());

const document = `query Search($filter: OrderFilter, $sortBy: OrderSort, $first: Int, $last: Int, $after: String, $before: String) {
  orders(filter: $filter, sortBy: $sortBy, first: $first, last: $last, after: $after, before: $before) {
    edges { node { orderNo } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    totalCount totalCountIsExact
  }
}`;

interface Found {
  edges: { node: { orderNo: string } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount: number;
  totalCountIsExact: boolean;
}

async function search(variables: object, token = support): Promise<Found> {
  const { data, errors } = await ask(api.url, document, { token, variables });
  expect(errors).toEqual([]);
  return data?.orders as Found;
}

/** Names of the placed orders that are found. */
async function found(filter: object, token = support): Promise<string[]> {
  const { edges, totalCount, totalCountIsExact } = await search({ filter }, token);
  expect([totalCount, totalCountIsExact]).toEqual([edges.length, true]);
  const names = Object.entries(placed);
  return edges.map(({ node }) => names.find(([, orderNo]) => orderNo === node.orderNo)?.[0] ?? node.orderNo);
}

const filters: [filter: () => object, found: string[]][] = [
  [() => ({ orderNo: placed.paid }), ['paid']],
  [() => ({ orderNoStartsWith: placed.payout.slice(0, 20) }), ['payout']],
  [() => ({ merchantOrderNo: 'SHOP-1001' }), ['other', 'paid']],
  [() => ({ merchantOrderNoStartsWith: 'SHOP-100' }), ['other', 'failed', 'paid']],
  [() => ({ channelRef: 'CH-77' }), ['payout']],
  [() => ({ bankReference: 'utr100200300' }), ['paid']],
  [() => ({ account: '50100-234567890' }), ['payout', 'failed']],
  [() => ({ phone: '098123 45678' }), ['payout', 'failed']],
  [() => ({ partyName: 'asha' }), ['failed']],
  [() => ({ partyName: 'KHAN' }), ['payout']],
  [() => ({ bankCodes: ['QR'] }), ['paid']],
  [() => ({ failureReasons: ['payment failed'] }), ['failed']],
  [() => ({ notificationStates: ['PENDING'] }), ['paid']],
  [() => ({ notificationStates: ['EXHAUSTED'] }), []],
  [() => ({ completedFrom: '2020-01-01T00:00:00Z' }), ['paid']],
  [() => ({ completedTo: '2020-01-01T00:00:00Z' }), []],
  [() => ({ createdFrom: '2020-01-01T00:00:00Z', statuses: ['FAILED'] }), ['failed']],
  [() => ({ currencies: ['INR'] }), ['other', 'payout']],
  [() => ({ countries: ['TH'], statuses: ['COMPLETED'] }), ['paid']],
  [() => ({ merchantIds: [indian], kind: 'PAYIN' }), ['other']],
  [() => ({ amountFrom: '100', amountTo: '200' }), ['failed', 'paid']],
  [() => ({ channelIds: ['fake'], account: '50100234567890', kind: 'PAYOUT' }), ['payout']],
  [() => ({ search: placed.paid.toLowerCase() }), ['paid']],
  [() => ({ search: 'SHOP-1001' }), ['other', 'paid']],
  [() => ({ search: 'CH-77' }), ['payout']],
  [() => ({ search: 'UTR100200300' }), ['paid']],
  [() => ({ search: '1234567890' }), ['paid']],
  [() => ({ search: '+66 81 234 5678' }), ['paid']],
  [() => ({ search: 'jaidee', statuses: ['COMPLETED'] }), ['paid']],
  [() => ({ search: 'jaidee', statuses: ['FAILED'] }), []],
];

test('each part of the filter finds the expected orders', async () => {
  for (const [filter, expected] of filters) expect([filter(), await found(filter())]).toEqual([filter(), expected]);
});

test('without a role for personal data a search by account, phone or name is refused or finds nothing', async () => {
  for (const part of ['account', 'phone', 'partyName']) {
    const variables = { filter: { [part]: '50100234567890' } };
    const { data, errors } = await ask(api.url, document, { token: viewer, variables });
    expect(data).toEqual({ orders: null });
    expect(errors[0]?.extensions.code).toBe('FORBIDDEN');
    expect(errors[0]?.message).toContain(`filter.${part}`);
  }
  for (const search of ['50100234567890', '+919812345678', 'Asha Rao'])
    expect([search, await found({ search }, viewer)]).toEqual([search, []]);
  expect(await found({ search: 'SHOP-1002' }, viewer)).toEqual(['failed']);
});

test('an operator restricted to a merchant or country finds nothing of others, whatever they search by', async () => {
  const ofMerchant = await api.letInRestricted({ merchantIds: [thai] });
  const ofCountry = await api.letInRestricted({ countries: ['TH'] });
  for (const token of [ofMerchant, ofCountry])
    for (const [filter, expected] of filters)
      expect([filter(), await found(filter(), token)]).toEqual([
        filter(),
        expected.filter((name) => name === 'paid' || name === 'failed'),
      ]);
});

const sorted: [sortBy: string, found: string[]][] = [
  ['CREATED_NEWEST', ['other', 'payout', 'failed', 'paid']],
  ['CREATED_OLDEST', ['paid', 'failed', 'payout', 'other']],
  ['COMPLETED_NEWEST', ['paid']],
  ['COMPLETED_OLDEST', ['paid']],
  ['AMOUNT_LARGEST', ['payout', 'failed', 'paid', 'other']],
  ['AMOUNT_SMALLEST', ['other', 'paid', 'failed', 'payout']],
];

test.each(sorted)('%s: the pages are correct in both directions', async (sortBy, expected) => {
  const orderNos = expected.map((name) => placed[name as keyof typeof placed]);
  const seen: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < 6; page += 1) {
    const { edges, pageInfo }: Found = await search({ sortBy, first: 1, after });
    seen.push(...edges.map(({ node }) => node.orderNo));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  expect(seen).toEqual(orderNos);
  const { edges } = await search({ sortBy, last: 2 });
  expect(edges.map(({ node }) => node.orderNo)).toEqual(orderNos.slice(-2));
});

test('a cursor of one sort order is refused in another', async () => {
  const { pageInfo } = await search({ sortBy: 'AMOUNT_LARGEST', first: 1 });
  const variables = { sortBy: 'CREATED_NEWEST', first: 1, after: pageInfo.endCursor };
  const { errors } = await ask(api.url, document, { token: support, variables });
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

test('an export reads pages of 500', async () => {
  const exported =
    'query Export($first: Int!) { orders(first: $first) { edges { node { orderNo merchantOrderNo amount } } } }';
  const { data } = await ask(api.url, exported, { token: support, variables: { first: 500 } });
  expect(data).toMatchObject({ orders: { edges: { length: 4 } } });
  const { errors } = await ask(api.url, exported, { token: support, variables: { first: 501 } });
  expect(errors[0]?.message).toContain('first must be a whole number from 1 to 500');
});

test('a page that reached its limit of read orders says where it stopped, and the next pages reach the end', async () => {
  // Thousands of orders with both beginnings, and more of later creation with only one. Only what finds them is written.
  await api.domain.database.pool.query(
    `insert into order_search (merchant_id, order_no, merchant_order_no, created_at)
     select $1, 'PI0' || n, case when n > 9000 then 'WANTED-' else 'OTHER-' end || n, timestamptz '2020-01-01' - n * interval '1 second'
     from generate_series(1, 14000) n`,
    [thai],
  );
  const searched = `query Search($filter: OrderFilter, $after: String) {
    orders(filter: $filter, first: 5, after: $after) {
      edges { node { orderNo } }
      pageInfo { hasNextPage endCursor }
      searchedUntil searchedUntilAmount
    }
  }`;
  const read = async (filter: object, after: string | null) => {
    const { data, errors } = await ask(api.url, searched, { token: support, variables: { filter, after } });
    expect(errors).toEqual([]);
    return data?.orders as Found & { searchedUntil: string | null; searchedUntilAmount: string | null };
  };
  const wanted = { merchantOrderNoStartsWith: 'WANTED-', orderNoStartsWith: 'PI0' };
  const first = await read(wanted, null);
  expect(first).toMatchObject({ edges: [], pageInfo: { hasNextPage: true }, searchedUntilAmount: null });
  expect(Date.parse(first.searchedUntil ?? '')).toBeLessThan(Date.parse('2020-01-01T00:00:00Z'));
  const next = await read(wanted, first.pageInfo.endCursor);
  expect(next.searchedUntil).toBeNull();
  expect((await read({ merchantOrderNo: 'SHOP-1002' }, null)).searchedUntil).toBeNull();
});

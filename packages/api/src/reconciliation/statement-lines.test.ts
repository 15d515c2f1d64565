import { aFundedMerchant, aLine, anImport, dayAgo, placePayin, reconcileAll } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// The lines of a statement, and what explains them, as operators read them.

const bookedOn = dayAgo('PK', 1);
let api: ApiFixture;
let orderNo: string;
beforeAll(async () => {
  api = await openApiFixture();
  const { merchantId } = await aFundedMerchant(api.domain, 'PK');
  ({ orderNo } = await placePayin(api.domain, merchantId, 'PK'));
  await api.domain.commit({
    type: 'applyReport',
    ref: { merchantId, orderNo },
    channelId: 'fake',
    during: 'callback',
    answer: { outcome: 'paid', payments: [{ reference: 'M-1', amount: '100.00' }] },
  });
  const lines = ['M-1', 'M-2'].map((channelRef) => aLine({ currency: 'PKR', bookedOn, channelRef }));
  await anImport(api.domain, 'PK', lines);
  await reconcileAll(api.domain);
});
afterAll(() => api.close());

async function read(query: string, token: string): Promise<object> {
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return data ?? {};
}

const page = (after: string | null) => `{ statement(country: PK, fileNo: 1) { state lines refusal }
  statementLines(filter: { country: PK, fileNo: 1 }, first: 1, after: ${JSON.stringify(after)}) { totalCount pageInfo { endCursor }
    edges { node { line { channelRef net } match { rule difference movements orderNo } breakNo } } } }`;

interface Lines {
  statementLines: { pageInfo: { endCursor: string } };
}

test('the lines of a statement show their matches and breaks, page by page', async () => {
  const viewer = await api.letIn('viewer');
  const first = (await read(page(null), viewer)) as Lines;
  const match = { rule: 'channel_reference', difference: '0.00', movements: 1, orderNo };
  expect(first).toMatchObject({
    statement: { state: 'IMPORTED', lines: 2, refusal: null },
    statementLines: {
      totalCount: 2,
      edges: [{ node: { line: { channelRef: 'M-1', net: '100.00' }, match, breakNo: null } }],
    },
  });
  expect(await read(page(first.statementLines.pageInfo.endCursor), viewer)).toMatchObject({
    statementLines: { edges: [{ node: { line: { channelRef: 'M-2' }, match: null, breakNo: expect.any(Number) } }] },
  });
});

test('operators of another country see neither the statement nor its lines', async () => {
  const thai = await api.letInRestricted({ countries: ['TH'] });
  expect(await read(page(null), thai)).toMatchObject({ statement: null, statementLines: { totalCount: 0, edges: [] } });
});

test('a day shows the formats in which its statement can be fetched', async () => {
  const day = `{ reconciliationDay(country: PK, channelId: "fake", day: "${bookedOn}") { fetchableFormats } }`;
  expect(await read(day, await api.letIn('viewer'))).toEqual({ reconciliationDay: { fetchableFormats: [] } });
});

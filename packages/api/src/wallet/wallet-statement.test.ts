import { aFundedMerchant, aMerchant, placePayin, placePayout } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
let token: string;
let india: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer');
  india = (await aFundedMerchant(api.domain, 'IN', '1000.00')).merchantId;
  for (let n = 0; n < 2; n += 1) {
    const { orderNo } = await placePayin(api.domain, india, 'IN');
    await api.domain.commit({
      type: 'applyReport',
      ref: { merchantId: india, orderNo },
      channelId: 'fake',
      during: 'callback',
      answer: { outcome: 'paid', payments: [{ reference: orderNo, amount: '100.00' }] },
    });
  }
  await placePayout(api.domain, india, 'IN');
});
afterAll(() => api.close());

const today = (timeZone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now());

const statement = (merchantId: string, days: string, more = '', asking = token) =>
  ask(
    api.url,
    `{ walletStatement(input: { merchantId: "${merchantId}", ${days} }) {
      currency timeZone from to entryCount opening { available frozen balance } closing { available frozen balance }
      totals { type entries availableChange frozenChange } entries(first: 3 ${more}) { totalCount edges { node { entryNo type } } } } }`,
    { token: asking },
  );

test('a statement has balances, sums by type and entries, by days of the merchant’s own zone', async () => {
  const day = today('Asia/Kolkata');
  const { data, errors } = await statement(india, `firstDay: "${day}", lastDay: "${day}"`);
  expect(errors).toEqual([]);
  expect(data?.walletStatement).toEqual({
    currency: 'INR',
    timeZone: 'Asia/Kolkata',
    entryCount: 4,
    from: new Date(`${day}T00:00:00+05:30`).toISOString(),
    to: new Date(Date.parse(`${day}T00:00:00+05:30`) + 86_400_000).toISOString(),
    opening: { available: '0.00', frozen: '0.00', balance: '0.00' },
    closing: { available: '1092.50', frozen: '102.50', balance: '1195.00' },
    totals: [
      { type: 'PAYIN', entries: 2, availableChange: '195.00', frozenChange: '0.00' },
      { type: 'PAYOUT_FREEZE', entries: 1, availableChange: '-102.50', frozenChange: '102.50' },
      { type: 'TOP_UP', entries: 1, availableChange: '1000.00', frozenChange: '0.00' },
    ],
    entries: {
      totalCount: 4,
      edges: [
        { node: { entryNo: 4, type: 'PAYOUT_FREEZE' } },
        { node: { entryNo: 3, type: 'PAYIN' } },
        { node: { entryNo: 2, type: 'PAYIN' } },
      ],
    },
  });
});

test('entries are filtered by type; the sums are those of the period', async () => {
  const days = `firstDay: "${today('UTC')}", lastDay: "${today('UTC')}", timeZone: "UTC"`;
  const { data } = await statement(india, days, 'filter: { types: [TOP_UP] }');
  expect(data?.walletStatement).toMatchObject({
    totals: [{ type: 'PAYIN' }, { type: 'PAYOUT_FREEZE' }, { type: 'TOP_UP' }],
    entries: { totalCount: 1, edges: [{ node: { entryNo: 1, type: 'TOP_UP' } }] },
  });
});

test('a restricted operator has no statement of other merchants', async () => {
  const { merchantId } = await aMerchant(api.domain, 'CN');
  const restricted = await api.letInRestricted({ countries: ['CN'] });
  const days = `firstDay: "${today('UTC')}", lastDay: "${today('UTC')}"`;
  expect(await statement(india, days, '', restricted)).toMatchObject({ data: { walletStatement: null }, errors: [] });
  expect((await statement(merchantId, days, '', restricted)).data).toMatchObject({
    walletStatement: { timeZone: 'Asia/Shanghai', entryCount: 0, totals: [] },
  });
});

test.each([
  'firstDay: "today", lastDay: "2026-01-01"',
  'firstDay: "2026-01-02", lastDay: "2026-01-01"',
  'firstDay: "2026-01-02", lastDay: "2026-01-03", timeZone: "Mars/Base"',
])('%s is refused', async (days) => {
  expect((await statement(india, days)).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

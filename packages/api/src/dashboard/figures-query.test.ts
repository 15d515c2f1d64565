import { aMerchant, placePayin } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
let token: string;
beforeAll(async () => {
  api = await openApiFixture();
  token = await api.letIn('viewer');
  for (const [country, paid] of [
    ['CN', true],
    ['CN', false],
    ['IN', true],
  ] as const) {
    const { merchantId } = await aMerchant(api.domain, country);
    const { orderNo } = await placePayin(api.domain, merchantId, country);
    const answer = paid
      ? ({ outcome: 'paid', payments: [{ reference: orderNo, amount: '100.00' }] } as const)
      : ({ outcome: 'failed', reason: 'no' } as const);
    await api.domain.commit({
      type: 'applyReport',
      ref: { merchantId, orderNo },
      channelId: 'fake',
      during: 'callback',
      answer: answer.outcome === 'paid' ? { ...answer, payments: [...answer.payments] } : answer,
    });
  }
});
afterAll(() => api.close());

const day = 86_400_000;
const figures = (input: string, from = Date.now() - day, to = Date.now() + day) =>
  ask(
    api.url,
    `{ figures(input: { from: "${new Date(from).toISOString()}", to: "${new Date(to).toISOString()}", ${input} }) {
      isTruncated groups { country status currency orders ended completed successRate amount completedAmount feeRevenue p50Ms p95Ms } } }`,
    { token },
  );

test('currencies are never added together', async () => {
  const { data, errors } = await figures('grain: DAY, by: [COUNTRY], withTimes: true');
  expect(errors).toEqual([]);
  const { groups } = (data as { figures: { groups: { country: string }[] } }).figures;
  expect(groups.toSorted((a, b) => (a.country < b.country ? -1 : 1))).toMatchObject([
    {
      ...{ country: 'CN', currency: 'CNY', orders: 2, ended: 2, completed: 1, successRate: 0.5 },
      ...{ amount: '200.00', completedAmount: '100.00', feeRevenue: '2.50' },
      p50Ms: expect.any(Number),
    },
    { country: 'IN', currency: 'INR', orders: 1, successRate: 1, feeRevenue: '2.50' },
  ]);
});

test('a day of a time zone is one day, at any offset', async () => {
  const { data, errors } = await ask(
    api.url,
    `{ figures(input: { from: "2026-01-15T00:00:00+05:30", to: "2026-01-16T00:00:00+05:30", grain: DAY, by: [TIME], timeZone: "Asia/Kolkata" }) { from to } }`,
    { token },
  );
  expect(errors).toEqual([]);
  expect(data).toEqual({ figures: { from: '2026-01-14T18:30:00.000Z', to: '2026-01-15T18:30:00.000Z' } });
});

test('an unknown time zone is refused', async () => {
  for (const timeZone of ['+05:30', 'Mars/Base', ''])
    expect(await figures(`grain: DAY, timeZone: "${timeZone}"`)).toMatchObject({
      errors: [{ message: expect.stringContaining('IANA'), extensions: { code: 'BAD_USER_INPUT' } }],
    });
});

test('without withTimes no times are computed', async () => {
  const { data } = await figures('grain: HOUR, by: [STATUS], countries: [IN]');
  expect((data as { figures: object }).figures).toEqual({
    isTruncated: false,
    groups: [
      {
        ...{ country: null, status: 'COMPLETED', currency: 'INR', orders: 1, ended: 1, completed: 1, successRate: 1 },
        ...{ amount: '100.00', completedAmount: '100.00', feeRevenue: '2.50', p50Ms: null, p95Ms: null },
      },
    ],
  });
});

test.each([
  ['more than 92 days by day', 'grain: DAY', 93 * day],
  ['more than 7 days by hour', 'grain: HOUR', 8 * day],
  ['nothing at all', 'grain: DAY', 0],
])('%s is refused', async (_what, input, length) => {
  const from = Date.now() - length;
  const { errors } = await figures(input, from, from + length);
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

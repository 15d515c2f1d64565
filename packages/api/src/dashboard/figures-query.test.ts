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
      country: 'CN',
      currency: 'CNY',
      orders: 2,
      ended: 2,
      completed: 1,
      successRate: 0.5,
      amount: '200.00',
      completedAmount: '100.00',
      feeRevenue: '2.50',
      p50Ms: expect.any(Number),
    },
    { country: 'IN', currency: 'INR', orders: 1, successRate: 1, feeRevenue: '2.50' },
  ]);
});

test('a day of any time zone is one group, at any offset', async () => {
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
        country: null,
        status: 'COMPLETED',
        currency: 'INR',
        orders: 1,
        ended: 1,
        completed: 1,
        successRate: 1,
        amount: '100.00',
        completedAmount: '100.00',
        feeRevenue: '2.50',
        p50Ms: null,
        p95Ms: null,
      },
    ],
  });
});

test.each([
  ['more than 400 days', 'grain: DAY', 402 * day],
  ['more than 31 days by hour', 'grain: HOUR, by: [TIME]', 33 * day],
  ['nothing at all', 'grain: DAY', 0],
])('%s is refused', async (_what, input, length) => {
  const from = Date.now() - length;
  const { errors } = await figures(input, from, from + length);
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

interface Asked {
  figures: {
    from: string;
    to: string;
    groups: { country: string; orders: number }[];
    failures: { trigger: string; message: string | null; orders: number }[];
    comparison: { from: string; to: string; groups: { country: string; orders: number }[] } | null;
  };
}
const today = async (input: string, asking = token): Promise<Asked['figures']> => {
  const { data, errors } = await ask(
    api.url,
    `{ figures(input: { ${input} }) { from to groups { country orders } failures { trigger message orders }
       comparison { from to groups { country orders } } } }`,
    { token: asking },
  );
  expect(errors).toEqual([]);
  return (data as unknown as Asked).figures;
};

/** The beginning of today in a zone, by PostgreSQL. */
const midnight = async (timeZone: string): Promise<number> => {
  const { rows } = await api.domain.database.pool.query<{ at: number }>(
    `select (extract(epoch from date_trunc('day', now(), $1)) * 1000)::float8 as at`,
    [timeZone],
  );
  return rows[0]?.at ?? 0;
};

test.each(['Asia/Kolkata', 'Asia/Bangkok', 'Pacific/Kiritimati', 'America/New_York'])(
  'today in %s begins at midnight there, and is compared with the day before up to the same time',
  async (timeZone) => {
    const began = Date.now();
    const found = await today(`period: TODAY, timeZone: "${timeZone}", by: [COUNTRY], compareWith: DAY_BEFORE`);
    expect(Date.parse(found.from)).toBe(await midnight(timeZone));
    expect(Date.parse(found.to)).toBeGreaterThanOrEqual(began);
    expect(found.groups).toEqual([
      { country: 'CN', orders: 2 },
      { country: 'IN', orders: 1 },
    ]);
    const { comparison } = found;
    // The clocks of the zones may have changed overnight.
    const shift = Date.parse(found.to) - Date.parse(comparison?.to ?? '');
    expect(Math.abs(shift - day)).toBeLessThanOrEqual(3_600_000);
    expect(comparison?.groups).toEqual([]);
  },
);

test('figures return as many groups as requested', async () => {
  const range = `from: "${new Date(Date.now() - day).toISOString()}", to: "${new Date(Date.now() + day).toISOString()}"`;
  const counted = async (first: number) => {
    const query = `{ figures(input: { ${range}, by: [COUNTRY] }) { groups(first: ${first}) { country } } }`;
    const { data } = await ask(api.url, query, { token });
    return (data as { figures: { groups: object[] } | null } | null)?.figures?.groups.length;
  };
  expect(await counted(1)).toBe(1);
  expect(await counted(2_000)).toBeGreaterThan(1);
  expect(await counted(0)).toBeUndefined();
});

test('the comparison has the groups of its own period, also if the first period has none', async () => {
  const [from, to] = [Date.now() + day, Date.now() + 3 * day].map((at) => new Date(at).toISOString());
  const found = await today(`from: "${from}", to: "${to}", by: [COUNTRY], compareWith: PERIOD_BEFORE`);
  expect(found.groups).toEqual([]);
  expect(found.comparison?.groups.map(({ country }) => country).sort()).toEqual(['CN', 'IN']);
  expect((await today(`from: "${from}", to: "${to}"`)).comparison).toBe(null);
});

test('viewers see the trigger of a failure, but not the message of the channel, which may name a person', async () => {
  const support = await api.letIn('support');
  expect((await today('period: TODAY')).failures).toEqual([{ trigger: 'channel_failed', message: null, orders: 1 }]);
  expect((await today('period: TODAY', support)).failures).toEqual([
    { trigger: 'channel_failed', message: 'no', orders: 1 },
  ]);
});

test('a restricted operator sees the figures, failures and work lists of their merchants', async () => {
  const restricted = await api.letInRestricted({ countries: ['IN'] });
  const found = await today('period: TODAY, by: [COUNTRY], compareWith: DAY_BEFORE', restricted);
  expect(found.groups).toEqual([{ country: 'IN', orders: 1 }]);
  expect(found.failures).toEqual([]);
  const { data, errors } = await ask(api.url, '{ workLists { list count isExact oldestAt } }', { token: restricted });
  expect(errors).toEqual([]);
  const { workLists } = data as { workLists: { list: string; count: number }[] };
  expect(workLists).toHaveLength(16);
  expect(workLists).toContainEqual({ list: 'OPEN_CASES', count: 0, isExact: true, oldestAt: null });
  // Breaks and days belong to the platform, whose rows are hidden from operators with a restriction to merchants.
  const ofMerchants = await api.letInRestricted({ merchantIds: ['IN-1'] });
  const own = await ask(api.url, '{ workLists { list } }', { token: ofMerchants });
  const names = (own.data as { workLists: { list: string }[] }).workLists.map(({ list }) => list);
  expect(names).toContain('SETTLEMENTS_TO_PAY');
  for (const list of ['OPEN_BREAKS', 'DAYS_TO_CLOSE', 'MISSING_STATEMENTS']) expect(names).not.toContain(list);
});

import { createPayin, type Domain } from '@tidegate/domain';
import { aMerchant } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// A fee rule with a later beginning, from GraphQL to the prices of orders.

let api: ApiFixture;
let ann: string;
let bob: string;
let viewer: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob, viewer] = [await api.letIn('admin'), await api.letIn('admin'), await api.letIn('viewer')];
});
afterAll(() => api.close());

/** The problem of a refused request; null once a second operator has approved. */
async function agree(name: 'setFeeRule' | 'removeFeeRule', input: string): Promise<Record<string, unknown> | null> {
  const payload = `${name[0]?.toUpperCase()}${name.slice(1)}Payload`;
  const document = `mutation { asked: ${name}(input: { ${input} }, reason: "a test") { __typename ... on ${payload} { approval { approvalId } }
    ... on InvalidInput { fields { path reason } } } }`;
  const { data, errors } = await ask(api.url, document, { token: ann });
  expect(errors).toEqual([]);
  const requested = data?.asked as { __typename: string; approval?: { approvalId: string } };
  if (!requested.approval) return requested;
  const approve = `mutation { done: approve(approvalId: "${requested.approval.approvalId}") { __typename } }`;
  const done = await ask(api.url, approve, { token: bob });
  expect(done.errors).toEqual([]);
  const outcome = done.data?.done as { __typename: string };
  return outcome.__typename === 'Approval' || outcome.__typename === 'ApprovePayload' ? null : outcome;
}

interface Rule {
  percent: string;
  from: string | null;
}

async function rulesOf(merchantId: string): Promise<Rule[]> {
  const query = `{ merchant(merchantId: "${merchantId}") { feeRules { edges { node { kind bankCode percent from } } } } }`;
  const { data } = await ask(api.url, query, { token: viewer });
  const merchant = data?.merchant as { feeRules: { edges: { node: Rule & { kind: string } }[] } } | null;
  return (merchant?.feeRules.edges ?? []).map(({ node }) => node).filter(({ kind }) => kind === 'PAYIN');
}

let calls = 0;

async function feeOfNewPayin(domain: Domain, merchantId: string): Promise<{ fee: string; createdAt: number }> {
  const merchant = await domain.directory.merchant(merchantId);
  if (!merchant) throw new Error('the merchant no longer exists');
  calls += 1;
  const request = { merchantOrderNo: `F-${calls}`, amount: '100.00', bankCode: null, notifyUrl: null, details: {} };
  const created = await createPayin(domain, merchant, request);
  if (!created.ok) throw new Error(created.rejection);
  return { fee: created.value.feeAmount, createdAt: created.value.createdAt };
}

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

test('orders before a rule begins keep the old rule, later orders use the new rule, and both are listed', async () => {
  const { merchantId } = await aMerchant(api.domain, 'IN');
  // Long enough to approve it, and for every process to see it.
  const from = inMs(8_000);
  expect(
    await agree('setFeeRule', `merchantId: "${merchantId}", kind: PAYIN, percent: "4", fixed: "0.00", from: "${from}"`),
  ).toBeNull();
  expect(await rulesOf(merchantId)).toMatchObject([
    { percent: '2.5000', from: null },
    { percent: '4.0000', from },
  ]);
  const begins = Date.parse(from);
  const orders: { fee: string; createdAt: number }[] = [];
  await expect
    .poll(
      async () => {
        orders.push(await feeOfNewPayin(api.domain, merchantId));
        return orders.at(-1)?.fee;
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBe('4.00');
  expect(orders.length).toBeGreaterThan(1);
  for (const { fee, createdAt } of orders)
    expect([createdAt, fee]).toEqual([createdAt, createdAt >= begins ? '4.00' : '2.50']);
  expect(await rulesOf(merchantId)).toMatchObject([{ percent: '4.0000', from }]);
  const { rows } = await api.domain.database.pool.query('select count(*)::integer as n from audit_finding');
  expect(rows).toEqual([{ n: 0 }]);
});

test('a fee rule can be replaced or removed before it begins, but not afterwards', async () => {
  const { merchantId } = await aMerchant(api.domain, 'IN');
  const later = inMs(3_600_000);
  const rule = (percent: string, more = '') =>
    `merchantId: "${merchantId}", kind: PAYIN, percent: "${percent}", fixed: "0.00"${more}`;
  for (const percent of ['4', '5']) expect(await agree('setFeeRule', rule(percent, `, from: "${later}"`))).toBeNull();
  expect(await rulesOf(merchantId)).toMatchObject([{ percent: '2.5000' }, { percent: '5.0000', from: later }]);
  // A rule for now leaves later rules in place.
  expect(await agree('setFeeRule', rule('1'))).toBeNull();
  expect(await rulesOf(merchantId)).toMatchObject([
    { percent: '1.0000', from: null },
    { percent: '5.0000', from: later },
  ]);
  expect(
    await agree('removeFeeRule', `merchantId: "${merchantId}", kind: PAYIN, from: "${inMs(60_000)}"`),
  ).toMatchObject({
    __typename: 'InvalidInput',
    fields: [{ path: 'from', reason: 'is not the start of a scheduled rule' }],
  });
  expect(await agree('removeFeeRule', `merchantId: "${merchantId}", kind: PAYIN, from: "${later}"`)).toBeNull();
  expect(await rulesOf(merchantId)).toMatchObject([{ percent: '1.0000', from: null }]);

  await api.domain.database.pool.query(
    `insert into scheduled_fee_rule (merchant_id, kind, begins_at, percent, fixed) values ($1, 'payin', clock_timestamp() - interval '1 hour', 7, 0) returning begins_at`,
    [merchantId],
  );
  const [begun] = await rulesOf(merchantId);
  expect(
    await agree('removeFeeRule', `merchantId: "${merchantId}", kind: PAYIN, from: "${begun?.from}"`),
  ).toMatchObject({
    fields: [{ path: 'from', reason: 'has passed, and the rule is in force: set another one' }],
  });
  // A rule for now ends it, and the record says so.
  expect(await agree('setFeeRule', rule('2'))).toBeNull();
  expect(await rulesOf(merchantId)).toMatchObject([{ percent: '2.0000', from: null }]);
  const history = `{ merchantHistory(merchantId: "${merchantId}", first: 4) { edges { node { action changes { field before after } } } } }`;
  const { data } = await ask(api.url, history, { token: viewer });
  expect(data?.merchantHistory).toMatchObject({
    edges: [
      { node: { action: 'setFeeRule', changes: [{ field: 'percent', before: '7.0000', after: '2' }] } },
      {
        node: {
          action: 'removeFeeRule',
          changes: expect.arrayContaining([{ field: 'from', before: later, after: null }]),
        },
      },
      { node: { action: 'setFeeRule', changes: [{ field: 'percent', before: '2.5000', after: '1' }] } },
      {
        node: {
          action: 'setFeeRule',
          changes: expect.arrayContaining([{ field: 'percent', before: '4.0000', after: '5' }]),
        },
      },
    ],
  });
});

test.each([['a moment that is over', () => inMs(-61_000), 'is in the past: choose a later time, or none']])(
  '%s is refused before an approval is needed',
  async (_, from, reason) => {
    const { merchantId } = await aMerchant(api.domain, 'IN');
    const input = `merchantId: "${merchantId}", kind: PAYIN, percent: "4", fixed: "0.00", from: "${from()}"`;
    expect(await agree('setFeeRule', input)).toMatchObject({
      __typename: 'InvalidInput',
      fields: [{ path: 'from', reason }],
    });
    expect(await rulesOf(merchantId)).toMatchObject([{ percent: '2.5000', from: null }]);
  },
);

test('a begin time in the last seconds counts as now', async () => {
  const { merchantId } = await aMerchant(api.domain, 'IN');
  const input = `merchantId: "${merchantId}", kind: PAYIN, percent: "4", fixed: "0.00", from: "${inMs(-2_000)}"`;
  expect(await agree('setFeeRule', input)).toBeNull();
  expect(await rulesOf(merchantId)).toMatchObject([{ percent: '4.0000', from: null }]);
});

test('at most twenty future rules are allowed', async () => {
  const { merchantId } = await aMerchant(api.domain, 'IN');
  await api.domain.database.pool.query(
    `insert into scheduled_fee_rule (merchant_id, kind, begins_at, percent, fixed)
     select $1, 'payin', clock_timestamp() + n * interval '1 day', 1, 0 from generate_series(1, 20) n`,
    [merchantId],
  );
  const input = `merchantId: "${merchantId}", kind: PAYIN, percent: "4", fixed: "0.00", from: "${inMs(3_600_000)}"`;
  expect(await agree('setFeeRule', input)).toMatchObject({ fields: [{ path: 'from' }] });
});

import type { OperatorInput } from '@tidegate/domain/admin';
import { aFundedMerchant, aMerchant, placePayout } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// What the screen of approvals shows of each, for each who looks.

let api: ApiFixture;
let ann: string;
let bob: string;
let merchantId: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob] = [await api.letIn('finance', 'operator', 'admin'), await api.letIn('finance', 'operator', 'admin')];
  ({ merchantId } = await aFundedMerchant(api.domain, 'IN', '50000.00'));
});
afterAll(() => api.close());

async function data(token: string, query: string, variables = {}): Promise<Record<string, unknown>> {
  const { data, errors } = await ask(api.url, query, { token, variables });
  expect(errors).toEqual([]);
  return data ?? {};
}

let bookings = 0;
const settlement = (amount = '20000') =>
  `settleWallet(input: { merchantId: "${merchantId}", bookingNo: "S-${++bookings}", amount: "${amount}", remark: "x" }`;

/** Asks for something by a mutation without its end, and gives the approval's id. Secrets come as a variable only. */
async function request(mutation: string, token = ann): Promise<string> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1, mutation.indexOf('('))}Payload`;
  const head = mutation.includes('$secrets') ? 'mutation Request($secrets: Secrets)' : 'mutation';
  const text = `${head} { it: ${mutation}, reason: "a test") { __typename ... on Problem { message } ... on ${type} { approval { approvalId } } } }`;
  const { it } = (await data(token, text, { secrets: { apiKey: 'hush-hush' } })) as {
    it: { approval?: { approvalId: string } };
  };
  if (!it.approval) throw new Error(JSON.stringify(it));
  return it.approval.approvalId;
}

const valueFields = `__typename ... on TextValue { text } ... on MoneyValue { amount currency } ... on PercentValue { percent }
  ... on TimeValue { time } ... on NumberValue { number } ... on SwitchValue { isOn } ... on ListValue { items } ... on SecretValue { names }`;
const shown = `approvalId operation operationName mayWithdraw mayDecide { allowed reason message }
  stillPossible { possible reason message mayPass }`;
const details = `fields { field label value { ${valueFields} } } changes { of field label before { ${valueFields} } after { ${valueFields} } }`;

async function look(token: string, approvalId: string, fields = shown): Promise<Record<string, unknown>> {
  const { approvals } = (await data(token, `{ approvals(first: 10) { edges { node { approvalId ${fields} } } } }`)) as {
    approvals: { edges: { node: Record<string, unknown> }[] };
  };
  return approvals.edges.find(({ node }) => node.approvalId === approvalId)?.node ?? {};
}
const decide = async (token: string, approvalId: string, name = 'approve'): Promise<string> => {
  const reason = name === 'approve' ? '' : ', reason: "a test"';
  const text = `mutation { it: ${name}(approvalId: "${approvalId}"${reason}) { ... on Approval { state } ... on Problem { reason } } }`;
  const { it } = (await data(token, text)) as { it: { state?: string; reason?: string } };
  return it.state ?? it.reason ?? '';
};

test('an approval shows the requested input and its effect as typed values, and secrets by their names only', async () => {
  const settled = await look(bob, await request(settlement()), `operationName money { amount currency } ${details}`);
  const money = (amount: string) => ({ __typename: 'MoneyValue', amount, currency: 'INR' });
  expect(settled).toMatchObject({
    operationName: 'SETTLE_WALLET',
    money: { amount: '20000.00', currency: 'INR' },
    fields: expect.arrayContaining([
      { field: 'merchantId', label: 'Merchant number', value: { __typename: 'TextValue', text: merchantId } },
      { field: 'amount', label: 'Amount', value: money('20000.00') },
    ]),
    changes: [
      { of: null, field: 'available', label: 'Available', before: money('50000.00'), after: money('30000.00') },
    ],
  });
  const channel = `setChannel(input: { channelId: "acme", adapter: "fake", baseUrl: "http://127.0.0.1:9999", credentials: $secrets }`;
  const set = await look(bob, await request(channel), `money { amount } ${details}`);
  expect(set.money).toBeNull();
  expect(set.fields).toContainEqual({
    field: 'credentials',
    label: 'Credentials',
    value: { __typename: 'SecretValue', names: ['apiKey'] },
  });
  expect(JSON.stringify(set)).not.toContain('hush-hush');
  const fee = `setFeeRule(input: { merchantId: "${merchantId}", kind: PAYIN, percent: "3", fixed: "1", from: "2099-01-01T00:00:00.000Z" }`;
  const rule = await look(bob, await request(fee), details);
  expect(rule.fields).toContainEqual(
    expect.objectContaining({ value: { __typename: 'TimeValue', time: '2099-01-01T00:00:00.000Z' } }),
  );
});

test('viewers see that they may not decide, but neither the input nor the effect of an approval', async () => {
  const approvalId = await request(settlement());
  const viewer = await api.letIn('viewer');
  expect(await look(viewer, approvalId, 'mayDecide { allowed reason message }')).toMatchObject({
    mayDecide: { allowed: false, reason: 'FORBIDDEN', message: expect.stringContaining('lacks the role finance') },
  });
  const query =
    '{ approvals(first: 1) { edges { node { fields { field } changes { field } stillPossible { possible } } } } }';
  const { errors } = await ask(api.url, query, { token: viewer });
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
});

test('while a request about an order waits, its actions name it, another one is refused, and only who may see it finds it', async () => {
  const { orderNo } = await placePayout(api.domain, merchantId, 'IN');
  const resolve = (outcome: string) =>
    `resolvePayout(input: { orderNo: "${orderNo}", outcome: ${outcome}, evidence: "bank statement" }`;
  const approvalId = await request(resolve('FAILED'));
  await expect(request(resolve('PAID'), bob)).rejects.toThrow(`${approvalId} of op-`);
  const actions = `{ order(orderNo: "${orderNo}") { actions { action allowed reason message } } }`;
  const { order } = (await data(bob, actions)) as { order: { actions: object[] } };
  expect(order.actions).toContainEqual({
    action: 'RESOLVE_PAYOUT',
    allowed: false,
    reason: 'APPROVAL_WAITS',
    message: expect.stringContaining('"Mark failed"'),
  });
  const waiting = `{ approvals(filter: { subject: "${orderNo}", states: [PENDING] }) {
    edges { node { approvalId title money { amount currency } } } } }`;
  const node = { approvalId, title: 'Mark failed', money: { amount: '100.00', currency: 'INR' } };
  for (const token of [bob, await api.letIn('viewer'), await api.letInRestricted({ merchantIds: [merchantId] })])
    expect(await data(token, waiting)).toEqual({ approvals: { edges: [{ node }] } });
  const other = await aMerchant(api.domain, 'IN');
  const restricted = await api.letInRestricted({ merchantIds: [other.merchantId] });
  expect(await data(restricted, waiting)).toEqual({ approvals: { edges: [] } });
  expect(await decide(bob, approvalId, 'reject')).toBe('REJECTED');
  expect(await request(resolve('PAID'), bob)).toMatch(/^AP/);
});

test('mayDecide agrees with the result of an approval attempt, and only the requester may withdraw', async () => {
  const approvalId = await request(settlement());
  const restrictions: [OperatorInput['merchantIds'], string][] = [[[merchantId], 'EXECUTED']];
  expect(await look(ann, approvalId)).toMatchObject({
    mayWithdraw: true,
    mayDecide: { allowed: false, reason: 'OWN_APPROVAL' },
  });
  expect(await decide(ann, approvalId)).toBe('OWN_APPROVAL');
  expect(await decide(ann, approvalId, 'reject')).toBe('OWN_APPROVAL');
  for (const [merchantIds = null, answer] of restrictions) {
    const carol = await api.letInRestricted({ merchantIds });
    expect(await look(carol, approvalId)).toMatchObject({ mayWithdraw: false, mayDecide: { allowed: true } });
    expect(await decide(carol, approvalId)).toBe(answer);
  }
  expect(await look(bob, approvalId)).toMatchObject({
    mayDecide: { allowed: false, reason: 'APPROVAL_DECIDED' },
    stillPossible: { possible: false, reason: 'APPROVAL_DECIDED', mayPass: false },
  });
});

test('one request counts the approvals of an operator once, however many fields ask for the count', async () => {
  const restricted = await api.letInRestricted({ countries: ['IN'] }, ['admin', 'finance']);
  const { pool } = api.domain.database;
  const query = vi.spyOn(pool, 'query');
  const statements = async (times: number): Promise<number> => {
    query.mockClear();
    const fields = Array.from({ length: times }, (_, n) => `a${n}: approvalsToDecide`).join(' ');
    await data(restricted, `{ me { ${fields} } }`);
    return query.mock.calls.filter(([statement]) => /from approval\b/.test(JSON.stringify(statement))).length;
  };
  try {
    const once = await statements(1);
    expect(once).toBeGreaterThan(0);
    expect(await statements(60)).toBe(once);
  } finally {
    query.mockRestore();
  }
});

test('a restricted operator sees an approval that affects other merchants, but may not decide it', async () => {
  const { merchantId: own } = await aMerchant(api.domain, 'IN');
  const carol = await api.letInRestricted({ countries: ['IN'] }, ['admin']);
  const route = `setRoute(input: { merchantId: "${own}", routeNo: 3, kind: PAYIN, channelId: "unused" }`;
  await decide(bob, await request('setChannel(input: { channelId: "unused", adapter: "manual" }'));
  const approvalId = await request(route);
  expect(await look(carol, approvalId)).toMatchObject({ mayDecide: { allowed: false, reason: 'APPROVAL_NOT_FOUND' } });
  expect(await decide(carol, approvalId)).toBe('APPROVAL_NOT_FOUND');
  const waiting = '{ approvals(filter: { waitingForMe: true }) { edges { node { approvalId } } } }';
  expect(JSON.stringify(await data(carol, waiting))).not.toContain(approvalId);
  expect(JSON.stringify(await data(bob, waiting))).toContain(approvalId);
});

test('the approvals that wait for an operator are exactly those that the operator may decide', async () => {
  const { merchantId: other } = await aMerchant(api.domain, 'CN');
  const [carol, dave] = [await api.letIn('finance'), await api.letInRestricted({ merchantIds: [other] }, ['admin'])];
  // The number of the badge, and the list behind it.
  const waiting = async (token: string) => {
    const list =
      'approvals(first: 100, filter: { waitingForMe: true }) { totalCount edges { node { mayDecide { allowed } } } }';
    const { me, approvals } = (await data(token, `{ me { approvalsToDecide } ${list} }`)) as {
      me: { approvalsToDecide: number };
      approvals: { totalCount: number; edges: { node: { mayDecide: { allowed: boolean } } }[] };
    };
    const count = me.approvalsToDecide;
    expect([approvals.totalCount, approvals.edges.length]).toEqual([count, count]);
    expect(approvals.edges.filter(({ node }) => !node.mayDecide.allowed)).toEqual([]);
    return count;
  };
  const before = [await waiting(ann), await waiting(bob), await waiting(carol)];
  const approvalId = await request(settlement('10001'));
  expect([await waiting(ann), await waiting(bob), await waiting(carol)]).toEqual([
    before[0],
    ...before.slice(1).map((count) => (count ?? 0) + 1),
  ]);
  expect(await waiting(dave)).toBe(0);
  await request(`removeRoute(input: { merchantId: "${other}", routeNo: 1 }`);
  expect(await waiting(dave)).toBe(1);
  await decide(ann, approvalId, 'withdraw');
  expect(await waiting(carol)).toBe(before[2]);
});

test('of two approvals, a rejection and a withdrawal at the same time exactly one succeeds', async () => {
  const { merchantId: funded } = await aFundedMerchant(api.domain, 'IN', '50000.00');
  for (let round = 0; round < 2; round += 1) {
    const approvalId = await request(settlement('10001').replace(merchantId, funded));
    const carol = await api.letIn('finance');
    const answers = await Promise.all([
      decide(bob, approvalId),
      decide(carol, approvalId),
      decide(carol, approvalId, 'reject'),
      decide(ann, approvalId, 'withdraw'),
    ]);
    const won = answers.filter((answer) => ['EXECUTED', 'REJECTED', 'WITHDRAWN'].includes(answer));
    expect([new Set(won).size, new Set(answers).has('APPROVAL_DECIDED')], answers.join()).toEqual([1, true]);
  }
});

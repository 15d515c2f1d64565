import { aFundedMerchant, placePayin, placePayout } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../test/api-fixture.ts';

// Who decides by an old page is refused, and learns who was first.

let api: ApiFixture;
let ann: string;
let bob: string;
let merchantId: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob] = [await api.letIn('finance', 'operator', 'admin'), await api.letIn('finance', 'operator', 'admin')];
  ({ merchantId } = await aFundedMerchant(api.domain, 'PK', '90000.00', 'market'));
});
afterAll(() => api.close());

async function read<Data>(token: string, query: string): Promise<Data> {
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return data as Data;
}

interface Came {
  __typename: string;
  reason?: string;
  changedBy?: string | null;
  changedAt?: string | null;
  approval?: { approvalId: string; version: string };
}

async function change(token: string, name: string, input: string, more: string, fields = ''): Promise<Came> {
  const query = `mutation { it: ${name}(input: { ${input} }, reason: "a test"${more}) {
    __typename ... on Problem { reason changedBy changedAt } ${fields} } }`;
  return (await read<{ it: Came }>(token, query)).it;
}

const expecting = (version: string): string => `, expectedVersion: "${version}"`;
const versionOf = async (orderNo: string): Promise<string> =>
  (await read<{ order: { version: string } }>(ann, `{ order(orderNo: "${orderNo}") { version } }`)).order.version;
const outdated = { __typename: 'Conflict', reason: 'VERSION_OUTDATED', changedAt: expect.stringMatching(/^20/) };

test('of two operators who decide about the same version of a task one succeeds, and the other sees who was first', async () => {
  const { orderNo } = await placePayout(api.domain, merchantId, 'PK', { mode: 'market' });
  const version = await versionOf(orderNo);
  const results = await Promise.all([
    change(ann, 'claimPayoutTask', `orderNo: "${orderNo}"`, expecting(version)),
    change(bob, 'cancelOrder', `orderNo: "${orderNo}"`, expecting(version)),
  ]);
  const refused = results.filter(({ reason }) => reason);
  expect(refused).toMatchObject([{ ...outdated, changedBy: expect.stringMatching(/^op-/) }]);
  expect(await versionOf(orderNo)).not.toBe(version);
});

test('an order that its channel has changed meanwhile is not cancelled by an old page, and polls without news change no version', async () => {
  const { orderNo } = await placePayin(api.domain, merchantId, 'PK');
  const seen = await versionOf(orderNo);
  const report = (outcome: 'accepted' | 'unknown') =>
    api.domain.commit({
      ...({ type: 'applyReport', ref: { merchantId, orderNo }, channelId: 'fake', during: 'query' } as const),
      answer: outcome === 'accepted' ? { outcome, channelRef: 'R' } : { outcome, why: 'no_answer', detail: 'late' },
    });
  await report('accepted');
  const cancel = (version: string) => change(ann, 'cancelOrder', `orderNo: "${orderNo}"`, expecting(version));
  expect(await cancel(seen)).toMatchObject({ ...outdated, changedBy: 'channel:fake' });
  const now = await versionOf(orderNo);
  await report('unknown');
  expect(await versionOf(orderNo)).toBe(now);
  expect(await cancel(now)).toMatchObject({ __typename: 'CancelOrderPayload' });
});

test('a decided case, alone or among several, shows who decided it and when', async () => {
  const { orderNo } = await placePayin(api.domain, merchantId, 'PK');
  for (const reference of ['A', 'B', 'C'])
    await api.domain.commit({
      ...({ type: 'applyReport', ref: { merchantId, orderNo }, channelId: 'fake', during: 'callback' } as const),
      answer: { outcome: 'paid', payments: [{ reference: `${orderNo}-${reference}`, amount: '100.00' }] },
    });
  const cases = `{ moneyCases(filter: { orderNo: "${orderNo}" }) { edges { node { caseNo version } } } }`;
  const { moneyCases } = await read<{ moneyCases: { edges: { node: { caseNo: number; version: string } }[] } }>(
    ann,
    cases,
  );
  const [one, another] = moneyCases.edges.map(({ node }) => node);
  if (!one || !another) throw new Error('no two cases');
  const both = `merchantId: "${merchantId}", caseNo: ${one.caseNo}, alsoCaseNos: ["${another.caseNo}"], toMerchantId: "${merchantId}"`;
  const { approval } = await change(
    bob,
    'creditCase',
    both,
    '',
    '... on CreditCasePayload { approval { approvalId version } }',
  );
  const { approvalId, version } = approval ?? { approvalId: '', version: '' };
  await read(ann, `mutation { approve(approvalId: "${approvalId}", expectedVersion: "${version}") { __typename } }`);
  const input = `merchantId: "${merchantId}", caseNo: ${another.caseNo}`;
  const first = { changedBy: expect.stringMatching(/^op-/), changedAt: expect.stringMatching(/^20/) };
  expect(await change(ann, 'returnCase', input, expecting(another.version))).toMatchObject({ ...outdated, ...first });
  expect(await change(ann, 'returnCase', input, '')).toMatchObject({ reason: 'CASE_CLOSED', ...first });
  const carol = await api.letIn('finance');
  const again = `mutation { it: reject(approvalId: "${approvalId}", reason: "late", expectedVersion: "${version}") {
    __typename ... on Problem { reason changedBy changedAt } } }`;
  expect((await read<{ it: Came }>(carol, again)).it).toMatchObject({ reason: 'APPROVAL_DECIDED', ...first });
});

test('a notification that was resent meanwhile is not resent again by an old page', async () => {
  const { orderNo } = await placePayin(api.domain, merchantId, 'PK');
  const answer = { outcome: 'paid', payments: [{ reference: orderNo, amount: '100.00' }] } as const;
  await api.domain.commit({
    type: 'applyReport',
    ref: { merchantId, orderNo },
    channelId: 'fake',
    during: 'callback',
    answer,
  });
  await api.domain.database.pool.query(
    `update notification set state = 'exhausted', next_attempt_at = null, attempt = 16 where order_no = $1`,
    [orderNo],
  );
  const query = `{ order(orderNo: "${orderNo}") { lastNotification { version actions { action allowed } } } }`;
  const { order } = await read<{ order: { lastNotification: { version: string; actions: object[] } } }>(ann, query);
  expect(order.lastNotification.actions).toEqual([{ action: 'RESEND_NOTIFICATION', allowed: true }]);
  const resend = (key: string) =>
    change(
      ann,
      'resendNotification',
      `orderNo: "${orderNo}", status: COMPLETED, requestKey: "${key}"`,
      expecting(order.lastNotification.version),
    );
  expect(await resend('R1')).toMatchObject({ __typename: 'ResendNotificationPayload' });
  expect(await resend('R2')).toMatchObject({ ...outdated, changedBy: expect.stringMatching(/^op-/) });
});

test('settings that another operator changed are not overwritten by an old page; each noun has its own version', async () => {
  const query = `{ merchant(merchantId: "${merchantId}") { version routes { edges { node { routeNo version } } } } }`;
  const { merchant } = await read<{
    merchant: { version: string; routes: { edges: { node: { version: string } }[] } };
  }>(ann, query);
  const set = (token: string, rate: number) =>
    change(
      token,
      'setMerchant',
      `merchantId: "${merchantId}", requestsPerSecond: ${rate}`,
      expecting(merchant.version),
    );
  const results = await Promise.all([set(ann, 7), set(bob, 8)]);
  expect(results.map(({ __typename }) => __typename).sort()).toEqual(['Conflict', 'SetMerchantPayload']);
  expect(results.find(({ reason }) => reason)).toMatchObject({ ...outdated, changedBy: expect.stringMatching(/^op-/) });
  // Also one that would wait for a second operator.
  const widen = `merchantId: "${merchantId}", payinMax: "900000"`;
  expect(await change(ann, 'setMerchant', widen, expecting(merchant.version))).toMatchObject(outdated);
  const [route] = merchant.routes.edges;
  const remove = `merchantId: "${merchantId}", routeNo: 1`;
  expect(await change(ann, 'removeRoute', remove, expecting(route?.node.version ?? ''))).toMatchObject({
    __typename: 'RemoveRoutePayload',
  });
});

test('settings that were changed while a request waited are not overwritten by its approval', async () => {
  const query = `{ merchant(merchantId: "${merchantId}") { version } }`;
  const { merchant } = await read<{ merchant: { version: string } }>(ann, query);
  const requested = await change(
    ann,
    'setMerchant',
    `merchantId: "${merchantId}", defaultNotifyUrl: "http://127.0.0.1:9999/n"`,
    expecting(merchant.version),
    '... on SetMerchantPayload { approval { approvalId } }',
  );
  const approvalId = requested.approval?.approvalId ?? '';
  // What takes one operator goes on.
  expect(await change(bob, 'setMerchant', `merchantId: "${merchantId}", requestsPerSecond: 9`, '')).toMatchObject({
    __typename: 'SetMerchantPayload',
  });
  const page = `{ approval(approvalId: "${approvalId}") { title stillPossible { reason } } }`;
  expect(await read(bob, page)).toEqual({
    approval: { title: 'Change default notification URL', stillPossible: { reason: 'VERSION_OUTDATED' } },
  });
  const mutation = `mutation { it: approve(approvalId: "${approvalId}") {
    __typename ... on Problem { reason changedBy changedAt } } }`;
  const { it } = await read<{ it: Came }>(bob, mutation);
  expect(it).toMatchObject({ ...outdated, changedBy: expect.stringMatching(/^op-/) });
});

test('an operator cannot accept a proof that replaced the proof on their page meanwhile', async () => {
  const { orderNo } = await placePayout(api.domain, merchantId, 'PK', { mode: 'market' });
  const task = (token: string, name: string, more = '', version = '') =>
    change(token, name, `orderNo: "${orderNo}"${more}`, version);
  const prove = (reference: string) => task(ann, 'provePayoutTask', `, reference: "${reference}", payer: "HBL"`);
  await task(ann, 'claimPayoutTask');
  expect(await prove('TRX-1')).toMatchObject({ __typename: 'ProvePayoutTaskPayload' });
  const seen = await versionOf(orderNo);
  expect(await task(bob, 'rejectProof')).toMatchObject({ __typename: 'RejectProofPayload' });
  expect(await prove('TRX-2')).toMatchObject({ __typename: 'ProvePayoutTaskPayload' });
  const accept = (version: string) => task(bob, 'acceptProof', '', expecting(version));
  expect(await accept(seen)).toMatchObject({ ...outdated, changedBy: expect.stringMatching(/^op-/) });
  expect(await accept(await versionOf(orderNo))).toMatchObject({ __typename: 'AcceptProofPayload' });
});

test('while the change of a fee waits, another one is refused, and so is one of an old page after its approval', async () => {
  const query = `{ merchant(merchantId: "${merchantId}") { feeRules { edges { node { kind bankCode percent version } } } } }`;
  interface Rule {
    kind: string;
    bankCode: string | null;
    percent: string;
    version: string;
  }
  const rule = async (): Promise<Rule | undefined> => {
    const { merchant } = await read<{ merchant: { feeRules: { edges: { node: Rule }[] } } }>(ann, query);
    return merchant.feeRules.edges.map(({ node }) => node).find(({ kind, bankCode }) => kind === 'PAYOUT' && !bankCode);
  };
  const seen = (await rule())?.version ?? '';
  const set = (token: string, percent: string) =>
    change(
      token,
      'setFeeRule',
      `merchantId: "${merchantId}", kind: PAYOUT, percent: "${percent}", fixed: "0"`,
      expecting(seen),
      '... on SetFeeRulePayload { approval { approvalId } }',
    );
  const approve = async (token: string, { approval }: Came) => {
    const mutation = `mutation { it: approve(approvalId: "${approval?.approvalId}") {
      __typename ... on Problem { reason changedBy changedAt } } }`;
    return (await read<{ it: Came }>(token, mutation)).it;
  };
  const first = await set(ann, '3.1');
  expect(await set(bob, '3.2')).toMatchObject({ __typename: 'Conflict', reason: 'APPROVAL_WAITS' });
  expect(await approve(bob, first)).toMatchObject({ __typename: 'Approval' });
  expect(await set(ann, '3.3')).toMatchObject({ ...outdated, changedBy: expect.stringMatching(/^op-/) });
  expect(Number((await rule())?.percent)).toBe(3.1);
});

test('an entity that another operator created meanwhile is not overwritten', async () => {
  const create = async (token: string, name: string, input: string): Promise<string> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`;
    const done = await change(
      token,
      name,
      input,
      expecting('new'),
      `... on ${type} { approval { approvalId version } }`,
    );
    return done.approval?.approvalId ?? done.reason ?? '';
  };
  const approve = async (token: string, approvalId: string): Promise<Came & { state?: string }> => {
    const query = `mutation { it: approve(approvalId: "${approvalId}") {
      __typename ... on Problem { reason changedBy changedAt } ... on Approval { state } } }`;
    return (await read<{ it: Came & { state?: string } }>(token, query)).it;
  };
  const route = `merchantId: "${merchantId}", routeNo: 7, kind: PAYIN, channelId: "fake"`;
  const first = await create(ann, 'setRoute', `${route}, weight: 1`);
  expect(await create(bob, 'setRoute', `${route}, weight: 9`)).toBe('APPROVAL_WAITS');
  expect(await approve(bob, first)).toMatchObject({ state: 'EXECUTED' });
  const query = `{ merchant(merchantId: "${merchantId}") { routes { edges { node { routeNo weight } } } } }`;
  const { merchant } = await read<{ merchant: { routes: { edges: { node: object }[] } } }>(ann, query);
  expect(merchant.routes.edges).toContainEqual({ node: { routeNo: 7, weight: 1 } });
  expect(await create(bob, 'setRoute', route)).toBe('VERSION_OUTDATED');
  // A rule that only begins later is a rule too.
  const fee = `merchantId: "${merchantId}", kind: PAYIN, percent: "1", fixed: "0", bankCode: "HBL"`;
  const scheduled = await create(ann, 'setFeeRule', `${fee}, from: "2099-01-01T00:00:00.000Z"`);
  expect(await approve(bob, scheduled)).toMatchObject({ state: 'EXECUTED' });
  expect(await create(bob, 'setFeeRule', fee)).toBe('VERSION_OUTDATED');
  expect(await create(bob, 'setFeeRule', fee.replace('HBL', 'UBL'))).toMatch(/^AP/);
});

test('an order lists its actions: which are allowed, why others are not, and who approves', async () => {
  const { orderNo } = await placePayout(api.domain, merchantId, 'PK', {});
  const support = await api.letIn('finance');
  const query = `{ order(orderNo: "${orderNo}") { actions { action allowed reason message needsApproval approverRoles approvalAbove } } }`;
  const { order } = await read<{ order: { actions: { action: string }[] } }>(support, query);
  const none = { needsApproval: false, approverRoles: [], approvalAbove: null };
  const of = (name: string) => order.actions.find(({ action }) => action === name);
  expect(of('CANCEL_ORDER')).toEqual({
    action: 'CANCEL_ORDER',
    allowed: false,
    reason: 'FORBIDDEN',
    ...none,
    message: expect.stringMatching(/lacks the role operator$/),
  });
  expect(of('RESOLVE_PAYOUT')).toEqual({
    action: 'RESOLVE_PAYOUT',
    allowed: true,
    reason: null,
    message: null,
    approvalAbove: null,
    needsApproval: true,
    approverRoles: ['FINANCE'],
  });
  expect(of('REFRESH_ORDER')).toMatchObject({ allowed: false, reason: 'NOT_DUE' });
  expect(order.actions.map(({ action }) => action)).toEqual([
    'CANCEL_ORDER',
    'REFRESH_ORDER',
    'RESOLVE_PAYOUT',
    'RESEND_NOTIFICATION',
    'ADD_NOTE',
    'TAKE_WORK',
    'RELEASE_WORK',
    'ASSIGN_WORK',
  ]);
});

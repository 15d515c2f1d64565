import { aMerchant, placePayin } from '@tidegate/domain/testing';
import { workOnRefund } from '@tidegate/domain/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// Money of a case is refunded through its channel: what operators send, and what each of them sees.

let api: ApiFixture;
let ann: string;
let bob: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob] = [await api.letIn('finance'), await api.letIn('finance')];
});
afterAll(() => api.close());

async function aCase(amount: string): Promise<string> {
  const { merchantId } = await aMerchant(api.domain, 'TH');
  const order = await placePayin(api.domain, merchantId, 'TH', { amount, netAmount: amount, feeAmount: '0.00' });
  const report = { type: 'applyReport', ref: order, channelId: 'fake', during: 'callback' } as const;
  await api.domain.commit({ ...report, answer: { outcome: 'failed', reason: 'no' } });
  await api.domain.commit({ ...report, answer: { outcome: 'paid', payments: [{ reference: 'P1', amount }] } });
  return merchantId;
}

interface Answer {
  __typename: string;
  reason?: string;
  case?: { state: string; refund: Record<string, unknown> | null } | null;
  approval?: { approvalId: string } | null;
}

async function change(token: string, mutation: string, fields = ''): Promise<Answer> {
  const query = `mutation { it: ${mutation} { __typename ... on Problem { reason message } ${fields} } }`;
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return (data as { it: Answer }).it;
}

const sendBack = (merchantId: string) =>
  `returnCase(input: { merchantId: "${merchantId}", caseNo: 1, way: BY_CHANNEL }, reason: "a test")`;
const refundFields = 'refund { refundNo state refundRef lastAnswer attempts sends channelId nextAttemptAt endedAt }';
const returned = `... on ReturnCasePayload { approval { approvalId } case { state ${refundFields} } }`;

async function seen(token: string, merchantId: string) {
  const query = `{ moneyCase(merchantId: "${merchantId}", caseNo: 1) {
    state ${refundFields} actions { action way allowed reason needsApproval } } }`;
  const { data, errors } = await ask(api.url, query, { token });
  const { moneyCase } = data as {
    moneyCase: {
      state: string;
      refund: { refundNo: string; state: string; lastAnswer: string | null } | null;
      actions: { action: string; way: string | null; allowed: boolean; reason: string | null }[];
    } | null;
  };
  return { moneyCase, errors };
}

async function work(merchantId: string): Promise<void> {
  const { moneyCase } = await seen(ann, merchantId);
  await workOnRefund(api.domain, { merchantId, refundNo: moneyCase?.refund?.refundNo ?? '' });
}

test('a large refund needs two operators, and the case shows its progress', async () => {
  const merchantId = await aCase('20000.00');
  const requested = await change(ann, sendBack(merchantId), returned);
  expect(requested).toMatchObject({ case: null, approval: { approvalId: expect.any(String) } });
  expect((await seen(ann, merchantId)).moneyCase).toMatchObject({ state: 'OPEN', refund: null });
  const approve = `approve(approvalId: "${requested.approval?.approvalId}")`;
  expect(await change(ann, approve)).toMatchObject({ reason: 'OWN_APPROVAL' });
  expect(await change(bob, approve, '... on Approval { state }')).toMatchObject({ state: 'EXECUTED' });
  const { moneyCase } = await seen(bob, merchantId);
  expect(moneyCase).toMatchObject({
    state: 'RETURNING',
    refund: {
      state: 'REQUESTED',
      attempts: 0,
      channelId: 'fake',
      lastAnswer: null,
      refundNo: expect.stringMatching(/^RF/),
    },
  });
  expect(moneyCase?.actions.filter(({ action }) => /CASE|REFUND/.test(action))).toEqual([
    { action: 'CREDIT_CASE', way: null, allowed: false, reason: 'REFUND_UNDER_WAY', needsApproval: false },
    { action: 'RETURN_CASE', way: 'BY_HAND', allowed: false, reason: 'REFUND_UNDER_WAY', needsApproval: false },
    { action: 'RETURN_CASE', way: 'BY_CHANNEL', allowed: false, reason: 'REFUND_UNDER_WAY', needsApproval: false },
    { action: 'RESOLVE_REFUND', way: null, allowed: true, reason: null, needsApproval: true },
  ]);
  await work(merchantId);
  expect((await seen(ann, merchantId)).moneyCase).toMatchObject({
    state: 'RETURNED',
    refund: { state: 'REFUNDED', refundRef: 'refund-ref-1', sends: 1, nextAttemptAt: null },
  });
});

test('a refused refund shows the reason, and viewers do not see the message of the channel', async () => {
  const merchantId = await aCase('30.00');
  api.channel.refundAnswers.refund = { outcome: 'refused', reason: 'the balance of Mr Li is too low' };
  expect(await change(ann, sendBack(merchantId), returned)).toMatchObject({
    approval: null,
    case: { state: 'RETURNING', refund: { state: 'REQUESTED' } },
  });
  await work(merchantId);
  expect((await seen(ann, merchantId)).moneyCase).toMatchObject({
    state: 'OPEN',
    refund: { state: 'FAILED', lastAnswer: 'refused: the balance of Mr Li is too low' },
  });
  const viewer = await seen(await api.letIn('viewer'), merchantId);
  expect(viewer.moneyCase?.refund).toMatchObject({ state: 'FAILED', lastAnswer: null });
  expect(viewer.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

test('an operator without the role, or of other merchants, cannot refund a case', async () => {
  const merchantId = await aCase('30.00');
  const operator = await api.letIn('operator', 'support', 'admin');
  const { errors } = await ask(api.url, `mutation { ${sendBack(merchantId)} { __typename } }`, { token: operator });
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  const { merchantId: theirs } = await aMerchant(api.domain, 'TH');
  const restricted = await api.letInRestricted({ merchantIds: [theirs] });
  expect(await change(restricted, sendBack(merchantId))).toMatchObject({ reason: 'CASE_NOT_FOUND' });
  expect((await seen(restricted, merchantId)).moneyCase).toBeNull();
});

test('cases with a refund under way can be listed separately', async () => {
  const [open, returning] = [await aCase('1.00'), await aCase('2.00')];
  await change(ann, sendBack(returning));
  const listed = async (states: string) => {
    const filter = `{ merchantIds: ["${open}", "${returning}"], states: [${states}] }`;
    const { data } = await ask(api.url, `{ moneyCases(filter: ${filter}) { edges { node { merchantId } } } }`, {
      token: ann,
    });
    const { edges } = (data as { moneyCases: { edges: { node: { merchantId: string } }[] } }).moneyCases;
    return edges.map(({ node }) => node.merchantId).toSorted();
  };
  expect(await listed('OPEN')).toEqual([open]);
  expect(await listed('RETURNING')).toEqual([returning]);
  expect(await listed('OPEN, RETURNING')).toEqual([open, returning].toSorted());
  expect(await listed('RETURNING, RETURNED')).toEqual([returning]);
  expect(await listed('OPEN, CREDITED')).toEqual([open]);
});

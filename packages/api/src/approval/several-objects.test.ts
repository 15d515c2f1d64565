import { aFundedMerchant, aLine, dayAgo, placePayin, reconcileAll, statementText } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// A request can decide about several objects: cases credited together, breaks that cancel each other out. It waits about each of them.

let api: ApiFixture;
let ann: string;
let bob: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob] = [await api.letIn('finance'), await api.letIn('finance')];
});
afterAll(() => api.close());

async function data<Data>(token: string, query: string): Promise<Data> {
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return data as Data;
}

interface Requested {
  reason?: string;
  message?: string;
  approval?: { approvalId: string; alsoSubjects: string[] } | null;
}

/** Requests a mutation without its end. */
async function request(token: string, mutation: string): Promise<Requested> {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1, mutation.indexOf('('))}Payload`;
  const text = `mutation { it: ${mutation}, reason: "seen") { ... on Problem { reason message } ... on ${type} { approval { approvalId alsoSubjects } } } }`;
  return (await data<{ it: Requested }>(token, text)).it;
}

async function withdraw(approvalId: string | undefined): Promise<void> {
  const text = `mutation { it: withdraw(approvalId: "${approvalId}", reason: "look again") { ... on Approval { state } ... on Problem { message } } }`;
  expect(await data(ann, text)).toEqual({ it: { state: 'WITHDRAWN' } });
}

/** The requests that the page of an object shows. */
async function waitingAbout(merchantId: string, subject: string): Promise<string[]> {
  const filter = `{ merchantIds: ["${merchantId}"], subject: "${subject}", states: [PENDING] }`;
  const { approvals } = await data<{ approvals: { edges: { node: { approvalId: string } }[] } }>(
    bob,
    `{ approvals(filter: ${filter}) { edges { node { approvalId } } } }`,
  );
  return approvals.edges.map(({ node }) => node.approvalId);
}

test('a request to credit cases together waits about each of them, and a waiting request about one of them holds it up', async () => {
  const { merchantId } = await aFundedMerchant(api.domain, 'PK');
  const order = await placePayin(api.domain, merchantId, 'PK');
  const payments = ['P1', 'P2', 'P3', 'P4'].map((reference) => ({ reference, amount: '100.00' }));
  const ref = { merchantId, orderNo: order.orderNo };
  const answer = { outcome: 'paid', payments } as const;
  await api.domain.commit({ type: 'applyReport', ref, channelId: order.channelId, answer, during: 'callback' });
  const credit = (caseNo: number, also = '') =>
    `creditCase(input: { merchantId: "${merchantId}", caseNo: ${caseNo}, toMerchantId: "${merchantId}"${also} }`;
  const together = await request(ann, credit(1, ', alsoCaseNos: ["2"]'));
  const { approvalId = '', alsoSubjects } = together.approval ?? {};
  expect(alsoSubjects).toEqual(['case 2']);
  for (const subject of ['case 1', 'case 2']) expect(await waitingAbout(merchantId, subject)).toEqual([approvalId]);
  expect(await waitingAbout(merchantId, 'case 3')).toEqual([]);

  const refusal = { reason: 'APPROVAL_WAITS', message: expect.stringContaining(approvalId) };
  expect(await request(bob, credit(2))).toMatchObject(refusal);
  expect(await request(bob, credit(3, ', alsoCaseNos: ["2"]'))).toMatchObject(refusal);
  expect(await request(bob, credit(3, ', alsoCaseNos: ["1"]'))).toMatchObject(refusal);
  const actions = `{ moneyCase(merchantId: "${merchantId}", caseNo: 2) { actions { action allowed reason message } } }`;
  const { moneyCase } = await data<{ moneyCase: { actions: { action: string }[] } }>(bob, actions);
  const unasked = { allowed: true, reason: null, message: null };
  // To send it back, one operator is enough at this amount.
  expect(moneyCase.actions).toContainEqual({ action: 'RETURN_CASE', ...unasked });

  await withdraw(approvalId);
  const alone = await request(ann, credit(2));
  expect(alone.approval?.alsoSubjects).toEqual([]);
  expect(await request(bob, credit(1, ', alsoCaseNos: ["2"]'))).toMatchObject({ reason: 'APPROVAL_WAITS' });
  expect((await request(bob, credit(1, ', alsoCaseNos: ["3"]'))).approval?.alsoSubjects).toEqual(['case 3']);
});

test('a request to link two breaks waits about both, and the actions of the other break name it', async () => {
  const day = dayAgo('PK', 3);
  const line = { currency: 'PKR', bookedOn: day, orderNo: null };
  const rows = [
    aLine({ ...line, channelRef: 'L-1' }),
    aLine({ ...line, channelRef: 'L-2', type: 'payout', direction: 'out' }),
    aLine({ ...line, channelRef: 'L-3', type: 'payout', direction: 'out' }),
  ];
  const uploaded = await fetch(`${api.url}/statements?country=PK&name=day.jsonl`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ann}`, 'content-type': 'application/octet-stream' },
    body: statementText(rows),
  });
  const { statement } = (await uploaded.json()) as { statement: { fileNo: number } };
  await data(
    ann,
    `mutation { importStatement(input: { country: PK, channelId: "fake", fileNo: ${statement.fileNo}, format: "json-lines" }, reason: "daily") { __typename } }`,
  );
  await reconcileAll(api.domain);
  const { breaks } = await data<{ breaks: { edges: { node: { breakNo: number; amount: string } }[] } }>(
    ann,
    '{ breaks(filter: { states: [OPEN] }, sort: OLDEST_FIRST) { edges { node { breakNo amount } } } }',
  );
  const of = (amount: string) =>
    breaks.edges.filter(({ node }) => node.amount === amount).map(({ node }) => node.breakNo);
  const [income = 0] = of('100.00');
  const [first = 0, second = 0] = of('-100.00');
  const link = (breakNo: number, other: number) =>
    `resolveBreak(input: { country: PK, breakNo: ${breakNo}, outcome: LINKED, otherBreakNo: ${other} }`;
  const linked = await request(ann, link(income, first));
  expect(linked.approval?.alsoSubjects).toEqual([`break ${first}`]);
  const { approvalId = '' } = linked.approval ?? {};
  expect(await waitingAbout('PLATFORM-PK', `break ${first}`)).toEqual([approvalId]);
  const refusal = { reason: 'APPROVAL_WAITS', message: expect.stringContaining(approvalId) };
  expect(await request(bob, `resolveBreak(input: { country: PK, breakNo: ${first}, outcome: POSTED }`)).toMatchObject(
    refusal,
  );
  expect(await request(bob, link(second, income))).toMatchObject(refusal);
  const { reconciliationBreak } = await data<{ reconciliationBreak: { actions: object[] } }>(
    bob,
    `{ reconciliationBreak(country: PK, breakNo: ${first}) { actions { action allowed reason message } } }`,
  );
  expect(reconciliationBreak.actions).toContainEqual({
    action: 'RESOLVE_BREAK',
    allowed: false,
    ...refusal,
  });
});

import { aFundedMerchant, aMerchant, placePayin, placePayout } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// Notes, and who works on what.

let api: ApiFixture;
let ann: { token: string; operatorId: string };
let bob: typeof ann;
let elsewhere: string;
let merchantId: string;
beforeAll(async () => {
  api = await openApiFixture();
  ({ merchantId } = await aFundedMerchant(api.domain, 'PK', '90000.00', 'market'));
  ann = await letIn(await api.letIn('support', 'finance'));
  bob = await letIn(await api.letIn('operator', 'finance'));
  elsewhere = await api.letInRestricted({ countries: ['CN'] });
});
afterAll(() => api.close());

/** An operator's id is in what they wrote. */
async function letIn(token: string): Promise<{ token: string; operatorId: string }> {
  const { addNote } = await change<{ addNote: { author: string } }>(
    token,
    note(globalId('Merchant', merchantId), 'here I am'),
  );
  return { token, operatorId: addNote.author };
}

const globalId = (type: string, key: string): string => Buffer.from(`${type}:${key}`).toString('base64');

async function change<Data>(token: string, query: string, variables = {}): Promise<Data> {
  const { data, errors } = await ask(api.url, query, { token, variables });
  expect(errors).toEqual([]);
  return data as Data;
}

const problem = '... on Problem { reason message changedBy changedAt } ... on InvalidInput { fields { path } }';
const note = (on: string, text: string): string =>
  `mutation { addNote(on: "${on}", text: "${text}") { __typename ... on Note { noteNo author text } ${problem} } }`;
const work = (name: 'takeWork' | 'releaseWork' | 'assignWork', on: string, to = ''): string =>
  `mutation { it: ${name}(on: "${on}"${to && `, to: "${to}"`}) { __typename ... on WorkPayload { assignment { assignee assignedBy assignedAt } } ${problem} } }`;

interface Worked {
  it: { __typename: string; reason?: string; assignment?: { assignee: string } | null };
}

async function aCase(amount = '100.00'): Promise<{ on: string; caseNo: number }> {
  const { orderNo } = await placePayin(api.domain, merchantId, 'PK', { amount, netAmount: amount, feeAmount: '0.00' });
  for (const reference of ['A', 'B'])
    await api.domain.commit({
      ...({ type: 'applyReport', ref: { merchantId, orderNo }, channelId: 'fake', during: 'callback' } as const),
      answer: { outcome: 'paid', payments: [{ reference: `${orderNo}-${reference}`, amount }] },
    });
  const { rows } = await api.domain.database.pool.query(
    'select max(case_no)::integer as no from money_case where merchant_id = $1',
    [merchantId],
  );
  return { on: globalId('MoneyCase', `${merchantId} ${rows[0].no}`), caseNo: rows[0].no };
}

test('notes about orders, cases and merchants are listed with author and time, newest first; viewers can read but not add them', async () => {
  const order = await placePayout(api.domain, merchantId, 'PK', {});
  const { on: ofCase } = await aCase();
  const ids = [globalId('Payout', `${merchantId} ${order.orderNo}`), ofCase, globalId('Merchant', merchantId)];
  for (const id of ids)
    for (const [who, text] of [
      [ann, 'they called'],
      [bob, 'they called again'],
    ] as const)
      await change(who.token, note(id, text));
  const viewer = await api.letIn('viewer');
  const notes = 'notes(first: 2) { totalCount edges { node { noteNo author text createdAt } } }';
  const query = `query q($ids: [ID!]!) { nodes(ids: $ids) { ... on Order { ${notes} } ... on MoneyCase { ${notes} } ... on Merchant { ${notes} } } }`;
  const { nodes } = await change<{
    nodes: { notes: { totalCount: number; edges: { node: { text: string; author: string; createdAt: string } }[] } }[];
  }>(viewer, query, { ids });
  // The merchant's notes begin with those by which the operators came in.
  expect(nodes.map(({ notes: found }) => found.totalCount)).toEqual([2, 2, 4]);
  for (const { notes: found } of nodes)
    expect(found.edges.map(({ node }) => [node.author, node.text, Date.parse(node.createdAt) > 0])).toEqual([
      [bob.operatorId, 'they called again', true],
      [ann.operatorId, 'they called', true],
    ]);
  const { errors } = await ask(api.url, note(ids[0] ?? '', 'no'), { token: viewer });
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  const log = `{ auditLog(first: 1, filter: { merchantIds: ["${merchantId}"], actions: ["addNote"] }) { edges { node { actor subject detail } } } }`;
  const { auditLog } = await change<{ auditLog: { edges: { node: { actor: string; detail: string } }[] } }>(
    ann.token,
    log,
  );
  expect(auditLog.edges[0]?.node).toMatchObject({ actor: bob.operatorId, subject: merchantId });
  expect(auditLog.edges[0]?.node.detail).not.toContain('called');
});

test('a note that is empty, too long or about an object out of sight is refused, and a note is never changed', async () => {
  const on = globalId('Merchant', merchantId);
  for (const text of [' ', 'x'.repeat(2_001)])
    expect(await change(ann.token, note(on, text))).toMatchObject({
      addNote: { __typename: 'InvalidInput', fields: [{ path: 'text' }] },
    });
  expect(await change(ann.token, note(on, 'x'.repeat(2_000)))).toMatchObject({ addNote: { __typename: 'Note' } });
  expect(await change(elsewhere, note(on, 'mine'))).toMatchObject({ addNote: { reason: 'MERCHANT_NOT_FOUND' } });
  expect(await change(ann.token, note(globalId('MoneyCase', `${merchantId} 999`), 'no'))).toMatchObject({
    addNote: { reason: 'CASE_NOT_FOUND' },
  });
  for (const id of [globalId('Operator', ann.operatorId), globalId('MoneyCase', merchantId), globalId('Payout', 'x')]) {
    const { errors } = await ask(api.url, note(id, 'no'), { token: ann.token });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  }
  for (const sql of ["update note set text = 'x'", 'delete from note'])
    await expect(api.domain.database.pool.query(sql)).rejects.toThrow(/append-only/);
});

test('of two operators who take the same case one gets it and the other sees who; the other may still decide the case', async () => {
  const { on, caseNo } = await aCase();
  const results = await Promise.all([ann, bob].map(({ token }) => change<Worked>(token, work('takeWork', on))));
  const [taker] = results.flatMap(({ it }) => it.assignment ?? []);
  expect([ann.operatorId, bob.operatorId]).toContain(taker?.assignee);
  expect(results.filter(({ it }) => it.reason)).toMatchObject([
    {
      it: {
        __typename: 'Conflict',
        reason: 'ALREADY_ASSIGNED',
        changedBy: taker?.assignee,
        changedAt: expect.stringMatching(/^20/),
      },
    },
  ]);
  const [mine, other] = taker?.assignee === ann.operatorId ? [ann, bob] : [bob, ann];
  expect(await change(mine.token, work('takeWork', on))).toMatchObject({
    it: { assignment: { assignee: mine.operatorId } },
  });
  expect(await change(other.token, work('releaseWork', on))).toMatchObject({
    it: { __typename: 'NotAllowed', reason: 'NOT_YOUR_ASSIGNMENT', changedBy: mine.operatorId },
  });
  const decided = `mutation { it: returnCase(input: { merchantId: "${merchantId}", caseNo: ${caseNo} }, reason: "a test") { __typename } }`;
  expect(await change(other.token, decided)).toEqual({ it: { __typename: 'ReturnCasePayload' } });
  expect(await change(mine.token, work('releaseWork', on))).toMatchObject({ it: { assignment: null } });
  expect(await change(mine.token, work('releaseWork', on))).toMatchObject({ it: { reason: 'NOT_ASSIGNED' } });
});

test('a case of unmatched money belongs to the platform, and is worked on like any other case', async () => {
  const money = { channelId: 'fake', orderNo: 'PI9', reference: 'R', amount: '7.00', direction: 'in' } as const;
  await api.domain.commit({ type: 'bookUnmatched', merchantId: 'PLATFORM-IN', ...money });
  const query = '{ moneyCase(merchantId: "PLATFORM-IN", caseNo: 1) { id reference } }';
  const { moneyCase } = await change<{ moneyCase: { id: string; reference: string } }>(ann.token, query);
  expect(moneyCase.reference).toBe('R');
  expect(await change(ann.token, note(moneyCase.id, 'whose is it?'))).toMatchObject({ addNote: { noteNo: 1 } });
  expect(await change(ann.token, work('takeWork', moneyCase.id))).toMatchObject({
    it: { assignment: { assignee: ann.operatorId } },
  });
  expect(await change(elsewhere, query)).toEqual({ moneyCase: null });
});

test('work is assigned to operators who may see it', async () => {
  const { on } = await aCase();
  expect(await change(ann.token, work('assignWork', on, bob.operatorId))).toMatchObject({
    it: { assignment: { assignee: bob.operatorId, assignedBy: ann.operatorId } },
  });
  const { rows } = await api.domain.database.pool.query("select operator_id from operator where countries = '{CN}'");
  await api.domain.database.pool.query(
    "insert into operator (operator_id, name, roles, enabled) values ('blocked', 'B', '{support}', false)",
  );
  for (const to of [rows[0].operator_id, 'blocked', 'nobody-of-that-name'])
    expect(await change(ann.token, work('assignWork', on, to))).toMatchObject({ it: { reason: 'OPERATOR_NOT_FOUND' } });
  expect(await change(elsewhere, work('takeWork', on))).toMatchObject({ it: { reason: 'CASE_NOT_FOUND' } });
});

test('cases, stuck payouts and tasks are found by their assignee', async () => {
  const { merchantId: own } = await aMerchant(api.domain, 'PK');
  const [task, other] = [await placePayout(api.domain, merchantId, 'PK', { mode: 'market' }), await aCase()];
  await change(bob.token, work('takeWork', globalId('Payout', `${merchantId} ${task.orderNo}`)));
  await change(bob.token, work('assignWork', other.on, bob.operatorId));
  const lists = (filter: string) => `{
    payoutTasks(filter: { ${filter} }, first: 100) { edges { node { orderNo assignment { assignee } } } }
    moneyCases(filter: { states: [OPEN], ${filter} }, first: 100) { edges { node { caseNo assignment { assignee } } } }
    stuckPayouts(filter: { merchantIds: ["${own}"], ${filter} }) { totalCount }
  }`;
  interface Found {
    payoutTasks: { edges: { node: { orderNo: string } }[] };
    moneyCases: { edges: { node: { caseNo: number } }[] };
  }
  const found = async (who: typeof ann, filter: string) => {
    const { payoutTasks, moneyCases } = await change<Found>(who.token, lists(filter));
    return [
      payoutTasks.edges.some(({ node }) => node.orderNo === task.orderNo),
      moneyCases.edges.some(({ node }) => node.caseNo === other.caseNo),
    ];
  };
  expect(await found(bob, 'assigned: ME')).toEqual([true, true]);
  expect(await found(ann, 'assigned: ME')).toEqual([false, false]);
  expect(await found(ann, `assignee: "${bob.operatorId}"`)).toEqual([true, true]);
  expect(await found(ann, 'assigned: ANYBODY')).toEqual([true, true]);
  expect(await found(ann, 'assigned: NOBODY')).toEqual([false, false]);
  const { errors } = await ask(api.url, lists('assigned: ME, assignee: "x"'), { token: ann.token });
  expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
});

test('cases and tasks are sorted by amount, page by page', async () => {
  for (const amount of ['7.00', '900.00', '80.00']) {
    await aCase(amount);
    await placePayout(api.domain, merchantId, 'PK', { mode: 'market', amount, netAmount: amount, feeAmount: '0.00' });
  }
  const amounts = async (list: string, sortBy: string): Promise<number[]> => {
    const found: number[] = [];
    for (let after = ''; ; ) {
      const query = `{ list: ${list}(sortBy: ${sortBy}, first: 2${after}) { edges { node { amount } } pageInfo { hasNextPage endCursor } } }`;
      interface Data {
        list: { edges: { node: { amount: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
      }
      const { edges, pageInfo } = (await change<Data>(ann.token, query)).list;
      found.push(...edges.map(({ node }) => Number(node.amount)));
      if (!pageInfo.hasNextPage) return found;
      after = `, after: "${pageInfo.endCursor}"`;
    }
  };
  for (const list of ['moneyCases', 'payoutTasks']) {
    const largest = await amounts(list, 'LARGEST_FIRST');
    expect(largest).toEqual(largest.toSorted((a, b) => b - a));
    expect(largest).toEqual(expect.arrayContaining([900, 80, 7]));
    expect(await amounts(list, 'SMALLEST_FIRST')).toEqual(largest.toReversed());
  }
});

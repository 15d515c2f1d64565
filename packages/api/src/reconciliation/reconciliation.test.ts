import { aFundedMerchant, aLine, dayAgo, placePayin, reconcileAll, statementText } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// Finance imports a statement, works off what it shows, and closes the day, as GraphQL documents of two operators.

const country = 'PK';
const day = dayAgo(country, 3);
let api: ApiFixture;
let ann: string;
let bob: string;
let merchantId: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob] = [await api.letIn('finance'), await api.letIn('finance')];
  ({ merchantId } = await aFundedMerchant(api.domain, country));
});
afterAll(() => api.close());

async function read<Data>(query: string, token = ann): Promise<Data> {
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return data as Data;
}

async function upload(rows: object[], token = ann, query = `country=${country}&name=day.jsonl`) {
  const response = await fetch(`${api.url}/statements?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: statementText(rows),
  });
  return { status: response.status, ...((await response.json()) as { statement?: { fileNo: number } }) };
}

async function importFile(fileNo: number | undefined, token = ann) {
  const input = `{ country: PK, channelId: "fake", fileNo: ${fileNo}, format: "json-lines" }`;
  const { it } = await read<{
    it: { __typename: string; message?: string; isRepeat?: boolean; statement?: { fileNo: number } };
  }>(
    `mutation { it: importStatement(input: ${input}, reason: "daily") {
      __typename ... on Problem { message } ... on ImportStatementPayload { isRepeat statement { fileNo state channelId } } } }`,
    token,
  );
  return it;
}

/** Ann requests an operation that needs two operators, and Bob approves it. `input` is a GraphQL value without variables. */
async function executeByTwo(operation: string, input: string, expectedVersion?: string): Promise<void> {
  const type = `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Payload`;
  const version = expectedVersion === undefined ? '' : `, expectedVersion: "${expectedVersion}"`;
  const { it } = await read<{ it: { message?: string; approval?: { approvalId: string } } }>(
    `mutation { it: ${operation}(input: ${input}, reason: "seen"${version}) { ... on Problem { message } ... on ${type} { approval { approvalId } } } }`,
  );
  expect(it.message).toBeUndefined();
  const done = await read<{ it: object }>(
    `mutation { it: approve(approvalId: "${it.approval?.approvalId}") { ... on Approval { state } ... on Problem { message } } }`,
    bob,
  );
  expect(done.it).toEqual({ state: 'EXECUTED' });
}

const openBreaks = `{ breaks(filter: { states: [OPEN] }, sort: OLDEST_FIRST) { totalCount edges { node {
  id breakNo kind amount currency day channelId orderNo line { gross channelRef direction } statement { fileNo name }
  notes { edges { node { text } } } assignment { assignee } } } } }`;

test('a statement is imported, two operators resolve its break, and they close the day', async () => {
  const payin = await placePayin(api.domain, merchantId, country);
  const line = aLine({ currency: 'PKR', bookedOn: day, channelRef: 'P-1', orderNo: payin.orderNo });
  const uploaded = await upload([line]);
  expect(uploaded).toMatchObject({ status: 201, statement: { fileNo: expect.any(Number), size: expect.any(Number) } });
  const fileNo = uploaded.statement?.fileNo;
  expect(await importFile(fileNo)).toMatchObject({
    isRepeat: false,
    statement: { fileNo, state: 'RECEIVED', channelId: 'fake' },
  });
  await reconcileAll(api.domain);
  const again = await upload([line]);
  expect(await importFile(again.statement?.fileNo)).toMatchObject({ isRepeat: true, statement: { fileNo } });

  const { breaks } = await read<{ breaks: { totalCount: number; edges: { node: { id: string; breakNo: number } }[] } }>(
    openBreaks,
  );
  const node = breaks.edges[0]?.node;
  expect(node).toMatchObject({
    kind: 'STATUS',
    amount: '100.00',
    currency: 'PKR',
    day,
    channelId: 'fake',
    orderNo: payin.orderNo,
    line: { gross: '100.00', channelRef: 'P-1', direction: 'IN' },
    statement: { fileNo, name: 'day.jsonl' },
  });
  await read(
    `mutation { addNote(on: "${node?.id}", text: "asked the bank") { __typename } takeWork(on: "${node?.id}") { __typename } }`,
  );
  const seen = await read<{
    breaks: { edges: { node: { version: string; actions: object[] } }[] };
    breakAges: object[];
  }>(
    `{ breaks(filter: { states: [OPEN], ages: [DAYS_2_3] }) { edges { node { version outcomes actions { action allowed needsApproval } } } }
      breakAges(filter: { channelIds: ["fake"] }) { country currency age breaks amount } }`,
  );
  const { version, ...decidable } = seen.breaks.edges[0]?.node ?? { version: '' };
  expect(decidable).toMatchObject({
    outcomes: ['LINKED', 'POSTED', 'WRITTEN_OFF'],
    actions: expect.arrayContaining([{ action: 'RESOLVE_BREAK', allowed: true, needsApproval: true }]),
  });
  expect(seen.breakAges).toEqual([{ country: 'PK', currency: 'PKR', age: 'DAYS_2_3', breaks: 1, amount: '100.00' }]);
  const others = await read(
    '{ breaks(filter: { ages: [DAYS_0_1, DAYS_4_7, DAYS_8_UP] }) { edges { node { breakNo } } } }',
  );
  expect(others).toEqual({ breaks: { edges: [] } });
  const outdated = await read<{ it: object }>(
    `mutation { it: resolveBreak(input: { country: PK, breakNo: ${node?.breakNo}, outcome: POSTED }, reason: "r", expectedVersion: "000000000000") { ... on Problem { reason } } }`,
  );
  expect(outdated.it).toEqual({ reason: 'VERSION_OUTDATED' });
  const worked = await read<{ breaks: { edges: { node: object }[] } }>(openBreaks);
  expect(worked.breaks.edges[0]?.node).toMatchObject({
    notes: { edges: [{ node: { text: 'asked the bank' } }] },
    assignment: { assignee: expect.stringMatching(/^op-/) },
  });
  const days = `{ reconciliationDays(input: { from: "${day}", to: "${day}" }) { channelId day state isCovered openBreaks difference lines statementNet } }`;
  expect(await read(days)).toEqual({
    reconciliationDays: [
      {
        channelId: 'fake',
        day,
        state: 'OPEN',
        isCovered: true,
        openBreaks: 1,
        difference: '100.00',
        lines: 1,
        statementNet: '100.00',
      },
    ],
  });
  const detail = `{ reconciliationDay(country: PK, channelId: "fake", day: "${day}") { closingProblems openByKind { kind breaks difference } day { explainedLines } } }`;
  expect(await read(detail)).toEqual({
    reconciliationDay: {
      closingProblems: ['1 breaks are open, over 100.00'],
      openByKind: [{ kind: 'STATUS', breaks: 1, difference: '100.00' }],
      day: { explainedLines: 0 },
    },
  });
  const found = `a: breaks(filter: { amount: "100.00" }) { totalCount } b: breaks(filter: { amount: "-100.00" }) { totalCount }
    c: statements(filter: { day: "${day}" }) { totalCount } d: statements(filter: { day: "2020-01-01" }) { totalCount }`;
  expect(await read(`{ ${found} }`)).toEqual({
    a: { totalCount: 1 },
    b: { totalCount: 0 },
    c: { totalCount: 1 },
    d: { totalCount: 0 },
  });
  // Until its break has ended, the day cannot be closed.
  const waiting = `{ workLists { list count } waitingDays(filter: { waitsFor: CLOSING }) { totalCount edges { node { day channelId country } } } }`;
  const waits = async () => {
    const { workLists, waitingDays } = await read<{
      workLists: { list: string; count: number }[];
      waitingDays: { totalCount: number; edges: object[] };
    }>(waiting);
    const countOf = (name: string) => workLists.find(({ list }) => list === name)?.count;
    expect(countOf('DAYS_TO_CLOSE')).toBe(waitingDays.totalCount);
    return { breaks: countOf('OPEN_BREAKS'), missing: countOf('MISSING_STATEMENTS'), days: waitingDays.edges };
  };
  expect(await waits()).toEqual({ breaks: 1, missing: 0, days: [] });
  const dayInput = `{ country: PK, channelId: "fake", day: "${day}" }`;
  const { it } = await read<{ it: { message: string } }>(
    `mutation { it: closeDay(input: ${dayInput}, reason: "r") { ... on Problem { message } } }`,
  );
  expect(it.message).toContain('1 breaks are open, over 100.00');

  await executeByTwo('resolveBreak', `{ country: PK, breakNo: ${node?.breakNo}, outcome: POSTED }`, version);
  await reconcileAll(api.domain);
  expect(
    await read(
      `{ reconciliationBreak(country: PK, breakNo: ${node?.breakNo}) { state decidedBy approver reason expectation { amount orderNo } } order(orderNo: "${payin.orderNo}") { status } }`,
    ),
  ).toMatchObject({
    reconciliationBreak: { state: 'POSTED', reason: 'seen', expectation: null },
    order: { status: 'COMPLETED' },
  });
  expect(await read(detail)).toEqual({
    reconciliationDay: { closingProblems: [], openByKind: [], day: { explainedLines: 1 } },
  });
  // The statement has it on its day, and the ledger on the day on which it was entered.
  const explanation = `{ reconciliationDay(country: PK, channelId: "fake", day: "${day}") {
    day { statementNet ledgerNet difference } explanation { reason breakKind breakState breakNos count amount } } }`;
  const part = { breakKind: null, breakState: null, breakNos: [], count: 1, amount: '100.00' };
  expect(await read(explanation)).toEqual({
    reconciliationDay: {
      day: { statementNet: '100.00', ledgerNet: '0.00', difference: '0.00' },
      explanation: [{ reason: 'OTHER_DAYS', ...part }],
    },
  });
  expect(await waits()).toEqual({ breaks: 0, missing: 0, days: [{ node: { day, channelId: 'fake', country: 'PK' } }] });
  await executeByTwo('closeDay', dayInput);
  expect(await waits()).toEqual({ breaks: 0, missing: 0, days: [] });
  expect(await read(days)).toMatchObject({
    reconciliationDays: [{ state: 'CLOSED', openBreaks: 0, difference: '0.00' }],
  });
  const reopened = await read<{ it: object }>(
    `mutation { it: reopenDay(input: ${dayInput}, reason: "late file") { ... on ReopenDayPayload { day { state reopenedBy } } } }`,
  );
  expect(reopened.it).toMatchObject({ day: { state: 'OPEN', reopenedBy: expect.stringMatching(/^op-/) } });
  const { rows } = await api.domain.database.pool.query<{ action: string }>(
    "select action from audit_record where merchant_id = 'PLATFORM-PK' and action in ('importStatement', 'resolveBreak', 'closeDay', 'reopenDay') order by audit_no",
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'importStatement',
    'importStatement',
    'resolveBreak',
    'closeDay',
    'reopenDay',
  ]);
});

test('a channel shows its reconciliation settings to operators who may see its country', async () => {
  await executeByTwo('setReconciliation', '{ country: PK, channelId: "fake", tolerance: "0.05", account: "PK-1" }');
  const query =
    '{ channel(channelId: "fake") { reconciliations { country currency beginsOn tolerance account fetches } } }';
  const reconciliation = {
    country: 'PK',
    currency: 'PKR',
    beginsOn: day,
    tolerance: '0.05',
    account: 'PK-1',
    fetches: false,
  };
  expect(await read(query)).toEqual({ channel: { reconciliations: [reconciliation] } });
  for (const to of [{ countries: ['TH' as const] }, { merchantIds: [merchantId] }])
    expect(JSON.stringify(await read(query, await api.letInRestricted(to)))).not.toContain(day);
  expect(
    await read(
      '{ a: approvals(filter: { subject: "fake" }) { totalCount } b: approvals(filter: { subject: "fak" }) { totalCount } }',
    ),
  ).toEqual({ a: { totalCount: 1 }, b: { totalCount: 0 } });
  // Both operators read the settings at the same version. The second change is refused, so it does not overwrite the first.
  const { channel } = await read<{ channel: { reconciliations: { version: string }[] } }>(
    '{ channel(channelId: "fake") { reconciliations { version } } }',
  );
  const seen = channel.reconciliations[0]?.version;
  const change = (tolerance: string, version = seen) =>
    read<{ it: { __typename: string; reason?: string; approval?: { approvalId: string } } }>(
      `mutation { it: setReconciliation(input: { country: PK, channelId: "fake", tolerance: "${tolerance}" }, reason: "r", expectedVersion: "${version}") {
        __typename ... on Problem { reason } ... on SetReconciliationPayload { approval { approvalId } } } }`,
    );
  await executeByTwo('setReconciliation', '{ country: PK, channelId: "fake", tolerance: "0.07" }');
  expect((await change('0.08')).it).toMatchObject({ reason: 'VERSION_OUTDATED' });
  expect((await change('0.08', 'new')).it).toMatchObject({ reason: 'VERSION_OUTDATED' });
});

test('operators of another country or of some merchants see nothing, and may not upload or import; without the role finance no upload is accepted', async () => {
  const thai = await api.letInRestricted({ countries: ['TH'] });
  const ofMerchant = await api.letInRestricted({ merchantIds: [merchantId] });
  for (const token of [thai, ofMerchant]) {
    expect((await upload([{}], token)).status).toBe(403);
    const seen = await read<object>(
      `{ statements { edges { node { fileNo } } } breaks { edges { node { breakNo } } } reconciliationDays(input: { from: "${day}", to: "${day}" }) { day } reconciliationBreak(country: PK, breakNo: 1) { breakNo }
        reconciliationDay(country: PK, channelId: "fake", day: "${day}") { closingProblems } breakAges { breaks } }`,
      token,
    );
    expect(seen).toEqual({
      statements: { edges: [] },
      breaks: { edges: [] },
      reconciliationDays: [],
      reconciliationBreak: null,
      reconciliationDay: null,
      breakAges: [],
    });
    expect(await importFile(1, token)).toMatchObject({ message: expect.any(String) });
  }
  const pakistani = await api.letInRestricted({ countries: ['PK'] });
  const { statements } = await read<{ statements: { edges: object[] } }>(
    '{ statements { edges { node { fileNo } } } }',
    pakistani,
  );
  expect(statements.edges.length).toBeGreaterThan(0);
  expect((await upload([{}], await api.letIn('support', 'admin'))).status).toBe(403);
});

test('an upload needs a country and a content, an import a format', async () => {
  expect((await upload([{}], ann, 'country=XX')).status).toBe(400);
  expect((await upload([])).status).toBe(400);
  const wrong = await read<{ it: { message: string } }>(
    'mutation { it: importStatement(input: { country: PK, channelId: "fake", fileNo: 1, format: "none-such" }, reason: "r") { ... on Problem { message } } }',
  );
  expect(wrong.it.message).toContain('no such statement format');
});

test('the sums of a day are explained part by part: open breaks, ended breaks and fees, which add up to their difference', async () => {
  const on = dayAgo(country, 5);
  const line = { currency: 'PKR' as const, bookedOn: on, orderNo: null };
  const rows = [
    aLine({ ...line, channelRef: 'E-1', gross: '70.00' }),
    aLine({ ...line, channelRef: 'E-2', gross: '20.00', fee: '1.50', net: '18.50' }),
    aLine({ ...line, channelRef: 'E-3', gross: '5.00', direction: 'out', type: 'fee' }),
  ];
  await executeByTwo('setReconciliation', `{ country: PK, channelId: "fake", beginsOn: "${on}" }`);
  const uploaded = await upload(rows, ann, `country=${country}&name=parts.jsonl`);
  await importFile(uploaded.statement?.fileNo);
  await reconcileAll(api.domain);
  interface Part {
    reason: string;
    breakKind: string | null;
    breakState: string | null;
    breakNos: number[];
    amount: string;
  }
  const parts = async () => {
    const { reconciliationDay: found } = await read<{
      reconciliationDay: { day: { statementNet: string; ledgerNet: string }; explanation: Part[] };
    }>(
      `{ reconciliationDay(country: PK, channelId: "fake", day: "${on}") {
        day { statementNet ledgerNet } explanation { reason breakKind breakState breakNos amount } } }`,
    );
    const { statementNet, ledgerNet } = found.day;
    const sum = found.explanation.reduce((all, { amount }) => all + Number(amount), 0);
    expect(sum).toBeCloseTo(Number(statementNet) - Number(ledgerNet), 2);
    return found.explanation.map(({ breakNos: _, ...part }) => part);
  };
  const of = (breakKind: string, breakState: string, amount: string) => ({
    reason: 'BREAK',
    breakKind,
    breakState,
    amount,
  });
  expect(await parts()).toEqual([of('FEE', 'OPEN', '-6.50'), of('MISSING_IN_LEDGER', 'OPEN', '90.00')]);
  const { breaks } = await read<{ breaks: { edges: { node: { breakNo: number } }[] } }>(
    `{ breaks(filter: { states: [OPEN], kinds: [FEE], amount: "-5.00" }) { edges { node { breakNo } } } }`,
  );
  await executeByTwo('resolveBreak', `{ country: PK, breakNo: ${breaks.edges[0]?.node.breakNo}, outcome: POSTED }`);
  await reconcileAll(api.domain);
  expect(await parts()).toEqual([
    of('FEE', 'OPEN', '-1.50'),
    of('FEE', 'POSTED', '-5.00'),
    of('MISSING_IN_LEDGER', 'OPEN', '90.00'),
  ]);
});

import { aCycle, aFundedMerchant, aMerchant, moveEntriesTo, runSettlements } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// Finance sets a cycle, drafts, approves, pays and takes back a settlement, as GraphQL documents of two operators.

let api: ApiFixture;
let ann: string;
let bob: string;
let merchantId: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob] = [await api.letIn('finance'), await api.letIn('finance')];
  ({ merchantId } = await aFundedMerchant(api.domain, 'IN', '500.00'));
  await moveEntriesTo(api.domain, merchantId, '2026-11-10T05:00:00Z');
});
afterAll(() => api.close());

async function read<Data>(query: string, token = ann): Promise<Data> {
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return data as Data;
}

interface Asked {
  it: { message?: string; reason?: string; approval?: { approvalId: string; asked?: object[] } };
}

/** Asks for an operation that two have to agree on, as Ann. Resolves to its approval. */
async function askForTwo(name: string, input: string): Promise<string> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`;
  const { it } = await read<Asked>(
    `mutation { it: ${name}(input: { merchantId: "${merchantId}" ${input} }, reason: "seen") {
      ... on Problem { message } ... on ${type} { approval { approvalId } } } }`,
  );
  expect(it.message).toBeUndefined();
  return it.approval?.approvalId ?? '';
}

async function approve(approvalId: string): Promise<object> {
  const { it } = await read<{ it: object }>(
    `mutation { it: approve(approvalId: "${approvalId}") { ... on Approval { state } ... on Problem { reason } } }`,
    bob,
  );
  return it;
}

const agree = async (name: string, input: string) => approve(await askForTwo(name, input));

async function settlementNow(token = ann, fields = '') {
  const { settlements } = await read<{ settlements: { edges: { node: Record<string, unknown> }[] } }>(
    `{ settlements(filter: { merchantIds: ["${merchantId}"] }) { edges { node {
      settlementNo country state draftVersion amount opening closing pending cutOff sums { kind amount count } account { ending } actions { action allowed } ${fields} } } } }`,
    token,
  );
  return settlements.edges[0]?.node ?? {};
}

test('two operators set up, draft, approve, pay and fail a settlement', async () => {
  const account = '{ holder: "Lotus", number: "IN12 3456 7890", bank: "HDFCINBB" }';
  const cycle = `, workingDays: 1, weekdays: [MON, TUE, WED, THU, FRI], keep: "100", beginsOn: "2026-11-01", account: ${account}`;
  // The second operator compares the whole number. Viewers never see it, and after the decision it is deleted.
  const requested = await askForTwo('setSettlementCycle', cycle);
  const accountOf = (token: string) =>
    ask(api.url, `{ approval(approvalId: "${requested}") { input bankAccount { holder number bank } } }`, { token });
  const seen = { holder: 'Lotus', number: 'IN12 3456 7890', bank: 'HDFCINBB' };
  expect(await accountOf(bob)).toMatchObject({ data: { approval: { bankAccount: seen } }, errors: [] });
  expect((await accountOf(await api.letIn('viewer'))).errors).not.toEqual([]);
  expect(await approve(requested)).toEqual({ state: 'EXECUTED' });
  expect((await accountOf(bob)).data).toMatchObject({ approval: { bankAccount: null } });
  const set = await read(
    `{ settlementCycle(merchantId: "${merchantId}") { workingDays weekdays minimum keep beginsOn version account { ending } payee { number } actions { action allowed } } }`,
  );
  expect(set).toMatchObject({
    settlementCycle: {
      workingDays: 1,
      minimum: '0.00',
      keep: '100.00',
      beginsOn: '2026-11-01',
      account: { ending: '7890' },
      actions: ['SET_SETTLEMENT_CYCLE', 'REMOVE_SETTLEMENT_CYCLE'].map((action) => ({ action, allowed: true })),
    },
  });

  const listed = `{ settlementCycles(filter: { merchantIds: ["${merchantId}"] }) { totalCount edges { node { merchantId } } } }`;
  expect(await read(listed)).toEqual({ settlementCycles: { totalCount: 1, edges: [{ node: { merchantId } }] } });

  const run = `mutation { it: draftSettlements(input: { country: IN, day: "2026-11-11" }, reason: "daily") {
    __typename ... on DraftSettlementsPayload { day settlementNos failed skipped nextAfter } } }`;
  const drafted = await read<{ it: { settlementNos: string[] } }>(run);
  expect(drafted.it).toMatchObject({ day: '2026-11-11', failed: [], nextAfter: null });
  expect(await read(run)).toEqual(drafted);
  const [settlementNo = ''] = drafted.it.settlementNos;
  const payee = 'payee { holder number bank }';
  expect(await settlementNow(ann, payee)).toMatchObject({
    settlementNo,
    country: 'IN',
    state: 'DRAFT',
    draftVersion: 1,
    amount: '400.00',
    opening: '0.00',
    closing: '500.00',
    pending: '0.00',
    cutOff: '2026-11-10',
    sums: [{ kind: 'TOP_UPS', amount: '500.00', count: 1 }],
    payee: { holder: 'Lotus', number: 'IN12 3456 7890', bank: 'HDFCINBB' },
    actions: [{ action: 'APPROVE_SETTLEMENT', allowed: true }],
  });

  const found = async (filter: string) =>
    (
      await read<{ settlements: { edges: object[] } }>(
        `{ settlements(filter: { merchantIds: ["${merchantId}"], ${filter} }) { edges { node { settlementNo } } } }`,
      )
    ).settlements.edges.length;
  const at = 'runDayFrom: "2026-11-11", runDayTo: "2026-11-11"';
  expect(await found(`settlementNo: "${settlementNo}", currencies: [INR], ${at}`)).toBe(1);
  expect(await found('states: [DRAFT], hasAmount: true')).toBe(1);
  expect(await found('hasAmount: false')).toBe(0);
  for (const other of [
    'settlementNo: "STNONE000001"',
    'currencies: [THB]',
    'runDayFrom: "2026-11-12"',
    'runDayTo: "2026-11-10"',
  ])
    expect(await found(other)).toBe(0);

  const entries = `{ settlementEntries(filter: { merchantId: "${merchantId}", settlementNo: "${settlementNo}" }) {
    totalCount edges { node { type availableChange } } } }`;
  expect(await read(entries)).toEqual({
    settlementEntries: { totalCount: 1, edges: [{ node: { type: 'TOP_UP', availableChange: '500.00' } }] },
  });

  const named = `, settlementNo: "${settlementNo}"`;
  const old = await askForTwo('approveSettlement', named);
  expect(await agree('setSettlementCycle', ', keep: "50"')).toEqual({ state: 'EXECUTED' });
  await read(run);
  expect(await approve(old)).toEqual({ reason: 'VERSION_OUTDATED' });
  expect(await settlementNow()).toMatchObject({ draftVersion: 2, amount: '450.00' });
  expect(await agree('approveSettlement', named)).toEqual({ state: 'EXECUTED' });
  const paid = `mutation { it: paySettlement(input: { merchantId: "${merchantId}" ${named}, reference: "UTR-1" }, reason: "sent") {
    ... on Problem { reason } ... on PaySettlementPayload { settlement { state reference } } } }`;
  const unsent = await askForTwo('failSettlement', `${named}, detail: "was not sent"`);
  expect(await read(paid)).toEqual({ it: { settlement: { state: 'PAID', reference: 'UTR-1' } } });
  expect(await read(paid)).toEqual({ it: { reason: 'SETTLEMENT_NOT_THERE' } });
  // This approval was requested before the payment was claimed.
  expect(await approve(unsent)).toEqual({ reason: 'VERSION_OUTDATED' });
  expect(await agree('failSettlement', `${named}, detail: "account closed"`)).toEqual({ state: 'EXECUTED' });
  expect(await settlementNow(ann, 'caseNo')).toMatchObject({ state: 'FAILED', caseNo: 1, actions: [] });
  const { moneyCases } = await read<{ moneyCases: object }>(
    `{ moneyCases(filter: { kinds: [SETTLEMENT_FAILED] }) { edges { node { caseNo state amount reference actions { action allowed } } } } }`,
  );
  expect(moneyCases).toMatchObject({
    edges: [{ node: { state: 'OPEN', amount: '450.00', reference: settlementNo } }],
  });
  const close = `mutation { it: returnCase(input: { merchantId: "${merchantId}", caseNo: 1 }, reason: "a typo") {
    ... on Problem { reason } ... on ReturnCasePayload { case { state } } } }`;
  expect(await read(close)).toEqual({ it: { case: { state: 'RETURNED' } } });
});

test('approved settlements are put into a bank file that finance alone downloads', async () => {
  const { merchantId: id } = await aFundedMerchant(api.domain, 'PK', '70.00');
  await moveEntriesTo(api.domain, id, '2026-11-10T05:00:00Z');
  await aCycle(api.domain, id);
  const [settlementNo = ''] = await runSettlements(api.domain, 'PK', '2026-11-12');
  const ofOwn = `mutation { it: approveSettlement(input: { merchantId: "${id}", settlementNo: "${settlementNo}" }, reason: "seen") {
    ... on Problem { message } ... on ApproveSettlementPayload { approval { approvalId } } } }`;
  expect(await approve((await read<Asked>(ofOwn)).it.approval?.approvalId ?? '')).toEqual({ state: 'EXECUTED' });
  const account = '{ holder: "Tidegate", number: "1112223334", bank: "BKKBTHBK" }';
  const { it } =
    await read<Asked>(`mutation { it: createSettlementFile(input: { country: PK, account: ${account} }, reason: "daily") {
    ... on Problem { message } ... on CreateSettlementFilePayload { approval { approvalId } } } }`);
  expect(await approve(it.approval?.approvalId ?? '')).toEqual({ state: 'EXECUTED' });
  const { settlementFiles } = await read<{
    settlementFiles: { totalCount: number; edges: { node: Record<string, string> }[] };
  }>(
    '{ settlementFiles { totalCount edges { node { fileNo state currency total settlements downloadPath account { ending } } } } }',
  );
  expect(settlementFiles.totalCount).toBe(1);
  const file = settlementFiles.edges[0]?.node ?? {};
  expect(file).toMatchObject({
    state: 'READY',
    currency: 'PKR',
    total: '70.00',
    settlements: 1,
    account: { ending: '3334' },
  });
  const paid = `{ settlements(filter: { fileNo: "${file.fileNo}" }) { edges { node { settlementNo state fileNo } } } }`;
  expect(await read(paid)).toMatchObject({ settlements: { edges: [{ node: { settlementNo, state: 'PAID' } }] } });
  const get = (token: string) =>
    fetch(new URL(file.downloadPath ?? '', api.url), { headers: { authorization: `Bearer ${token}` } });
  const downloaded = await get(bob);
  expect(downloaded.status).toBe(200);
  expect(await downloaded.text()).toContain(`<EndToEndId>${settlementNo}</EndToEndId>`);
  expect((await get(await api.letIn('viewer', 'support'))).status).toBe(403);
  expect((await fetch(new URL('/settlement-files/SFPK000001', api.url))).status).toBe(401);
});

test('operators who may not see the merchant, or personal data, see no settlement, or no account', async () => {
  const { merchantId: other } = await aMerchant(api.domain, 'IN');
  await aCycle(api.domain, other);
  const viewer = await api.letIn('viewer');
  expect(
    (await ask(api.url, '{ settlements { edges { node { payee { number } } } } }', { token: viewer })).errors,
  ).not.toEqual([]);
  expect(await settlementNow(viewer)).toMatchObject({ state: 'FAILED', account: { ending: '7890' } });
  const restricted = await api.letInRestricted({ merchantIds: [other] });
  const seen = `{ settlements { edges { node { settlementNo } } } mine: settlementCycle(merchantId: "${other}") { merchantId }
    settlementEntries(filter: { merchantId: "${merchantId}" }) { edges { node { type } } }
    others: settlementCycle(merchantId: "${merchantId}") { merchantId } }`;
  expect(await read(seen, restricted)).toEqual({
    settlements: { edges: [] },
    settlementEntries: { edges: [] },
    mine: { merchantId: other },
    others: null,
  });
  const removed = `mutation { it: removeSettlementCycle(input: { merchantId: "${merchantId}" }, reason: "no") {
    ... on Problem { reason } } }`;
  expect(await read(removed, restricted)).toEqual({ it: { reason: 'MERCHANT_NOT_FOUND' } });
  const run = `mutation { it: draftSettlements(input: { country: IN, day: "2026-11-11" }, reason: "no") { ... on Problem { reason } } }`;
  expect(await read(run, restricted)).toMatchObject({ it: { reason: expect.stringMatching(/NOT_FOUND|FORBIDDEN/) } });
});

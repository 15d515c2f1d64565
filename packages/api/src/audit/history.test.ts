import { setChannel } from '@tidegate/domain/admin';
import { aMerchant } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
let merchantId: string;
let viewer: string;
beforeAll(async () => {
  api = await openApiFixture();
  ({ merchantId } = await aMerchant(api.domain, 'IN'));
  viewer = await api.letIn('viewer');
  const [ann, bob] = [await api.letIn('admin'), await api.letIn('admin')];
  for (const burst of [11, 12, 13])
    await change(
      ann,
      `setMerchant(input: { merchantId: "${merchantId}", requestBurst: ${burst} }, reason: "burst ${burst}")`,
    );
  const fee = `setFeeRule(input: { merchantId: "${merchantId}", kind: PAYIN, percent: "3.5", fixed: "1.00" }, reason: "dearer")`;
  const requested = await change(ann, fee, '... on SetFeeRulePayload { approval { approvalId } }');
  const { approvalId } = requested.approval as { approvalId: string };
  await change(bob, `approve(approvalId: "${approvalId}")`);
  await setChannel(api.domain, {
    channelId: 'acme',
    adapter: 'market',
    baseUrl: '',
    credentials: {},
  });
  await change(ann, 'disableChannel(input: { channelId: "acme" }, reason: "closed")');
  const bank =
    'mapBank(input: { channelId: "acme", kind: PAYIN, bankCode: "HBL", channelBankCode: "H" }, reason: "a bank")';
  const mapping = await change(ann, bank, '... on MapBankPayload { approval { approvalId } }');
  await change(bob, `approve(approvalId: "${(mapping.approval as { approvalId: string }).approvalId}")`);
});
afterAll(() => api.close());

async function change(token: string, mutation: string, fields = ''): Promise<Record<string, unknown>> {
  const { data, errors } = await ask(api.url, `mutation { change: ${mutation} { __typename ${fields} } }`, { token });
  expect(errors).toEqual([]);
  return data?.change as Record<string, unknown>;
}

const fields = `edges { cursor node { version at actor approver approvalId action subject reason changes { field before after } } }
  pageInfo { hasNextPage endCursor } totalCount totalCountIsExact`;

interface History {
  edges: { node: { version: number; action: string; changes: { field: string }[] } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

async function historyOf(token: string, args: string): Promise<History> {
  const { data, errors } = await ask(api.url, `{ found: merchantHistory(${args}) { ${fields} } }`, { token });
  expect(errors).toEqual([]);
  return data?.found as History;
}

test('a viewer reads who changed what, the newest first, page by page', async () => {
  const first = await historyOf(viewer, `merchantId: "${merchantId}", first: 2`);
  expect(first.edges.map(({ node }) => node)).toMatchObject([
    {
      version: 4,
      action: 'setFeeRule',
      subject: 'fee payin',
      reason: 'dearer',
      approver: expect.any(String),
      approvalId: expect.any(String),
      changes: [
        { field: 'percent', before: '2.5000', after: '3.5' },
        { field: 'fixed', before: '0.00', after: '1.00' },
      ],
    },
    {
      version: 3,
      action: 'setMerchant',
      approver: null,
      changes: [{ field: 'requestBurst', before: '12', after: '13' }],
    },
  ]);
  expect(first).toMatchObject({ pageInfo: { hasNextPage: true }, totalCount: 4, totalCountIsExact: true });
  const second = await historyOf(viewer, `merchantId: "${merchantId}", first: 2, after: "${first.pageInfo.endCursor}"`);
  expect(second.edges.map(({ node }) => node.version)).toEqual([2, 1]);
  expect(second.pageInfo.hasNextPage).toBe(false);
});

test('the history of an unknown merchant, or of a merchant outside of the restriction, is empty', async () => {
  const elsewhere = await api.letInRestricted({ countries: ['PK'] }, ['viewer']);
  const here = await api.letInRestricted({ merchantIds: [merchantId] }, ['viewer']);
  expect((await historyOf(elsewhere, `merchantId: "${merchantId}"`)).edges).toEqual([]);
  expect((await historyOf(here, `merchantId: "${merchantId}"`)).edges).toHaveLength(4);
  expect((await historyOf(viewer, 'merchantId: "IN-NOBODY"')).edges).toEqual([]);
});

test.each([
  ['the platform', 'merchantId: "PLATFORM"'],
  ['a wrong number', 'merchantId: "a b"'],
  ['too large a page', 'merchantId: "IN-1", first: 101'],
  ['a cursor of another list', 'merchantId: "IN-1", after: "WyJvcmRlcnMiLDEsIkEiXQ"'],
])('%s is refused', async (_, args) => {
  const { errors } = await ask(api.url, `{ merchantHistory(${args}) { edges { cursor } } }`, { token: viewer });
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

test('unrestricted operators see the platform’s history, without secrets and personal data', async () => {
  const query = `{ configurationHistory { ${fields} } }`;
  const { data, errors } = await ask(api.url, query, { token: viewer });
  expect(errors).toEqual([]);
  const edges = (data?.configurationHistory as History | undefined)?.edges ?? [];
  expect(edges.map(({ node }) => node)).toMatchObject([
    { action: 'mapBank', changes: [{ field: 'channelBankCode', before: null, after: 'H' }] },
    { action: 'setChannelEnabled', changes: [{ field: 'enabled', before: 'true', after: 'false' }] },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/hush|credentials"/);
  const refused = await ask(api.url, query, { token: await api.letInRestricted({ countries: ['IN'] }) });
  expect(refused.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

test('the history of a new or linked operator shows rights, but no personal names', async () => {
  const [ann, bob] = [await api.letIn('admin'), await api.letIn('admin')];
  const payloads = [
    [
      'createOperator(input: { operatorId: "zoe", name: "Zoe Secret", roles: [VIEWER] }, reason: "new")',
      'CreateOperatorPayload',
    ],
    [
      'linkIdentity(input: { operatorId: "zoe", issuer: "https://id.test", subject: "zoe-subject" }, reason: "id")',
      'LinkIdentityPayload',
    ],
  ] as const;
  for (const [mutation, payload] of payloads) {
    const requested = await change(ann, mutation, `... on ${payload} { approval { approvalId } }`);
    await change(bob, `approve(approvalId: "${(requested.approval as { approvalId: string }).approvalId}")`);
  }
  const { data } = await ask(api.url, `{ configurationHistory(first: 2) { ${fields} } }`, { token: viewer });
  const edges = (data?.configurationHistory as History | undefined)?.edges ?? [];
  expect(edges.map(({ node }) => node.action)).toEqual(['linkIdentity', 'createOperator']);
  expect(edges[1]?.node.changes.map(({ field }) => field)).toEqual(expect.arrayContaining(['roles', 'enabled']));
  expect(JSON.stringify(data)).not.toMatch(/Zoe Secret|id\.test|zoe-subject/);
});

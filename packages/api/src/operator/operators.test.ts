import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

let api: ApiFixture;
let ann: string;
let bob: string;
let viewer: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob, viewer] = [await api.letIn('admin'), await api.letIn('admin'), await api.letIn('viewer')];
});
afterAll(() => api.close());

async function data(token: string, query: string, variables = {}): Promise<Record<string, unknown>> {
  const { data, errors } = await ask(api.url, query, { token, variables });
  expect(errors).toEqual([]);
  return data ?? {};
}
const meOf = async (token: string) =>
  ((await data(token, '{ me { operatorId } }')).me as { operatorId: string }).operatorId;

test('an operator shows its requester and approver, and the minute in which a token was last used', async () => {
  const created = 'createOperator(input: { operatorId: "mei", name: "Mei Lin", roles: [VIEWER] }, reason: "joins")';
  const { it } = (await data(
    ann,
    `mutation { it: ${created} { ... on CreateOperatorPayload { approval { approvalId } } } }`,
  )) as {
    it: { approval: { approvalId: string } };
  };
  await data(bob, `mutation { approve(approvalId: "${it.approval.approvalId}") { __typename } }`);
  const node = async (id: string) => {
    const found = await data(
      ann,
      `{ operators(first: 50) { edges { node { operatorId createdBy { requestedBy approvedBy } } } } }`,
    );
    const { edges } = found.operators as { edges: { node: { operatorId: string } }[] };
    return edges.find((edge) => edge.node.operatorId === id)?.node;
  };
  expect(await node('mei')).toEqual({
    operatorId: 'mei',
    createdBy: { requestedBy: await meOf(ann), approvedBy: await meOf(bob) },
  });
  expect(await node(await meOf(ann))).toMatchObject({ createdBy: null });
});

test('every operator can read which roles may do which operation', async () => {
  const query = '{ operationRights { operation summary roles secondOperator wholePlatform } }';
  const { operationRights } = (await data(viewer, query)) as { operationRights: { operation: string }[] };
  const found = (name: string) => operationRights.find(({ operation }) => operation === name);
  expect(found('SET_CHANNEL')).toMatchObject({ roles: ['ADMIN'], secondOperator: 'ALWAYS', wholePlatform: true });
  expect(found('RETURN_CASE')).toMatchObject({
    roles: ['FINANCE'],
    secondOperator: 'ABOVE_LIMIT',
    wholePlatform: false,
  });
  expect(found('DISABLE_CHANNEL')).toMatchObject({ secondOperator: 'NEVER' });
  expect(found('ACCEPT_PROOF')).toMatchObject({ secondOperator: 'DEPENDS' });
});

test('each adapter lists the fields that have to be entered for a channel', async () => {
  const fields =
    'name title hasApi liveBaseUrl carries { country kind } fields { name label isSecret isRequired choices description }';
  const { channelAdapters } = await data(viewer, `{ channelAdapters { ${fields} } }`);
  const key = {
    name: 'key',
    label: 'key',
    isSecret: true,
    isRequired: false,
    choices: null,
    description: 'For tests.',
  };
  expect(channelAdapters).toEqual([
    {
      name: 'fake',
      title: 'Fake',
      hasApi: true,
      liveBaseUrl: null,
      carries: [],
      fields: expect.arrayContaining([key]),
    },
    expect.objectContaining({ name: 'manual', hasApi: false, fields: [] }),
    expect.objectContaining({ name: 'market', hasApi: false, fields: [] }),
  ]);
});

test('a channel is edited without its credentials, which are shown by name and time', async () => {
  const set = async (input: string, secrets?: object) => {
    const more = secrets === undefined ? '' : 'credentials: $secrets';
    const text = `mutation ${secrets === undefined ? '' : 'Set($secrets: Secrets)'} { it: setChannel(input: { channelId: "acme", adapter: "fake", ${input} ${more} }, reason: "a test")
      { __typename ... on SetChannelPayload { approval { approvalId } } ... on InvalidInput { fields { path reason } } } }`;
    const { it } = (await data(ann, text, { secrets })) as {
      it: { approval?: { approvalId: string }; fields?: { path: string; reason: string }[] };
    };
    if (!it.approval) return it.fields;
    return (
      await data(bob, `mutation { it: approve(approvalId: "${it.approval.approvalId}") { ... on Approval { state } } }`)
    ).it;
  };
  const names = async (token = ann) => {
    const text =
      '{ channels(first: 10) { edges { node { channelId baseUrl payinExpirySeconds credentials { name setAt } } } } }';
    const { edges } = (await data(token, text)).channels as {
      edges: { node: { channelId: string; credentials: { name: string; setAt: string }[] } }[];
    };
    return edges.find(({ node }) => node.channelId === 'acme')?.node;
  };
  const missing = [{ path: 'credentials', reason: 'is missing' }];
  // As the adapter answers, field by field and without the secret.
  expect(await set('baseUrl: "http://127.0.0.1:9999"', { Key: 'hush-hush' })).toEqual([
    { path: 'credentials.Key', reason: 'is not known to the adapter: it reads apiKey, key, salt, secret' },
  ]);
  expect(await set('baseUrl: "http://127.0.0.1:9999"')).toEqual(missing);
  await set(`baseUrl: "http://127.0.0.1:9999", payinExpirySeconds: 600`, { key: 'one', salt: 'two' });
  const first = await names();
  expect(first?.credentials.map(({ name }) => name)).toEqual(['key', 'salt']);
  expect(await set('baseUrl: "http://127.0.0.1:9999/v2"')).toEqual({ state: 'EXECUTED' });
  expect(await names()).toEqual({ ...first, baseUrl: 'http://127.0.0.1:9999/v2' });
  await set('', { key: 'three' });
  const second = await names();
  const timeOf = (node: typeof first, of: string) => node?.credentials.find(({ name }) => name === of)?.setAt ?? '';
  expect(timeOf(second, 'salt')).toBe(timeOf(first, 'salt'));
  expect(timeOf(second, 'key') > timeOf(first, 'key')).toBe(true);
  // Kept secrets go to no other host.
  expect(await set('baseUrl: "http://127.0.0.2:9999"')).toEqual(missing);
  await set('baseUrl: "http://127.0.0.2:9999"', { key: 'four' });
  expect((await names())?.credentials.map(({ name }) => name)).toEqual(['key']);
  await set('removedCredentials: ["key"]');
  expect((await names())?.credentials).toEqual([]);
  const { errors } = await ask(api.url, '{ channels(first: 1) { edges { node { credentials { name } } } } }', {
    token: viewer,
  });
  expect(errors[0]?.extensions.code).toBe('FORBIDDEN');
});

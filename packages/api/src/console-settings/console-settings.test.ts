import { viewLimits } from '@tidegate/domain/operators';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// What operators keep of the console: who sees it, who changes it, and how much there can be.

let api: ApiFixture;
let ann: string;
let bob: string;
let admin: string;
let restricted: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, bob, admin] = [await api.letIn('viewer'), await api.letIn('support'), await api.letIn('admin')];
  restricted = await api.letInRestricted({ countries: ['IN'] }, ['admin']);
});
afterAll(() => api.close());

async function data(token: string, query: string, variables = {}): Promise<Record<string, unknown>> {
  const { data, errors } = await ask(api.url, query, { token, variables });
  expect(errors).toEqual([]);
  return data ?? {};
}
const codeOf = async (token: string, query: string, variables = {}) =>
  (await ask(api.url, query, { token, variables })).errors[0]?.extensions.code;

interface View {
  viewId: string;
  name: string;
  mayChange: boolean;
}
const saving = `mutation Save($input: SaveViewInput!) {
  saveView(input: $input) { __typename ... on SavedView { viewId name query shared mayChange } ... on Problem { reason } } }`;
const aView = (input: object = {}) => ({
  screen: 'ORDERS',
  name: 'stuck in India',
  query: 'country=IN&status=PROCESSING',
  shared: false,
  ...input,
});
const save = async (token: string, input: object) =>
  (await data(token, saving, { input: aView(input) })).saveView as View & { reason?: string; query?: string };
const remove = async (token: string, viewId: string) =>
  (
    (await data(token, `mutation { deleteView(viewId: "${viewId}") { __typename ... on Problem { reason } } }`))
      .deleteView as { __typename: string; reason?: string }
  ).reason ?? 'deleted';
const viewsOf = async (token: string, screen = 'ORDERS') =>
  (await data(token, `{ savedViews(screen: ${screen}) { viewId name mayChange } }`)).savedViews as View[];
const namesOf = async (token: string, screen?: string) => (await viewsOf(token, screen)).map(({ name }) => name);
const sharedRecords = async () => {
  const text =
    "select action, subject, detail from audit_record where action in ('saveView', 'deleteView') order by audit_no";
  const { rows } = await api.domain.database.pool.query<{ action: string; detail: string }>(text);
  return rows;
};

test('a private view is seen by its owner alone, replaced by its name, and leaves no record', async () => {
  const { viewId } = await save(ann, {});
  expect(await save(ann, { query: 'country=PK' })).toMatchObject({ viewId, query: 'country=PK' });
  expect(await viewsOf(ann)).toEqual([{ viewId, name: 'stuck in India', mayChange: true }]);
  expect([await viewsOf(bob), await viewsOf(admin), await viewsOf(ann, 'CASES')]).toEqual([[], [], []]);
  expect(await save(admin, { viewId })).toMatchObject({ reason: 'VIEW_NOT_FOUND' });
  expect(await remove(admin, viewId)).toBe('VIEW_NOT_FOUND');
  expect(await remove(ann, viewId)).toBe('deleted');
  expect(await remove(ann, viewId)).toBe('VIEW_NOT_FOUND');
  expect(await sharedRecords()).toEqual([]);
});

test('a shared view is seen by all, changed by its owner and by admins alone, and recorded without its query', async () => {
  const { viewId } = await save(bob, { name: 'everybody', shared: true, query: 'search=Rahul' });
  const inputs = { viewId, name: 'all', query: 'a=1', shared: true };
  expect(await viewsOf(ann)).toEqual([{ viewId, name: 'everybody', mayChange: false }]);
  expect(await save(ann, inputs)).toMatchObject({ reason: 'FORBIDDEN' });
  expect(await remove(ann, viewId)).toBe('FORBIDDEN');
  expect(await save(admin, inputs)).toMatchObject({ viewId, name: 'all', mayChange: true });
  // Made private by an admin it is its owner's again.
  await save(admin, { ...inputs, shared: false });
  expect([await namesOf(ann), await namesOf(bob), await namesOf(admin)]).toEqual([[], ['all'], []]);
  await save(bob, inputs);
  expect(await remove(admin, viewId)).toBe('deleted');
  const records = await sharedRecords();
  expect(records.map(({ action }) => action)).toEqual([...Array(4).fill('saveView'), 'deleteView']);
  expect(records.filter(({ detail }) => detail.includes('Rahul'))).toEqual([]);
});

test('a shared view that its owner makes private by its name alone is recorded too', async () => {
  await save(bob, { name: 'for a day', shared: true });
  const before = await sharedRecords();
  await save(bob, { name: 'for a day', shared: false });
  expect(await namesOf(ann)).not.toContain('for a day');
  expect((await sharedRecords()).slice(before.length)).toMatchObject([
    { action: 'saveView', subject: 'view for a day', detail: expect.stringContaining('shared') },
  ]);
});

test('views of a screen that an operator may not see are neither saved nor shown', async () => {
  await save(admin, { screen: 'OPERATORS', name: 'people', shared: true });
  expect(await namesOf(admin, 'OPERATORS')).toEqual(['people']);
  for (const who of [ann, restricted]) {
    expect(await codeOf(who, '{ savedViews(screen: OPERATORS) { name } }')).toBe('FORBIDDEN');
    expect(await save(who, { screen: 'OPERATORS' })).toMatchObject({ reason: 'FORBIDDEN' });
  }
  expect(await codeOf(restricted, '{ savedViews(screen: QUEUES) { name } }')).toBe('FORBIDDEN');
});

test('a view cannot be renamed to the name of another view, and an input that is too long is refused', async () => {
  const [one] = [await save(ann, { name: 'one' }), await save(ann, { name: 'two' })];
  expect(await save(ann, { viewId: one?.viewId, name: 'two' })).toMatchObject({ reason: 'VIEW_EXISTS' });
  for (const input of [{ query: 'a'.repeat(2_001) }, { query: 'a b' }, { name: 'n'.repeat(81) }, { name: ' ' }])
    expect(await codeOf(ann, saving, { input: aView(input) })).toBe('BAD_USER_INPUT');
  expect(await save(ann, { name: 'longest', query: 'a'.repeat(2_000) })).toMatchObject({ name: 'longest' });
});

test('of many views saved at the same time no more than the limit per operator are kept', async () => {
  const carol = await api.letIn('viewer');
  const most = viewLimits.ofOperator;
  for (let n = 0; n < most - 4; n++) expect(await save(carol, { name: `view ${n}` })).not.toHaveProperty('reason');
  const all = await Promise.all(Array.from({ length: 10 }, (_, n) => save(carol, { name: `last ${n}` })));
  expect(all.filter(({ reason }) => reason === 'TOO_MANY_VIEWS')).toHaveLength(6);
  expect(await viewsOf(carol)).toHaveLength(most);
});

const preferences = 'isDefault timeZone colourScheme columns { screen names }';
const set = async (token: string, input: object) =>
  (
    await data(token, `mutation Set($input: PreferencesInput!) { setPreferences(input: $input) { ${preferences} } }`, {
      input,
    })
  ).setPreferences;
const preferencesOf = async (token: string) => (await data(token, `{ preferences { ${preferences} } }`)).preferences;

test('each operator has preferences, and each part of them is saved separately', async () => {
  expect(await preferencesOf(bob)).toEqual({ isDefault: true, timeZone: 'UTC', colourScheme: 'SYSTEM', columns: [] });
  const orders = { screen: 'ORDERS', names: ['orderNo', 'amount'] };
  await set(ann, { timeZone: 'Asia/Kolkata', columns: [orders, { screen: 'CASES', names: [] }] });
  await set(ann, { colourScheme: 'DARK', columns: [{ screen: 'CASES' }] });
  const chosen = { isDefault: false, timeZone: 'Asia/Kolkata', colourScheme: 'DARK', columns: [orders] };
  expect(await preferencesOf(ann)).toEqual(chosen);
  expect(await preferencesOf(bob)).toMatchObject({ timeZone: 'UTC', columns: [] });
});

test.each<[string, object]>([
  ['an unknown time zone', { timeZone: 'Mars/Olympus' }],
  ['an offset', { timeZone: '+05:30' }],
  ['a column name with a blank', { columns: [{ screen: 'ORDERS', names: ['order no'] }] }],
  ['too many columns', { columns: [{ screen: 'ORDERS', names: Array.from({ length: 41 }, (_, n) => `c${n}`) }] }],
  ['a column twice', { columns: [{ screen: 'ORDERS', names: ['a', 'a'] }] }],
  ['a screen twice', { columns: [{ screen: 'ORDERS' }, { screen: 'ORDERS' }] }],
])('preferences with %s are refused', async (_, input) => {
  const query = 'mutation Set($input: PreferencesInput!) { setPreferences(input: $input) { timeZone } }';
  expect(await codeOf(bob, query, { input })).toBe('BAD_USER_INPUT');
});

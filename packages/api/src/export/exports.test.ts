import { createHash } from 'node:crypto';
import { aFundedMerchant, aMerchant, dayAgo, placePayin } from '@tidegate/domain/testing';
import { writeNextExport } from '@tidegate/domain/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../../test/api-fixture.ts';

// Operators request, follow, download and cancel exports.

let api: ApiFixture;
let ann: string;
let admin: string;
let india: string;
let china: string;
beforeAll(async () => {
  api = await openApiFixture();
  [ann, admin] = [await api.letIn('finance'), await api.letIn('admin')];
  ({ merchantId: india } = await aFundedMerchant(api.domain, 'IN'));
  ({ merchantId: china } = await aMerchant(api.domain, 'CN'));
  for (const merchantOrderNo of ['=1+1', '+1', '-2', '@A1', 'plain'])
    await placePayin(api.domain, india, 'IN', { merchantOrderNo });
  await placePayin(api.domain, china, 'CN', { merchantOrderNo: 'other' });
});
afterAll(() => api.close());

interface Export {
  __typename: string;
  id: string;
  exportId: string;
  state: string;
  path: string | null;
  name: string;
  message?: string;
  fields?: { path: string; reason: string }[];
}

const fields =
  'id exportId kind format state name rowsWritten rowsExpected sizeBytes sha256 failure path requestedBy expiresAt';

async function read<Data>(query: string, token = ann): Promise<Data> {
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return data as Data;
}

async function request(what: string, { token = ann, format = 'CSV' } = {}): Promise<Export> {
  const { it } = await read<{ it: Export }>(
    `mutation { it: requestExport(input: { format: ${format}, ${what} }) { __typename ... on Export { ${fields} }
      ... on Problem { message } ... on InvalidInput { fields { path reason } } } }`,
    token,
  );
  return it;
}

async function cancel(exportId: string, token = ann): Promise<Export> {
  const { it } = await read<{ it: Export }>(
    `mutation { it: cancelExport(exportId: "${exportId}") { __typename ... on Export { ${fields} } ... on Problem { message } } }`,
    token,
  );
  return it;
}

const download = (path: string | null, token = ann): Promise<Response> =>
  fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${token}` } });

async function nodeOf(id: string, token = ann): Promise<Export | null> {
  return (await read<{ node: Export | null }>(`{ node(id: "${id}") { ... on Export { ${fields} } } }`, token)).node;
}

/** Requests an export and lets the worker write it. */
async function written(what: string, options: { token?: string; format?: string } = {}): Promise<Export> {
  const { id, message } = await request(what, options);
  expect(message).toBeUndefined();
  expect(await writeNextExport(api.domain)).toBe('ready');
  const found = await nodeOf(id, options.token);
  if (!found) throw new Error('no export');
  return found;
}

const actionsOf = async (exportId: string): Promise<string[]> => {
  const query = `{ auditLog(filter: { subject: "export ${exportId}" }) { edges { node { action } } } }`;
  const { auditLog } = await read<{ auditLog: { edges: { node: { action: string } }[] } }>(query, admin);
  return auditLog.edges.map(({ node }) => node.action).sort();
};

test('orders are requested by filter, written by the worker, and downloaded as an attachment; all of it is recorded', async () => {
  const answer = await request(`orders: { merchantIds: ["${india}"], kind: PAYIN }`);
  expect(answer).toMatchObject({
    kind: 'ORDERS',
    format: 'CSV',
    state: 'WAITING',
    rowsWritten: 0,
    rowsExpected: null,
    sha256: null,
    path: null,
    name: expect.stringMatching(/^orders-\d{4}-\d\d-\d\d-[0-9a-f]{4}\.csv$/),
  });
  expect((await download(`/exports/${answer.exportId}`)).status).toBe(409);
  // Created after the request: not in the file.
  await placePayin(api.domain, india, 'IN', { merchantOrderNo: 'late' });
  expect(await writeNextExport(api.domain)).toBe('ready');
  const found = await nodeOf(answer.id);
  expect(found).toMatchObject({ state: 'READY', rowsWritten: 5, rowsExpected: 5, expiresAt: expect.any(String) });
  const headers = { authorization: `Bearer ${ann}` };
  expect((await fetch(`${api.url}${found?.path}`, { method: 'HEAD', headers })).status).toBe(404);
  const response = await download(found?.path ?? '');
  const file = Buffer.from(await response.arrayBuffer());
  expect(found).toMatchObject({ sizeBytes: file.length, sha256: createHash('sha256').update(file).digest('hex') });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-length': String(file.length),
    'content-disposition': `attachment; filename="${found?.name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const [titles, ...rows] = file.toString().slice(1).trimEnd().split('\r\n');
  expect(titles?.startsWith('order,merchant,merchant order,kind')).toBe(true);
  expect(rows.map((row) => row.split(',')[2])).toEqual([`'=1+1`, `'+1`, `'-2`, `'@A1`, 'plain']);
  expect(rows[0]).toContain(',payin,IN,processing,test,INR,100.00,2.50,97.50,0.00,fake,');
  expect(await actionsOf(answer.exportId)).toEqual(['downloadExport', 'requestExport']);
});

test('each kind of export has its roles, and without the role the download is refused', async () => {
  const [viewer, support] = [await api.letIn('viewer'), await api.letIn('support')];
  const refused = await ask(api.url, 'mutation { requestExport(input: { format: CSV, orders: {} }) { __typename } }', {
    token: viewer,
  });
  expect(refused.errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  const days = 'firstDay: "2026-01-01", lastDay: "2026-01-31"';
  for (const what of [
    `walletStatement: { merchantId: "${india}", ${days} }`,
    'breaks: { country: IN, day: "2026-11-01" }',
    'statementLines: { country: IN, day: "2026-11-01" }',
    'auditRecords: {}',
  ])
    expect(await request(what, { token: support })).toMatchObject({
      __typename: 'NotAllowed',
      message: expect.stringContaining('lacks the role'),
    });
  const { exportId, path } = await written('orders: {}', { token: support });
  await api.domain.database.pool.query(
    `update operator set roles = '{viewer}' where operator_id = (select requested_by from data_export where export_id = $1)`,
    [exportId],
  );
  await expect.poll(async () => (await download(path, support)).status, { timeout: 10_000 }).toBe(403);
});

test('a restricted operator gets only the rows that they may see', async () => {
  const token = await api.letInRestricted({ countries: ['CN'] });
  const { path } = await written('orders: {}', { token });
  const rows = (await (await download(path, token)).text()).trimEnd().split('\r\n').slice(1);
  expect(rows.map((row) => row.split(',')[1])).toEqual([china]);
  const days = 'firstDay: "2026-01-01", lastDay: "2026-01-31"';
  expect(await request(`walletStatement: { merchantId: "${india}", ${days} }`, { token })).toMatchObject({
    __typename: 'NotFound',
  });
  expect(await request('breaks: { country: IN, day: "2026-11-01" }', { token })).toMatchObject({
    __typename: 'NotAllowed',
  });
});

test('an export is visible to its owner and to admins, but to admins only within their restriction', async () => {
  const [bob, restricted] = [await api.letIn('finance'), await api.letInRestricted({ countries: ['IN'] }, ['admin'])];
  const { id, exportId, path } = await written('orders: {}');
  for (const token of [bob, restricted]) {
    expect(await nodeOf(id, token)).toBe(null);
    expect((await download(path, token)).status).toBe(404);
    expect((await cancel(exportId, token)).__typename).toBe('NotFound');
    expect(await read('{ exports { totalCount edges { node { exportId } } } }', token)).toEqual({
      exports: { totalCount: 0, edges: [] },
    });
  }
  expect((await download(path, admin)).status).toBe(200);
  expect((await fetch(`${api.url}${path}`)).status).toBe(401);
  const listed = await read<{ exports: { edges: { node: Export }[] } }>(
    '{ exports { edges { node { exportId } } } }',
    admin,
  );
  expect(listed.exports.edges[0]?.node.exportId).toBe(exportId);
});

test.each([
  ['no kind of export', '', 'must be exactly one of'],
  ['two kinds of export at once', 'orders: {}, auditRecords: {}', 'must be exactly one of'],
  ['a wrong order number', 'orders: { orderNo: "X1" }', 'orders.orderNo must be PI or PO'],
  ['too many merchants', `orders: { merchantIds: [${Array(101).fill('"CN10001"').join(' ')}] }`, 'orders.merchantIds'],
  ['a day that does not exist', 'breaks: { country: IN, day: "2026-02-30" }', 'breaks.day must be a day'],
  [
    'a period that ends before it begins',
    'walletStatement: { merchantId: "IN10001", firstDay: "2026-02-02", lastDay: "2026-02-01" }',
    'must not lie before',
  ],
  ['an unknown channel', 'breaks: { country: IN, channelId: "none", day: "2026-11-01" }', 'there is no such channel'],
])('a request for an export with %s is refused', async (_what, input, reason) => {
  expect((await request(input)).message).toContain(reason);
});

test('only a wallet statement can be exported as a page for print', async () => {
  const refused = await request('orders: {}', { format: 'HTML' });
  expect(refused.fields).toEqual([{ path: 'format', reason: expect.stringContaining('must be csv or xlsx') }]);
  const day = dayAgo('IN', 0);
  const what = `walletStatement: { merchantId: "${india}", firstDay: "2026-01-01", lastDay: "${day}" }`;
  const response = await download((await written(what, { format: 'HTML' })).path);
  expect(response.headers.get('content-disposition')).toContain(`attachment; filename="${india}-2026-01-01-${day}-`);
  expect(await response.text()).toContain('<td class="text">top_up</td>');
});

test('an operator has three open exports at most; cancelling any of them makes room', async () => {
  const token = await api.letIn('finance');
  const open = [await request('orders: {}', { token }), await request('orders: {}', { token })];
  const third = await request('orders: {}', { token });
  expect(await request('orders: {}', { token })).toMatchObject({
    __typename: 'Conflict',
    message: expect.stringContaining('3 are open'),
  });
  expect(await cancel(third.exportId, token)).toMatchObject({ state: 'CANCELLED', path: null });
  expect((await request('orders: {}', { token })).__typename).toBe('Export');
  expect(await writeNextExport(api.domain)).toBe('ready');
  const ready = await nodeOf(open[0]?.id ?? '', token);
  expect(ready?.state).toBe('READY');
  expect(await cancel(ready?.exportId ?? '', token)).toMatchObject({ state: 'CANCELLED' });
  expect((await download(ready?.path ?? '', token)).status).toBe(409);
  expect(await actionsOf(ready?.exportId ?? '')).toEqual(['cancelExport', 'requestExport']);
  expect((await cancel(ready?.exportId ?? '', token)).__typename).toBe('Conflict');
});

test('an expired file is not sent', async () => {
  const token = await api.letIn('finance');
  await api.domain.database.pool.query(`delete from data_export where state in ('waiting', 'running')`);
  const { id, exportId, path } = await written('orders: {}', { token, format: 'XLSX' });
  const response = await download(path, token);
  expect(
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
  await api.domain.database.pool.query(
    `update data_export set expires_at = clock_timestamp() - interval '1 second' where export_id = $1`,
    [exportId],
  );
  expect((await download(path, token)).status).toBe(409);
  expect(await nodeOf(id, token)).toMatchObject({ state: 'EXPIRED', path: null });
});

test('personal data of a filter is not recorded', async () => {
  await api.domain.database.pool.query(`delete from data_export where state in ('waiting', 'running')`);
  const { exportId } = await request('orders: { phone: "+911234567890", search: "Asha", kind: PAYIN }');
  const query = `{ auditLog(filter: { subject: "export ${exportId}" }) { edges { node { detail } } } }`;
  const { auditLog } = await read<{ auditLog: { edges: { node: { detail: string } }[] } }>(query, admin);
  expect(auditLog.edges[0]?.node.detail).toMatch(/payin.*/);
  expect(auditLog.edges[0]?.node.detail).not.toMatch(/1234567890|Asha/);
});

test('an operator downloads two files at once; a third is refused until one ends', async () => {
  const { pool } = api.domain.database;
  await pool.query(`delete from data_export where state in ('waiting', 'running')`);
  const { path, exportId } = await written('orders: {}');
  const chunks = 160;
  await pool.query(
    "insert into data_export_chunk select $1, n, convert_to(repeat('x', 262144), 'UTF8') from generate_series(1, $2::integer) n",
    [exportId, chunks],
  );
  await pool.query('update data_export set size = size + $2::bigint where export_id = $1', [
    exportId,
    chunks * 262_144,
  ]);
  // The test does not read the bodies of these downloads, so they stay open.
  const running = [await download(path), await download(path)];
  expect(running.map(({ status }) => status)).toEqual([200, 200]);
  const refused = await download(path);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.text()).toContain('2 downloads of yours');
  // Attached files and bank files are downloads too.
  const others = await Promise.all([download('/files?id=none'), download('/settlement-files/SFIN000001')]);
  expect(others.map(({ status }) => status)).toEqual([429, 429]);
  await running[0]?.body?.cancel();
  const again = async (): Promise<number> => {
    const response = await download(path);
    await response.body?.cancel();
    return response.status;
  };
  await expect.poll(again, { timeout: 5_000 }).toBe(200);
  await running[1]?.body?.cancel();
});

import { hash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { documents } from '../../packages/api/test/whole-documents.ts';
import { serviceKeys, type Verified, verifyNotification } from '../../packages/client/src/index.ts';
import { migrateDatabase } from '../../packages/domain/src/entries/admin.ts';
import { takeKeyPair } from '../../packages/domain/src/testing/key-pool.ts';
import { testKeys } from '../../packages/domain/src/testing/keys.ts';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { type Operators, openOperators, operationNames, resolveOneRefund } from '../database-roles/operator.ts';
import { admin, type OwnRoles, openOwnRoles } from '../database-roles/own-roles.ts';
import { queryArguments } from '../database-roles/query-arguments.ts';
import { doReconciliation } from '../database-roles/reconcile.ts';
import { doSettlement } from '../database-roles/settle.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import type { Member } from '../fleet-member.ts';
import { payinRequest } from '../payin-requests.ts';
import { payoutRequest } from '../payout-requests.ts';

// Real processes, each with its own PostgreSQL role, made by the script that we ship. PostgreSQL may refuse none of what they do.

vi.setConfig({ testTimeout: 120_000 });

let roles: OwnRoles;
let fleet: Fleet;
let rest: Member;
let api: Member;
let worker: Member;
let operators: Operators;
let receiver: Server;
let notifyUrl: string;
const received: Verified[] = [];
beforeAll(async () => {
  roles = await openOwnRoles();
  await roles.makeRoles();
  await asOwner('migrate');
  fleet = await startFleet({ databaseUrl: roles.urlOf('owner'), scale: 0.02 });
  [rest, api, worker] = await Promise.all([
    fleet.start('rest', [], { DATABASE_URL: roles.urlOf('rest'), DATABASE_LEDGER_URL: roles.urlOf('rest-ledger') }),
    fleet.start('api', [], {
      DATABASE_URL: roles.urlOf('api'),
      DATABASE_LEDGER_URL: roles.urlOf('api-ledger'),
      TIDEGATE_APPROVAL_SIGN_IN: 'token',
    }),
    fleet.start('worker', [], {
      DATABASE_URL: roles.urlOf('worker'),
      DATABASE_LEDGER_URL: roles.urlOf('worker-ledger'),
      DATABASE_AUDIT_URL: roles.urlOf('audit'),
      RETENTION_NOTIFICATION_DAYS: '7',
      RETENTION_ATTEMPT_DAYS: '7',
      RETENTION_CHANNEL_CALL_DAYS: '7',
    }),
  ]);
  operators = openOperators(api.url, fleet.adminToken, fleet.approverToken);
  receiver = createServer(async (request, response) => {
    const merchantNo = request.url?.slice(1) ?? '';
    const keys = serviceKeys({ baseUrl: rest.url, allowHttp: true });
    const body = await buffer(request);
    received.push(await verifyNotification({ headers: request.headers, body }, { merchantNo, keys }));
    response.end('OK');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  notifyUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
}, 180_000);
afterAll(async () => {
  receiver?.close();
  await fleet?.stop();
  await roles?.remove();
}, 60_000);

function asOwner(command: string, env: Record<string, string> = {}): Promise<string> {
  const owner = { DATABASE_URL: roles.urlOf('owner'), TIDEGATE_KEYS: testKeys, TIDEGATE_ENV: 'sandbox' };
  return admin([command], { ...owner, ...env });
}

const delivered = (orderNo: string) =>
  received.filter((one) => one.ok && one.notification.orderNo === orderNo && one.notification.status === 'completed');
const untilReceived = (orderNo: string, times = 1) =>
  waitUntil(`${orderNo} is notified`, async () => delivered(orderNo).length >= times, { timeoutMs: 30_000 });

function clientOf(merchantNo: string) {
  const merchant = fleet.merchants.find((one) => one.merchantNo === merchantNo);
  return merchantClient(rest.url, merchantNo, merchant?.privateKeyPem ?? '');
}

async function place(kind: 'payin' | 'payout', merchantNo: string, amount: string): Promise<string> {
  const request = (kind === 'payin' ? payinRequest : payoutRequest)[merchantNo.slice(0, 2)];
  const body = request?.(randomUUID(), amount, `${notifyUrl}/${merchantNo}`) ?? {};
  const { code, msg, data } = await clientOf(merchantNo).post(`/${kind}/create`, body);
  if (code !== 0) throw new Error(`${kind} of ${merchantNo}: ${code} ${msg}`);
  return String(data?.orderNo);
}

const rows = <Row extends object>(sql: string) => queryDatabase<Row>(roles.superuserUrl, sql);
const untilRow = (what: string, sql: string) =>
  waitUntil(what, async () => (await rows(sql)).length > 0, { timeoutMs: 30_000 });

test('no role is a superuser or may create databases or roles, and only the owner role owns tables', async () => {
  const found = await rows<{ name: string }>(
    `select rolname as name from pg_roles where rolname ~ '^tidegate_' and rolcanlogin
     and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls) order by 1`,
  );
  expect(found.map(({ name }) => name)).toEqual(
    ['api', 'api_ledger', 'audit', 'owner', 'rest', 'rest_ledger', 'worker', 'worker_ledger'].map(
      (role) => `tidegate_${role}`,
    ),
  );
  const owners = await rows(
    `select distinct relowner::regrole::text as owner from pg_class where relnamespace = 'public'::regnamespace`,
  );
  expect(owners).toEqual([{ owner: 'tidegate_owner' }]);
});

test('the owner role gets an existing database with all its tables and functions', async () => {
  const url = await roles.createDatabase('older');
  await migrateDatabase(url);
  await roles.makeRoles('older');
  await roles.makeRoles('older');
  const owned = await queryDatabase(
    url,
    `select relowner::regrole::text as owner from pg_class where relnamespace = 'public'::regnamespace
     union select proowner::regrole::text from pg_proc where pronamespace = 'public'::regnamespace
     union select datdba::regrole::text from pg_database where datname = current_database()`,
  );
  expect(owned).toEqual([{ owner: 'tidegate_owner' }]);
  const owner = new URL(roles.urlOf('owner'));
  owner.pathname = '/older';
  expect(await migrateDatabase(owner.href)).toEqual([]);
});

test('payins and payouts go from a signed request to a notification that the merchant can verify', async () => {
  const payin = await place('payin', 'CN10001', '20.00');
  const payout = await place('payout', 'IN10001', '20.00');
  await Promise.all([untilReceived(payin), untilReceived(payout)]);
  await operators.act('resendNotification', { orderNo: payin, requestKey: 'R-1' });
  await untilReceived(payin, 2);
  expect(received.filter(({ ok }) => !ok)).toEqual([]);
  expect((await clientOf('CN10001').get('/wallet', {})).code).toBe(0);
  await untilRow('the use of the key is written', 'select from merchant_key where last_used_at is not null');
});

test('an operator signs in to the console, works there, and signs out everywhere', async () => {
  const send = (method: string, path: string, more: { body?: string; cookie?: string } = {}) => {
    const { body, cookie } = more;
    const type = body !== undefined && { 'content-type': 'application/json' };
    const headers = { 'x-tidegate-console': '1', ...type, ...(cookie !== undefined && { cookie }) };
    return fetch(`${api.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  };
  const signIn = await send('POST', '/console/session', { body: JSON.stringify({ token: fleet.adminToken }) });
  expect(signIn.status).toBe(204);
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const response = await send('POST', '/graphql', { cookie, body: '{"query":"{ me { operatorId } }"}' });
  expect(await response.json()).toEqual({ data: { me: { operatorId: 'admin' } } });
  expect((await send('DELETE', '/console/sessions', { cookie })).status).toBe(204);
});

test('operators can do every operation', async () => {
  const { act, actRejected } = operators;
  const [first, second] = [takeKeyPair(), takeKeyPair()].map(({ publicKey }) =>
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  const merchantId = 'CN20001';
  await act('createMerchant', { merchantId, name: 'New', country: 'CN', defaultNotifyUrl: `${notifyUrl}/new` });
  await act('setMerchant', { merchantId, name: 'Newer' });
  await act('addMerchantKey', { merchantId, publicKey: first });
  await act('addMerchantKey', { merchantId, publicKey: second });
  const [key] = await rows<{ id: string }>(`select key_id as id from merchant_key where merchant_id = '${merchantId}'`);
  await act('retireMerchantKey', { merchantId, keyId: key?.id });
  await act('setFeeRule', { merchantId, kind: 'PAYIN', percent: '1', fixed: '0.00' });
  const from = new Date(Date.now() + 86_400_000).toISOString();
  await act('setFeeRule', { merchantId, kind: 'PAYIN', percent: '2', fixed: '0.00', from });
  await act('removeFeeRule', { merchantId, kind: 'PAYIN', from });
  await act('setChannel', { channelId: 'by-hand', adapter: 'manual' });
  await act('mapBank', { channelId: 'by-hand', kind: 'PAYIN', bankCode: 'QR', channelBankCode: 'Q' });
  await act('setRoute', { merchantId, routeNo: 1, kind: 'PAYIN', channelId: 'by-hand' });
  await act('removeRoute', { merchantId, routeNo: 1 });
  await act('disableChannel', { channelId: 'by-hand' });
  await act('enableChannel', { channelId: 'by-hand' });
  await act('withdrawDeclaration', { channelId: 'by-hand' });
  await act('rotateServiceKey', { merchantId });
  await act('pauseNotifications', { merchantId });
  await act('resumeNotifications', { merchantId });
  await act('disableMerchant', { merchantId });
  await act('enableMerchant', { merchantId });
  const range = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };
  await act('resendNotifications', { merchantId: 'CN10001', ...range, states: ['DELIVERED'], requestKey: 'R-2' });
  await actRejected('setFeeRule', { merchantId, kind: 'PAYIN', percent: '2', fixed: '0.00' });
  await act('topUpWallet', { merchantId, bookingNo: 'T-1', amount: '100.00', remark: 'a test' });
  await act('settleWallet', { merchantId, bookingNo: 'S-1', amount: '10.00', remark: 'a test' });
  await act('adjustWallet', { merchantId, kind: 'FEE', bookingNo: 'A-1', amount: '-1.00', remark: 'a test' });
  await act('reverseBooking', { merchantId, bookingNo: 'A-1', remark: 'a test' });
  await rows(
    `with held as (insert into withheld_money (merchant_id, channel_id, amount) values ('${merchantId}', 'by-hand', 1.00)
       on conflict do nothing returning merchant_id)
     update wallet w set withheld = w.withheld + 1 from held where w.merchant_id = held.merchant_id`,
  );
  await act('releaseWithheld', { merchantId, channelId: 'by-hand', amount: '1.00' });

  const code = `tgi_${randomBytes(32).toString('base64url')}`;
  await act('createOperator', { operatorId: 'mei', name: 'Mei', roles: ['SUPPORT'] });
  await act('changeOperator', { operatorId: 'mei', name: 'Mei Lin' });
  await act('inviteOperator', { operatorId: 'mei', fingerprint: hash('sha256', code) });
  const redeem = { method: 'POST', headers: { authorization: `Bearer ${code}` } };
  const { token } = (await (await fetch(`${api.url}/redeem-invitation`, redeem)).json()) as { token: string };
  expect(await openOperators(api.url, token, token).ask('{ me { operatorId } }')).toEqual({
    me: { operatorId: 'mei' },
  });
  await act('linkIdentity', { operatorId: 'mei', issuer: 'https://id.example.com', subject: 'mei' });
  await act('unlinkIdentity', { operatorId: 'mei' });
  await act('revokeOperatorTokens', { operatorId: 'mei' });
  await act('disableOperator', { operatorId: 'mei' });
  await act('enableOperator', { operatorId: 'mei' });
});

test('operators can decide about orders, tasks, cases and findings', async () => {
  const { act } = operators;
  await act('setRoute', { merchantId: 'CN10001', routeNo: 1, kind: 'PAYIN', channelId: 'by-hand', mode: 'MANUAL' });
  const byHand = () => place('payin', 'CN10001', '50.00');
  await waitUntil(
    'the new route is taken',
    async () =>
      (await rows(`select from orders where order_no = '${await byHand()}' and channel_id = 'by-hand'`)).length > 0,
    { timeoutMs: 30_000 },
  );
  await act('cancelOrder', { orderNo: await byHand() });
  const paid = await byHand();
  for (const reference of ['F-1', 'F-2', 'F-3', 'F-4'])
    await act('confirmFunds', { orderNo: paid, amount: '50.00', reference });
  await untilReceived(paid);
  await act('creditCase', { merchantId: 'CN10001', caseNo: 1, toMerchantId: 'CN10001' });
  await act('returnCase', { merchantId: 'CN10001', caseNo: 2 });
  await resolveOneRefund({ rows, untilRow, act }, 'CN10001', 3);
  const open = await place('payout', 'IN10001', '100.23');
  await untilRow(
    'it was sent',
    `select from orders where order_no = '${open}' and status = 'processing' and channel_ref is not null`,
  );
  await act('refreshOrder', { orderNo: open });
  await act('resolvePayout', { orderNo: open, outcome: 'FAILED', evidence: 'a statement' });

  const task = await place('payout', 'PK10002', '30.00');
  await act('claimPayoutTask', { orderNo: task });
  await act('giveBackPayoutTask', { orderNo: task });
  await act('claimPayoutTask', { orderNo: task });
  await act('provePayoutTask', { orderNo: task, reference: 'TRX-1', payer: 'me' });
  await actByOther('rejectProof', task);
  await act('provePayoutTask', { orderNo: task, reference: 'TRX-2', payer: 'me' });
  await actByOther('acceptProof', task);
  await untilReceived(task);
  await act('chargeCase', { merchantId: 'PK10002', caseNo: await caseOfLateProof(task, 'TRX-3') });
  const another = await place('payout', 'PK10002', '31.00');
  await act('claimPayoutTask', { orderNo: another });
  await act('provePayoutTask', { orderNo: another, reference: 'TRX-4', payer: 'me' });
  await actByOther('acceptProof', another);
  await untilReceived(another);
  await act('writeOffCase', { merchantId: 'PK10002', caseNo: await caseOfLateProof(another, 'TRX-5') });

  await rows(`begin; set local session_replication_role = 'replica';
    update wallet set available = available + 1 where merchant_id = 'PK10001'; commit`);
  await untilRow('the audit finds it', `select from audit_finding where merchant_id = 'PK10001'`);
  await rows(`update wallet set available = available - 1 where merchant_id = 'PK10001'`);
  const [repaired] = await rows<{ at: string }>('select clock_timestamp()::text as at');
  await untilRow(
    'the audit has run since',
    `select from audit_run where run = 'incremental' and started_at > '${repaired?.at}' and finished_at > started_at`,
  );
  for (const { no } of await rows<{ no: string }>(
    `select finding_no as no from audit_finding where merchant_id = 'PK10001' and state = 'open' order by 1`,
  ))
    await act('closeFinding', { merchantId: 'PK10001', findingNo: Number(no), outcome: 'REPAIRED' });
  await act('releasePayouts', { merchantId: 'PK10001' });
  await doReconciliation(operators, { apiUrl: api.url, token: fleet.adminToken, asOwner: rows });
  await doSettlement({ act, rows }, 'IN10001');
  expect(operationNames.filter((name) => !operators.done.has(name))).toEqual([]);
});

/** What an operator paid for a task beside its proof becomes a case of the platform. Returns its number. */
async function caseOfLateProof(orderNo: string, reference: string): Promise<number> {
  await operators.act('provePayoutTask', { orderNo, reference, payer: 'me' });
  const [late] = await rows<{ no: number }>(
    `select case_no as no from money_case where order_no = '${orderNo}' and state = 'open'`,
  );
  return Number(late?.no);
}

/** What the operator who gave the proof must not decide. */
async function actByOther(name: 'acceptProof' | 'rejectProof', orderNo: string): Promise<void> {
  const other = openOperators(api.url, fleet.approverToken, fleet.adminToken);
  await other.act(name, { orderNo });
  operators.note(name);
}

test('every list and every field of GraphQL can be read', async () => {
  const [order] = await rows<{ no: string; approvalId: string }>(
    `select min(order_no) as no, (select min(approval_id) from approval) as "approvalId" from orders`,
  );
  const texts = documents(
    queryArguments({ orderNo: String(order?.no), approvalId: String(order?.approvalId), now: Date.now() }),
  );
  const ids = new Set<string>();
  for (const text of texts)
    for (const [, id = ''] of JSON.stringify(await operators.ask(text)).matchAll(/"id":"([^"]+)"/g)) ids.add(id);
  expect(ids.size).toBeGreaterThan(10);
  const { nodes } = await operators.ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }', {
    ids: [...ids].slice(0, 100),
  });
  expect(nodes).not.toContain(null);
});

test('the worker audits, rolls up and deletes old rows', async () => {
  await untilRow('the figures are rolled up', 'select from order_figures_by_hour');
  await untilRow('the totals and facets are rolled up', 'select from account_total, order_facets_by_day');
  await untilRow('everything was audited', `select from audit_run where run = 'whole' and finished_at is not null`);
  await rows(`alter table channel_call disable trigger user; update channel_call set started_at = started_at - interval '8 days';
    alter table channel_call enable trigger user`);
  await waitUntil(
    'old calls are deleted',
    async () => (await rows(`select from channel_call where started_at < now() - interval '7 days'`)).length === 0,
    { timeoutMs: 30_000 },
  );
});

test('PostgreSQL refused nothing, and no process logged a refusal', async () => {
  expect(roles.refusals()).toEqual([]);
  for (const member of [rest, api, worker]) expect(member.output()).not.toContain('permission denied');
  // Runs with the owner's role, and fails if it finds a violation.
  await asOwner('audit', { TIDEGATE_OPERATOR_TOKEN: fleet.adminToken });
});

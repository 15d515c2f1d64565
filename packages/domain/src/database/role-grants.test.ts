import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeByHand } from '../../test/by-hand.ts';
import { createServiceRoles, ledgerOf, urlOf } from '../../test/service-roles.ts';
import { auditNew } from '../audit/audit-new.ts';
import { auditSeals } from '../audit/audit-seals.ts';
import { readAuditState } from '../audit/audit-state.ts';
import { auditWhole } from '../audit/audit-whole.ts';
import { closeFinding } from '../audit/close-finding.ts';
import { openFindings } from '../audit/open-findings.ts';
import { releasePayouts } from '../audit/payout-stops.ts';
import { rollUpCalls } from '../channels/health/roll-up-calls.ts';
import { addMerchantKey } from '../configuration/add-merchant-key.ts';
import { bookWallet } from '../ledger/book-wallet.ts';
import { rollUpAccounts } from '../ledger/roll-up-accounts.ts';
import { rollUpEntries } from '../ledger/wallet-statement/roll-up-entries.ts';
import { claimNotification, recordAttempt } from '../notifications/deliver-notification.ts';
import { rollUpAttempts } from '../notifications/hosts/roll-up-attempts.ts';
import { rollUpFacets, rollUpOrders } from '../orders/figures/roll-up/roll-up-orders.ts';
import { resolvePayout } from '../orders/resolve-payout.ts';
import { resolveBreak } from '../reconciliation/breaks/resolve-break.ts';
import { closeDay, reopenDay } from '../reconciliation/days/close-day.ts';
import { setReconciliation } from '../reconciliation/days/set-reconciliation.ts';
import { fetchStatements } from '../reconciliation/fetching/fetch-statements.ts';
import { requestFetch } from '../reconciliation/fetching/request-fetch.ts';
import { readUnreconciled } from '../reconciliation/reconcile.ts';
import { aMerchant, openTestDomain, type TestDomain, testKeysOf } from '../testing/index.ts';
import { aReport, aTopUp, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { aLine, anImport, dayAgo, reconcileAll, statementText } from '../testing/statements.ts';
import { migrateDatabase } from './migrate-database.ts';
import { purgeOldRows } from './purge-old-rows.ts';
import { roleName, type ServiceRole, serviceRoles, tableGrants } from './role-grants.ts';

// Each service with its own PostgreSQL role and the keys of its kind: it may do what its code does, and nothing else.

const minute = 60_000;
let owner: TestDomain;
let as: Record<ServiceRole, TestDomain>;
let merchantId: string;
let databaseUrl: string;

const keysOf = (service: ServiceRole) => testKeysOf(service === 'audit' ? 'worker' : service);
beforeAll(async () => {
  const { url } = await createTestDatabase();
  databaseUrl = url;
  owner = await openTestDomain(url);
  const { pool } = owner.domain.database;
  await createServiceRoles(pool);
  await migrateDatabase(url);
  const opened = await Promise.all(
    serviceRoles.map((service) =>
      openTestDomain(urlOf(url, service), { hasChannel: true, keys: keysOf(service), ...ledgerOf(url, service) }),
    ),
  );
  as = Object.fromEntries(serviceRoles.map((service, i) => [service, opened[i]])) as typeof as;
  ({ merchantId } = await aMerchant(owner.domain, 'TH'));
});
afterAll(async () => {
  await Promise.all([owner, ...Object.values(as)].map((one) => one.close()));
});

const query = <Row extends pg.QueryResultRow>(service: ServiceRole, sql: string) =>
  as[service].domain.database.pool.query<Row>(sql);

test('every table has a line in the table of grants', async () => {
  const { rows } = await owner.domain.database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  );
  const missing = rows.map(({ name }) => name).filter((name) => !(name in tableGrants));
  const what =
    'database/role-grants.ts: add a line for each of these tables to tableGrants, with the verbs that each service needs';
  expect(missing, `${what}: ${missing.join(', ')}`).toEqual([]);
  expect(
    Object.keys(tableGrants).filter((name) => !rows.some((row) => row.name === name)),
    'no such table',
  ).toEqual([]);
});

test('payins, payouts, notifications, decisions, roll-ups and the audit work with the database role of their process', async () => {
  const { rest, api, worker, audit } = as;
  const payin = await placePayin(rest.domain, merchantId, 'TH');
  await rest.domain.commit(aReport(payin, paid()));
  rest.domain.directory.merchant(merchantId);
  const { merchantId: india } = await aFundedMerchant(owner.domain, 'IN', '1000.00');
  const held = await placePayout(rest.domain, india, 'IN');
  const settled = await placePayout(rest.domain, india, 'IN');
  await worker.domain.commit({ type: 'claimWork', ref: settled, action: 'submit', lease: 1_000 });
  expect(await worker.domain.commit(aReport(settled, paid()))).toMatchObject({ ok: true });
  expect(
    await resolvePayout(api.domain, held, { outcome: 'paid', evidence: 'statement' }, by('ann', 'bob')),
  ).toMatchObject({ ok: true });
  const booking = { merchantId: india, entry: 'TOP_UP', amount: '1.00', bookingNo: 'B-9', remark: 'x' } as const;
  expect(await bookWallet(api.domain, booking, by('ann'))).toMatchObject({ ok: true });

  const claimed = await claimNotification(worker.domain, { ...payin, status: 'completed' });
  if (!claimed || claimed === 'paused') throw new Error('nothing to deliver');
  const nothing = { address: null, httpStatus: 200, reply: 'success', error: null, acknowledged: true };
  await recordAttempt(worker.domain, claimed, { startedAt: Date.now(), durationMs: 1, ...nothing });
  await rollUpOrders(worker.domain);
  await rollUpAccounts(worker.domain);
  for (const rollUp of [rollUpFacets, rollUpEntries, rollUpCalls, rollUpAttempts]) await rollUp(worker.domain);
  await purgeOldRows(worker.domain, { kind: 'notification', days: 7, archive: null });

  expect(await auditNew(audit.domain, minute)).toBe('finished');
  expect(await auditWhole(audit.domain, minute)).toBe('finished');
  const inTwoMonths = () => Date.now() + 62 * 24 * 60 * minute;
  expect(await auditSeals(audit.domain, { forMs: minute, files: null, now: inTwoMonths })).toBe('finished');
  expect((await owner.domain.database.pool.query('select from period_seal')).rowCount).toBeGreaterThan(0);
  expect(await openFindings(audit.domain, 10)).toEqual([]);
  const { pool } = owner.domain.database;
  await changeByHand(pool, 'update wallet set available = available + 1 where merchant_id = $1', [india]);
  expect(await auditNew(audit.domain, minute)).toBe('finished');
  const found = await openFindings(api.domain, 10);
  expect(found.length).toBeGreaterThan(0);
  for (const finding of found)
    expect(await closeFinding(api.domain, { ...finding, outcome: 'repaired' }, by('ann'))).toMatchObject({ ok: true });
  expect((await readAuditState(worker.domain)).lastRuns).toHaveLength(3);
  await pool.query('update wallet set available = available - 1 where merchant_id = $1', [india]);
  expect(await releasePayouts(api.domain, { merchantId: india }, by('ann', 'bob'))).toMatchObject({ ok: true });
});

test('a statement is uploaded, imported and resolved, and its day is closed, with the database role of each process', async () => {
  const { api, worker } = as;
  const [channelId, day] = ['fake', dayAgo('TH', 2)];
  const charge = aLine({ currency: 'THB', bookedOn: day, type: 'fee', direction: 'out', gross: '1.00' });
  await anImport(api.domain, 'TH', [charge, aLine({ currency: 'THB', bookedOn: day, channelRef: 'X-1' }), 'no row']);
  await reconcileAll(worker.domain);
  const two = by('ann', 'bob');
  const merchantId = 'PLATFORM-TH';
  for (const [i, outcome] of (['written_off', 'posted', 'posted'] as const).entries())
    expect(
      await resolveBreak(api.domain, { merchantId, breakNo: i + 1, outcome, otherBreakNo: null }, two),
    ).toMatchObject({ ok: true });
  await reconcileAll(worker.domain);
  expect(await readUnreconciled(worker.domain, day)).toEqual([]);
  const ref = { country: 'TH', channelId, day } as const;
  expect(await closeDay(api.domain, ref, two)).toMatchObject({ ok: true });
  expect(await reopenDay(api.domain, ref, two)).toMatchObject({ ok: true });
  for (const { channel } of [api, worker]) {
    channel.statementFormats = ['json-lines'];
    channel.fetchStatement = async () => ({
      outcome: 'ready',
      bytes: Readable.from([Buffer.from(statementText([charge]))]),
    });
  }
  const changed = { country: 'TH', channelId, tolerance: '0.05', beginsOn: dayAgo('TH', 3), fetches: true } as const;
  expect(await setReconciliation(api.domain, changed, two)).toMatchObject({ ok: true });
  expect(await requestFetch(api.domain, { ...ref, format: null }, two)).toMatchObject({ ok: true });
  expect(await fetchStatements(worker.domain, new AbortController().signal)).toBe('found');
  const { rows } = await query<{ state: string }>('worker', 'select state from statement_file order by file_no');
  expect(rows.map(({ state }) => state)).toEqual(['imported', 'received']);
});

test('the REST adapter publishes the public keys of the service', async () => {
  const { signing } = owner.domain.serviceKeys;
  const { keyId } = await signing(merchantId);
  expect(await as.rest.domain.serviceKeys.published(keyId)).toMatchObject({ kid: keyId });
});

test('the roles of the audit and the roll-ups see when transactions of other roles began', async () => {
  const { pool } = as.rest.domain.database;
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const service of ['worker', 'audit'] as const) {
      const { rows } = await query<{ count: number }>(
        service,
        `select count(*)::integer as count from pg_stat_activity where usename = '${roleName('rest')}' and datname = current_database() and xact_start is not null`,
      );
      expect(rows[0]?.count, service).toBeGreaterThan(0);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('without the right to see other transactions, the audit and the roll-ups do nothing and log the reason', async () => {
  const { pool } = owner.domain.database;
  const stateSql = `select (select until from order_figures_progress)::text as until, (select position->>'seenUntil' from audit_run where run = 'incremental') as seen`;
  const before = (await pool.query(stateSql)).rows;
  // A role of this test's own, with the audit's and the worker's tables but without pg_read_all_stats.
  const role = `blind_${randomBytes(4).toString('hex')}`;
  await pool.query(`create role ${role} login password 'a-test'`);
  await pool.query(`grant all on all tables in schema public to ${role}`);
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = 'a-test';
  const blind = await openTestDomain(url.href, { hasChannel: true });
  try {
    const refusal = `The database role ${role} cannot see other roles' open transactions. Run as superuser: grant pg_read_all_stats to ${role}`;
    await expect(auditNew(blind.domain, minute)).rejects.toThrow(refusal);
    await expect(rollUpOrders(blind.domain)).rejects.toThrow(refusal);
    expect((await pool.query(stateSql)).rows).toEqual(before);
    await pool.query(`grant pg_read_all_stats to ${role}`);
    expect(await auditNew(blind.domain, minute)).toBe('finished');
    await rollUpOrders(blind.domain);
  } finally {
    await blind.close();
    await pool.query(`drop owned by ${role}`);
    await pool.query(`drop role ${role}`);
  }
});

const forbidden: [service: ServiceRole, sql: string][] = [
  ...(['rest', 'api', 'worker'] as const).flatMap((service): [ServiceRole, string][] => [
    [service, 'update transfer set amount = 1'],
    [service, 'delete from transfer'],
    [service, 'truncate transfer cascade'],
    [service, 'update wallet_entry set remark = remark'],
    [service, 'delete from payment'],
    [service, 'update order_transition set actor = actor'],
    [service, "update orders set details = '{}'"],
    [service, 'update orders set amount = amount'],
    [service, 'delete from orders'],
    [service, 'delete from wallet'],
    [service, 'update ledger_batch set hash = hash'],
    [service, 'insert into audit_checkpoint select * from audit_checkpoint'],
    [service, 'update audit_checkpoint set position = position'],
    [service, 'delete from audit_checkpoint'],
    [service, 'update audit_run set position = position'],
    [service, 'insert into audit_finding (merchant_id, rule, subject, detail) select 1, 1, 1, 1'],
    [service, 'delete from audit_finding'],
    [service, 'insert into period_seal select * from period_seal'],
    [service, 'update period_seal set verified_at = now()'],
    [service, 'delete from period_seal'],
    [service, 'select private_key from seal_key'],
    [service, 'update period_walk set walk = walk'],
    [service, 'update wallet set available = available'],
    [service, 'insert into wallet_entry select * from wallet_entry'],
    [service, 'insert into transfer select * from transfer'],
    [service, 'insert into orders select * from orders'],
    [service, 'insert into payment select * from payment'],
    [service, 'insert into audit_record select * from audit_record'],
    [service, 'delete from audit_record'],
    [service, 'alter table transfer disable trigger all'],
    [service, "set session_replication_role = 'replica'"],
    [service, 'create table public.mine (a integer)'],
  ]),
  ...(['rest', 'worker', 'audit'] as const).flatMap((service): [ServiceRole, string][] => [
    [service, 'select from operator_token'],
    [service, 'select from operator'],
    [service, 'select from approval'],
    [service, 'update merchant set status = status'],
    [service, 'update fee_rule set percent = percent'],
  ]),
  // The worker records what statements prove and what it drafts, by the ledger writer.
  ['rest', 'insert into audit_record select * from audit_record'],
  ['audit', 'insert into audit_record select * from audit_record'],
  ['worker', 'update audit_record set actor = actor'],
  ['worker', 'update settlement_file set total = total'],
  // Sealed private keys: an attacker who controls the REST adapter could sign notifications of every merchant with
  // them.
  ['rest', 'select private_key from merchant_service_key'],
  ['rest', 'update merchant_key set public_key_pem = public_key_pem'],
  // Each process reads the credentials of its purposes only.
  ...['payout', 'statement', '*'].map((one): [ServiceRole, string] => [
    'rest',
    `select ${one} from channel_credential`,
  ]),
  ...['payin', 'payout'].map((one): [ServiceRole, string] => ['api', `select ${one} from channel_credential`]),
  ...(['rest', 'worker'] as const).map((one): [ServiceRole, string] => [one, 'delete from channel_credential']),
  ...(['rest', 'api'] as const).map((one): [ServiceRole, string] => [one, 'update channel_question set answer = null']),
  ['rest', "insert into channel_question (operation) values ('cancel')"],
  ['audit', 'select from channel_credential'],
  ['rest', 'update notification set body = body'],
  ['api', 'update audit_finding set rule = rule'],
  ['audit', 'update wallet set available = available'],
  ['audit', 'insert into transfer select * from transfer'],
  // It may stop payouts by a finding, and not end what a finding has stopped.
  [
    'audit',
    "insert into audit_finding (merchant_id, rule, subject, detail, state) values ('x', 'x', 'x', 'x', 'repaired')",
  ],
  ['audit', "update audit_finding set state = 'repaired', closed_at = now()"],
  ['audit', 'update payout_stop set released_at = now()'],
  ['audit', 'select from channel'],
  ['audit', 'delete from audit_checkpoint'],
  ['audit', 'update period_seal set content = content'],
  ['audit', 'delete from period_seal'],
  ['audit', 'update seal_key set private_key = private_key'],
];
test.each(forbidden)('the role %s may not: %s', async (service, sql) => {
  await expect(query(service, sql)).rejects.toThrow(/permission denied|must be owner/);
});

test('the role of the audit cannot move a checkpoint back or change its content', async () => {
  const { merchantId: funded } = await aFundedMerchant(owner.domain, 'IN', '1000.00');
  expect(await auditNew(as.audit.domain, minute)).toBe('finished');
  const checked = await query(
    'audit',
    `select from audit_checkpoint where merchant_id = '${funded}' and (position->>'entryNo')::integer > 0`,
  );
  expect(checked.rowCount).toBe(1);
  const back = (position: string) =>
    query('audit', `update audit_checkpoint set position = position || '${position}' where merchant_id = '${funded}'`);
  await expect(back('{"entryNo": 0}')).rejects.toThrow('only moves forward');
  await expect(back('{"auditNo": -1}')).rejects.toThrow('only moves forward');
  await expect(back(`{"batchHash": "${'a'.repeat(64)}"}`)).rejects.toThrow('only moves forward');
  await expect(owner.domain.database.pool.query('delete from audit_checkpoint')).rejects.toThrow('append-only');
});

test('only the role of the API may add keys of merchants', async () => {
  const key = '-----BEGIN PUBLIC KEY-----';
  await expect(addMerchantKey(as.rest.domain, merchantId, key)).rejects.toThrow();
  await as.api.domain.commit(aTopUp(merchantId, 'B-2'));
});

import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServiceRoles, ledgerOf, urlOf } from '../../test/service-roles.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { migrateDatabase } from '../database/migrate-database.ts';
import { purgeOldRows } from '../database/purge-old-rows.ts';
import type { ServiceRole } from '../database/role-grants.ts';
import { aFundedMerchant, dayAgo, openTestDomain, placePayin, type TestDomain } from '../testing/index.ts';
import { cancelExport } from './cancel-export.ts';
import { openDownload } from './open-download.ts';
import { requestExport } from './request-export.ts';
import { writeNextExport } from './write-next-export.ts';

// Exports with the PostgreSQL roles of the services: PostgreSQL may refuse none of what they do.

let owner: TestDomain;
let api: TestDomain;
let worker: TestDomain;
let merchantId: string;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  owner = await openTestDomain(url);
  ({ merchantId } = await aFundedMerchant(owner.domain, 'IN', '10.00'));
  for (const status of ['kept', 'other']) await placePayin(owner.domain, merchantId, 'IN', { merchantOrderNo: status });
  await createServiceRoles(owner.domain.database.pool);
  await migrateDatabase(url);
  const open = (service: ServiceRole): Promise<TestDomain> =>
    openTestDomain(urlOf(url, service), { hasChannel: true, ...ledgerOf(url, service) });
  [api, worker] = await Promise.all([open('api'), open('worker')]);
});
afterAll(() => Promise.all([owner, api, worker].map((one) => one.close())));

const dana: OperatorContext = {
  operatorId: 'dana',
  roles: ['finance'],
  countries: null,
  merchantIds: null,
  tokenId: null,
  signIn: 'token',
};
const [country, day] = ['IN', dayAgo('IN', 1)] as const;
const lastDay = dayAgo(country, 0);

test.each<[string, () => object, number]>([
  ['all orders', () => ({ orders: {} }), 2],
  ['orders by status', () => ({ orders: { statuses: ['processing'], kind: 'payin', countries: ['IN'] } }), 2],
  ['orders of another status', () => ({ orders: { statuses: ['completed'] } }), 0],
  ['orders of another amount', () => ({ orders: { amountFrom: '100.01', merchantIds: [merchantId] } }), 0],
  ['orders by notification', () => ({ orders: { notificationStates: ['pending'] } }), 0],
  ['orders by number', () => ({ orders: { merchantOrderNo: 'kept' } }), 1],
  ['orders by a reference', () => ({ orders: { bankReference: 'X' } }), 0],
  ['a wallet', () => ({ walletStatement: { merchantId, firstDay: '2026-01-01', lastDay } }), 3],
  ['breaks', () => ({ breaks: { country, day } }), 0],
  ['lines', () => ({ statementLines: { country, day } }), 0],
  ['records of nothing', () => ({ auditRecords: { subject: 'nothing' } }), 0],
])('%s: requested, downloaded and deleted by the API, written and purged by the worker', async (_what, input, rows) => {
  const requested = await requestExport(api.domain, dana, { format: 'csv', ...input() });
  if (!requested.ok) throw new Error(JSON.stringify(requested));
  expect(await writeNextExport(worker.domain)).toBe('ready');
  const opened = await openDownload(api.domain, dana, requested.value.exportId);
  if (!opened.ok) throw new Error(opened.rejection);
  expect(opened.value.found.rowsWritten).toBe(rows);
  for await (const chunk of opened.value.content) expect(chunk.length).toBe(opened.value.found.size);
  expect(await cancelExport(api.domain, dana, requested.value.exportId)).toMatchObject({ ok: true });
  const { pool } = owner.domain.database;
  await pool.query(`update data_export set ended_at = ended_at - interval '8 days'`);
  await purgeOldRows(worker.domain, { kind: 'data_export', days: 7, archive: null });
  expect((await pool.query('select from data_export')).rows).toEqual([]);
});

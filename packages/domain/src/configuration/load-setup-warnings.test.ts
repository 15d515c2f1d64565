import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unrestricted } from '../lists/scope.ts';
import type { Domain } from '../open-domain.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { listRoutes } from './list-configuration.ts';
import { loadSetupWarnings } from './load-setup-warnings.ts';

let opened: TestDomain;
let domain: Domain;
beforeAll(async () => {
  opened = await openTestDomain((await createTestDatabase()).url);
  domain = opened.domain;
});
afterAll(() => opened.close());

test('a route without a fee rule has a warning until there is a fee for it', async () => {
  const [{ merchantId }, whole] = [await aMerchant(domain, 'PK'), await aMerchant(domain, 'PK')];
  const { pool } = domain.database;
  const warnings = async () => (await loadSetupWarnings(domain, unrestricted, [merchantId, whole.merchantId]))[0];
  const feesInList = async () => (await listRoutes(domain, merchantId)).map(({ routeNo, hasFee }) => [routeNo, hasFee]);
  await pool.query('delete from fee_rule where merchant_id = $1', [merchantId]);
  await pool.query('delete from route where merchant_id = $1', [merchantId]);
  expect(await warnings()).toEqual([]);
  await pool.query(
    `insert into route (merchant_id, route_no, kind, bank_code, channel_id) values ($1, 1, 'payin', null, 'fake'), ($1, 2, 'payout', 'HBL', 'fake')`,
    [merchantId],
  );
  expect(await warnings()).toEqual([
    'Route 1 has no fee rule: its payins are refused with 40303. Set a fee.',
    'Route 2 has no fee rule: its payouts are refused with 40303. Set a fee.',
  ]);
  const setFee = (kind: string, bankCode: string) =>
    pool.query('insert into fee_rule (merchant_id, kind, bank_code, percent, fixed) values ($1, $2, $3, 1, 0)', [
      merchantId,
      kind,
      bankCode,
    ]);
  await setFee('payin', 'QR');
  await setFee('payout', 'HBL');
  expect(await warnings()).toHaveLength(1);
  expect(await feesInList()).toEqual([
    [1, false],
    [2, true],
  ]);
  await setFee('payin', '');
  expect(await warnings()).toEqual([]);
  expect((await loadSetupWarnings(domain, { countries: ['CN'], merchantIds: null }, [merchantId]))[0]).toEqual([]);
});

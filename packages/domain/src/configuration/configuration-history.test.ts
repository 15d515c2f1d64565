import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../approvals/operations.ts';
import { requestOperation } from '../approvals/request-operation.ts';
import { configurationActions } from '../core/configuration-actions.ts';
import { LedgerUnavailable } from '../database/connection-loss.ts';
import { unrestricted } from '../lists/scope.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { anOperator, request } from '../testing/operators.ts';
import { walkList } from '../testing/walk-list.ts';
import {
  type ConfigurationVersion,
  listConfigurationHistory,
  pageConfigurationHistory,
} from './list-configuration-history.ts';

let fixture: TestDomain;
let other: TestDomain;
beforeAll(async () => {
  const { url } = await createTestDatabase();
  fixture = await openTestDomain(url);
  other = await openTestDomain(url, { hasChannel: true });
});
afterAll(async () => {
  await other.close();
  await fixture.close();
});

const history = (tenant: string): Promise<ConfigurationVersion[]> =>
  walkList('configuration_history', (page) => pageConfigurationHistory(fixture.domain, unrestricted, tenant, page), {
    sizes: [7],
    backward: false,
  });

/** Requests a change again while others hold the wallet for too long, as people do on a busy machine. */
async function patiently(...asked: Parameters<typeof request>): ReturnType<typeof request> {
  for (;;)
    try {
      return await request(...asked);
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error;
    }
}

test('concurrent changes through two processes are numbered without gaps, in the order of their records', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'IN');
  const who = await anOperator(fixture.domain, ['admin', 'finance', 'support']);
  const wishes = Array.from({ length: 12 }, (_, i) => [
    patiently(fixture.domain, who, 'setMerchant', { merchantId, requestBurst: 100 + i }),
    patiently(other.domain, who, 'setMerchant', { merchantId, requestsPerSecond: 200 + i }),
    patiently(other.domain, who, 'topUpWallet', { merchantId, amount: '1', bookingNo: `B-${i}`, remark: 'r' }),
    // Refused or rehearsed changes have no version number.
    patiently(fixture.domain, who, 'retireMerchantKey', { merchantId, keyId: 'x'.repeat(43) }),
    patiently(fixture.domain, who, 'setMerchant', { merchantId, payinMin: '3.00', payinMax: '2.00' }),
  ]).flat();
  await Promise.all(wishes);
  const versions = await history(merchantId);
  expect(versions.map(({ versionNo }) => versionNo)).toEqual(Array.from({ length: 24 }, (_, i) => 24 - i));
  const records = versions.map(({ auditNo }) => auditNo);
  expect(records).toEqual([...records].sort((a, b) => b - a));
  expect(versions[0]).toMatchObject({
    merchantId,
    actor: who.operatorId,
    approver: null,
    approvalId: null,
    action: 'setMerchant',
    subject: merchantId,
    reason: 'a test',
  });
  // Each version begins where the previous one ended.
  const bursts = versions
    .toReversed()
    .flatMap(({ changes }) => changes.filter(({ field }) => field === 'requestBurst'));
  expect(bursts).toHaveLength(12);
  expect(bursts.slice(1).map(({ before }) => before)).toEqual(bursts.slice(0, -1).map(({ after }) => after));
  expect(await listConfigurationHistory(fixture.domain, merchantId, 5)).toEqual(versions.slice(0, 5));
});

test('an approved change has both operators and its approval', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'PK');
  const who = await anOperator(fixture.domain, ['admin']);
  const second = await anOperator(fixture.domain, ['admin']);
  const input = { merchantId, kind: 'payin', percent: '3', fixed: '0.00' };
  await requestOperation(fixture.domain, who, 'setFeeRule', input, 'dearer', { approver: second });
  const [version] = await history(merchantId);
  expect(version).toMatchObject({
    versionNo: 1,
    action: 'setFeeRule',
    actor: who.operatorId,
    approver: second.operatorId,
    reason: 'dearer',
    changes: [{ field: 'percent', before: '2.5000', after: '3' }],
    approvalId: expect.stringMatching(/^AP/),
  });
});

test('the database numbers exactly the actions that count as changes of configuration', async () => {
  const { pool } = fixture.domain.database;
  const names = [
    ...configurationActions,
    ...Object.keys(operations),
    'requestApproval',
    'rejectApproval',
    'seedSandbox',
  ];
  const { rows } = await pool.query<{ name: string }>(
    'select distinct name from unnest($1::text[]) as name where is_configuration_change(name)',
    [names],
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...configurationActions].sort());
});

test('every operation either changes configuration or is listed here as one that does not', () => {
  // The records of these operations have the name of the change that they make.
  const under: Record<string, string> = {
    disableMerchant: 'setMerchantStatus',
    enableMerchant: 'setMerchantStatus',
    disableChannel: 'setChannelEnabled',
    enableChannel: 'setChannelEnabled',
    disableOperator: 'setOperatorEnabled',
    enableOperator: 'setOperatorEnabled',
  };
  const known: readonly string[] = configurationActions;
  const others = Object.keys(operations).filter((name) => !known.includes(under[name] ?? name));
  expect(others.sort()).toEqual(
    [
      'acceptProof',
      'adjustWallet',
      'cancelOrder',
      'claimPayoutTask',
      'closeFinding',
      'confirmFunds',
      'creditCase',
      'giveBackPayoutTask',
      'provePayoutTask',
      'refreshOrder',
      'rejectProof',
      'releasePayouts',
      'releaseWithheld',
      'resendNotification',
      'resendNotifications',
      'resolvePayout',
      'resolveRefund',
      'returnCase',
      'chargeCase',
      'writeOffCase',
      'reverseBooking',
      'settleWallet',
      'topUpWallet',
      'closeDay',
      'confirmStatement',
      'fetchStatement',
      'importStatement',
      'reopenDay',
      'resolveBreak',
      'setReconciliation',
      'createSettlementFile',
      'draftSettlements',
      'approveSettlement',
      'paySettlement',
      'sendSettlement',
      'confirmSettlement',
      'failSettlement',
    ].sort(),
  );
});

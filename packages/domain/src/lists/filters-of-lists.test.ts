import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageApprovals } from '../approvals/list-approvals.ts';
import { pageAuditFindings } from '../audit/list-audit-findings.ts';
import { pageMoneyCases } from '../cases/list-money-cases.ts';
import { pagesOfBankMappings } from '../channels/list-bank-mappings.ts';
import { pageChannels } from '../channels/list-channels.ts';
import { mapBank } from '../channels/map-bank.ts';
import { createOperator } from '../configuration/create-operator.ts';
import { pageAuditRecords } from '../configuration/list-audit-records.ts';
import { pagesOfMerchantKeys } from '../configuration/list-merchant-keys.ts';
import { pageMerchants } from '../configuration/list-merchants.ts';
import { pageOperators } from '../configuration/list-operators.ts';
import { pagesOfServiceKeys } from '../configuration/list-service-keys.ts';
import { pageTransfers } from '../ledger/list-transfers.ts';
import { pagesOfWalletEntries } from '../ledger/list-wallet-entries.ts';
import { pagePayoutTasks } from '../market/list-payout-tasks.ts';
import { pageNotifications } from '../notifications/list-notifications.ts';
import { pageStuckPayouts } from '../orders/list-stuck-payouts.ts';
import { aMerchant } from '../testing/open-test-domain.ts';
import { by } from '../testing/payouts.ts';
import { giveServiceKeys } from '../testing/service-keys.ts';
import { openThreeMerchants, type ThreeMerchants } from '../testing/three-merchants.ts';
import { only, pageRequest } from '../testing/walk-list.ts';
import { unrestricted } from './scope.ts';

// The filters of each list.

let fixture: ThreeMerchants;
let india: string;
let market: string;
let pakistan: string;
beforeAll(async () => {
  fixture = await openThreeMerchants();
  ({ india, market, pakistan } = fixture);
});
afterAll(() => fixture.close());

test('the entries of a wallet are listed from the newest to the first', async () => {
  const { rows } = await only(
    pagesOfWalletEntries(fixture.domain, unrestricted, [india], pageRequest('wallet_entries')),
  );
  expect(rows.map(({ entryNo }) => entryNo)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(rows.at(-1)).toMatchObject({ type: 'TOP_UP', availableChange: '10000.00', frozenAfter: '0.00' });
});

test('transfers are found by account on either side, cause and order', async () => {
  const read = async (filter: object) =>
    (await pageTransfers(fixture.domain, unrestricted, { merchantId: india, ...filter }, pageRequest('transfers')))
      .rows;
  expect(await read({ account: 'suspense' })).toHaveLength(3);
  expect(await read({ account: 'channel:fake' })).toHaveLength(9);
  expect(await read({ causes: ['payout_freeze'] })).toHaveLength(3);
  const [freeze] = await read({ causes: ['payout_freeze'] });
  expect(freeze).toMatchObject({ debit: 'available', credit: 'frozen', amount: '102.50', currency: 'INR' });
  expect(await read({ orderNo: freeze?.orderNo })).toEqual([freeze]);
});

test('notifications are found by state, status, host and order', async () => {
  const { pool } = fixture.domain.database;
  const read = async (filter: object) =>
    (
      await pageNotifications(
        fixture.domain,
        unrestricted,
        { merchantIds: [india], ...filter },
        pageRequest('notifications'),
      )
    ).rows;
  const [first, ...others] = await read({});
  expect(others).toHaveLength(2);
  expect(first).toMatchObject({ status: 'completed', state: 'pending', attempt: 0 });
  expect(await read({ states: ['exhausted'] })).toEqual([]);
  await pool.query(
    `update notification set state = 'exhausted', next_attempt_at = null where merchant_id = $1 and order_no = $2`,
    [india, first?.orderNo],
  );
  expect((await read({ states: ['exhausted'] })).map(({ orderNo }) => orderNo)).toEqual([first?.orderNo]);
  expect(await read({ states: ['exhausted', 'pending'] })).toHaveLength(3);
  expect(await read({ orderNo: first?.orderNo })).toHaveLength(1);
  expect(await read({ statuses: ['failed'] })).toEqual([]);
  expect(await read({ host: first?.host })).toHaveLength(3);
});

test('tasks of the market are listed as available, claimed or proven, and not any more after their end', async () => {
  const { domain } = fixture;
  const read = async (filter: object) =>
    (await pagePayoutTasks(domain, unrestricted, filter, pageRequest('payout_tasks'))).rows.map(
      ({ orderNo }) => orderNo,
    );
  const [one = '', two = ''] = await read({ state: 'available' });
  const ref = (orderNo: string) => ({ merchantId: market, orderNo });
  for (const orderNo of [one, two])
    await domain.commit({ type: 'claimTask', ref: ref(orderNo), lease: 60_000, by: by('anna') });
  const proof = { reference: 'R1', payer: 'anna', note: null };
  await domain.commit({ type: 'proveTask', ref: ref(two), proof, by: by('anna') });
  expect(await read({ state: 'available' })).toHaveLength(1);
  expect(await read({ state: 'claimed' })).toEqual([one]);
  expect(await read({ state: 'proven' })).toEqual([two]);
  expect(await read({ claimedBy: 'anna' })).toEqual([one, two]);
  expect(await read({ claimedBy: 'bert' })).toEqual([]);
  await domain.commit({ type: 'acceptProof', ref: ref(two), lease: 60_000, by: by('bert') });
  expect(await read({})).toHaveLength(2);
});

test('only payouts that have waited for an hour are stuck', async () => {
  const patient = { ...fixture.domain, scheduleScale: 1 };
  expect((await pageStuckPayouts(patient, unrestricted, {}, pageRequest('stuck_payouts'))).rows).toEqual([]);
  expect((await pageStuckPayouts(fixture.domain, unrestricted, {}, pageRequest('stuck_payouts'))).rows).toHaveLength(6);
});

test('the minimum wait of a payout can be chosen', async () => {
  const waiting = async (waitingMinutes: number, scheduleScale: number) => {
    const domain = { ...fixture.domain, scheduleScale };
    return (await pageStuckPayouts(domain, unrestricted, { waitingMinutes }, pageRequest('stuck_payouts'))).rows.length;
  };
  expect(await waiting(1, 1e-9)).toBe(6);
  expect(await waiting(525_600, 1)).toBe(0);
});

test('cases are found by state and kind', async () => {
  const read = async (filter: object) =>
    (await pageMoneyCases(fixture.domain, unrestricted, filter, pageRequest('money_cases'))).rows;
  const [last] = await read({ merchantIds: [pakistan] });
  expect(last).toMatchObject({ caseNo: 3, kind: 'double', state: 'open', amount: '100.00', reference: 'D2' });
  await fixture.domain.commit({
    type: 'returnCase',
    merchantId: pakistan,
    caseNo: 3,
    orderNo: last?.orderNo ?? null,
    by: by('anna'),
  });
  expect(await read({ states: ['open'], merchantIds: [pakistan] })).toHaveLength(2);
  expect((await read({ states: ['returned'] })).map(({ caseNo }) => caseNo)).toEqual([3]);
  expect(await read({ kinds: ['late'] })).toEqual([]);
  expect(await read({ orderNo: last?.orderNo })).toHaveLength(1);
});

test('decisions are found by operator, action and subject', async () => {
  const read = async (filter: object) =>
    (await pageAuditRecords(fixture.domain, unrestricted, filter, pageRequest('audit_records'))).rows.map(
      ({ actor }) => actor,
    );
  expect(await read({ merchantIds: [india], actor: 'tester' })).toEqual(['tester']);
  expect(await read({ actions: ['bookWallet'], subject: 'OPENING' })).toHaveLength(3);
  expect(await read({ actor: 'nobody' })).toEqual([]);
});

test('a part of a text finds audit records, and searches details only for operators who may see them', async () => {
  const of = { merchantIds: [india] };
  const find = async (text: string, options?: { withDetail: boolean }) =>
    (await pageAuditRecords(fixture.domain, unrestricted, { ...of, text }, pageRequest('audit_records'), options)).rows
      .length;
  expect(await find('OPENing')).toBe(1);
  expect(await find('ookWall')).toBe(1);
  // These are no wildcards.
  for (const text of ['OP%NG', 'OPENIN_', '\\']) expect(await find(text)).toBe(0);
  expect(await find('10000.00')).toBe(0);
  expect(await find('10000.00', { withDetail: true })).toBe(1);
});

test('an approval after its expiry time is expired without a write', async () => {
  const read = async (filter: object) =>
    (
      await pageApprovals(fixture.domain, unrestricted, { merchantIds: [india], ...filter }, pageRequest('approvals'))
    ).rows.map(({ state }) => state);
  expect((await read({})).sort()).toEqual(['expired', 'pending', 'pending']);
  expect(await read({ states: ['pending'] })).toEqual(['pending', 'pending']);
  expect(await read({ requestedBy: 'bert' })).toEqual([]);
});

test('findings are found by state and rule', async () => {
  const read = async (filter: object) =>
    (
      await pageAuditFindings(
        fixture.domain,
        unrestricted,
        { merchantIds: [india], ...filter },
        pageRequest('audit_findings'),
      )
    ).rows;
  expect(await read({ states: ['open'], rules: ['a rule'] })).toHaveLength(3);
  expect(await read({ states: ['repaired'] })).toEqual([]);
});

test('merchants are found by country, status and a part of number or name, and the platform is not listed as a merchant', async () => {
  const read = async (filter: object) =>
    (await pageMerchants(fixture.domain, unrestricted, filter, pageRequest('merchants'))).rows.map(
      ({ merchantId }) => merchantId,
    );
  expect(await read({})).toEqual([india, market, pakistan].sort());
  expect(await read({ countries: ['IN'], status: 'active' })).toEqual([india]);
  expect(await read({ search: market.toLowerCase() })).toEqual([market]);
  expect(await read({ search: 'test sh' })).toHaveLength(3);
  expect(await read({ search: '%' })).toEqual([]);
  expect(await read({ status: 'disabled' })).toEqual([]);
});

test('no list shows a secret', async () => {
  const { domain } = fixture;
  await createOperator(domain, { operatorId: 'anna', name: 'Anna', roles: ['viewer', 'finance'] });
  await mapBank(domain, { channelId: 'fake', kind: 'payout', bankCode: 'HBL', channelBankCode: '12' });
  await giveServiceKeys(domain, india);
  const [channels, keys, serviceKeys, operators, mappings] = await Promise.all([
    pageChannels(domain, unrestricted, pageRequest('channels')),
    only(pagesOfMerchantKeys(domain, unrestricted, [india], pageRequest('merchant_keys'))),
    only(pagesOfServiceKeys(domain, unrestricted, [india], pageRequest('service_keys'))),
    pageOperators(domain, { role: 'finance', enabled: true }, pageRequest('operators')),
    only(pagesOfBankMappings(domain, ['fake'], pageRequest('bank_mappings'))),
  ]);
  expect(channels.rows.map(Object.keys)).toEqual([
    [
      'channelId',
      'adapter',
      'baseUrl',
      'enabled',
      'payinExpirySeconds',
      'declaredMode',
      'declaredBy',
      'declaredApprover',
      'declaredAt',
      'declaredEvidence',
      'createdAt',
      'changedAt',
    ],
  ]);
  expect(keys.rows.map(Object.keys)).toEqual([
    ['merchantId', 'keyId', 'publicKeyPem', 'createdAt', 'expiresAt', 'lastUsedAt'],
  ]);
  const ofServiceKey = ['merchantId', 'keyId', 'publicKeyPem', 'createdAt', 'retiresAt'];
  expect(serviceKeys.rows.map(Object.keys)).toEqual([ofServiceKey, ofServiceKey]);
  expect(keys.rows[0]?.publicKeyPem).toContain('BEGIN PUBLIC KEY');
  expect(operators.rows).toMatchObject([{ operatorId: 'anna', roles: ['viewer', 'finance'], enabled: true }]);
  expect(mappings.rows).toEqual([{ channelId: 'fake', kind: 'payout', bankCode: 'HBL', channelBankCode: '12' }]);
  const otherMerchant = await aMerchant(domain, 'TH');
  expect(
    JSON.stringify(
      await pageMerchants(
        domain,
        { countries: null, merchantIds: [otherMerchant.merchantId] },
        {},
        pageRequest('merchants'),
      ),
    ),
  ).not.toContain('tag');
});

import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, request } from '../testing/operators.ts';
import { approvalById } from './approvals.ts';
import { approve } from './approve.ts';
import type { OperationName } from './operations.ts';
import { requestOperation } from './request-operation.ts';

// A request for a change of the configuration is about the configuration that there was. What one operator stops while
// it waits stays stopped.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
let eve: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const another = () => anOperator(fixture.domain, ['admin', 'finance']);
  [ann, bob, eve] = [await another(), await another(), await another()];
  await setChannel(fixture.domain, { channelId: 'acme', adapter: 'fake', baseUrl: 'http://a.test', credentials: {} });
});
afterAll(() => fixture.close());

async function ask(name: OperationName, input: object): Promise<Approval> {
  const requested = await requestOperation(fixture.domain, ann, name, input, 'a test');
  if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
  return requested.approval;
}

async function expectOutdated({ approvalId }: Approval): Promise<void> {
  const { domain } = fixture;
  expect(await approve(domain, bob, approvalId)).toMatchObject({
    ok: false,
    rejection: 'version_outdated',
    changed: { by: eve.operatorId },
  });
  expect(await approvalById(domain, approvalId)).toMatchObject({ state: 'failed' });
}

test('a settlement cycle that was removed is not made again with defaults by an older request about a part of it', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'IN');
  const cycle = async () =>
    (await domain.database.pool.query('select keep from settlement_cycle where merchant_id = $1', [merchantId])).rows;
  const first = await ask('setSettlementCycle', { merchantId, weekdays: ['mon'], keep: '400.00', minimum: '50.00' });
  expect(await approve(domain, bob, first.approvalId)).toMatchObject({ ok: true });
  expect(await cycle()).toEqual([{ keep: '400.00' }]);

  const old = await ask('setSettlementCycle', { merchantId, workingDays: 3 });
  expect(await request(domain, eve, 'removeSettlementCycle', { merchantId })).toBe('executed');
  await expectOutdated(old);
  expect(await cycle()).toEqual([]);

  // Asked for again, it is about a merchant without a cycle.
  const again = await ask('setSettlementCycle', { merchantId, workingDays: 3 });
  expect(await approve(domain, bob, again.approvalId)).toMatchObject({ ok: true });
  expect(await cycle()).toEqual([{ keep: '0.00' }]);
});

test('a channel that was disabled is not changed by an older request', async () => {
  const old = await ask('setChannel', { channelId: 'acme', adapter: 'fake', payinExpirySeconds: 60 });
  expect(await request(fixture.domain, eve, 'disableChannel', { channelId: 'acme' })).toBe('executed');
  await expectOutdated(old);
});

test('each request for a change of the configuration keeps the version that it is about', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'PK');
  const route = { merchantId, routeNo: 7, kind: 'payin', channelId: 'acme' };
  const asked: [OperationName, object, string][] = [
    ['setFeeRule', { merchantId, kind: 'payout', bankCode: 'HBL', percent: '1', fixed: '0.00' }, 'new'],
    ['setRoute', route, 'new'],
    ['setSettlementCycle', { merchantId, workingDays: 2 }, 'new'],
    [
      'setChannel',
      { channelId: 'fresh', adapter: 'fake', baseUrl: 'http://b.test', credentials: { secret: 'x' } },
      'new',
    ],
    ['mapBank', { channelId: 'acme', kind: 'payin', bankCode: 'HBL', channelBankCode: '1' }, 'new'],
    ['setReconciliation', { country: 'PK', channelId: 'acme', tolerance: '1.00' }, 'new'],
    ['createOperator', { operatorId: 'zoe', name: 'Zoe', roles: ['viewer'] }, expect.stringMatching(/^new|0$/)],
    ['inviteOperator', { operatorId: eve.operatorId, fingerprint: 'a'.repeat(64) }, expect.stringMatching(/^[0-9]+$/)],
    ['enableChannel', { channelId: 'acme' }, expect.stringMatching(/^[1-9][0-9]*$/)],
  ];
  for (const [name, input, version] of asked)
    expect(await ask(name, input), name).toMatchObject({ expectedVersion: version });
});

import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../channels/index.ts';
import { removeRoute, setFeeRule, setMerchantStatus, setRoute } from '../configuration/index.ts';
import type { FeeRule } from '../core/fee.ts';
import type { Decision } from '../core/operator.ts';
import { FeeRuleRow, Merchant } from '../database/entities/merchant.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/open-test-domain.ts';
import { waitFor } from '../testing/wait-for.ts';
import { type Changed, type ChangeTransaction, changeConfiguration, platformTenant } from './change-configuration.ts';

let fixture: TestDomain;
let tenant: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  tenant = (await aMerchant(fixture.domain, 'PK')).merchantId;
});
afterAll(() => fixture.close());

const by: Decision = { actor: 'ann', approver: null, reason: 'a test' };

function change(
  of: string,
  apply: (within: ChangeTransaction) => Promise<Omit<Changed<null>, 'subject' | 'value'>>,
  how = by,
) {
  const where = { tenant: of, change: 'setFeeRule' };
  return changeConfiguration(fixture.domain, where, how, async (within) => ({
    ok: true,
    value: { subject: 'x', value: null, ...(await apply(within)) },
  }));
}

async function setFee(within: ChangeTransaction, rule: FeeRule): Promise<{ entity: object }> {
  const set = await setFeeRule(within, tenant, rule);
  if (!set.ok) throw new Error(set.rejection);
  return { entity: set.value.entity };
}

async function lastDetail(of: string): Promise<{ before?: object; after?: object }> {
  const text = 'select detail from audit_record where merchant_id = $1 order by audit_no desc limit 1';
  const { rows } = await fixture.domain.database.pool.query<{ detail: string }>(text, [of]);
  return JSON.parse(rows[0]?.detail ?? '{}');
}

const terms = (percent: string) => ({ kind: 'payin', bankCode: 'HBL', percent, fixed: '0.00' }) as const;

test('the audit record has no values before for a new entity, both for a changed entity, and no values after for a removed one', async () => {
  await change(tenant, async (within) => setFee(within, terms('2')));
  const first = { percent: '2', fixed: '0.00', minimum: null, maximum: null };
  expect(await lastDetail(tenant)).toMatchObject({ before: null, after: first });
  await change(tenant, async (within) => setFee(within, terms('3')));
  expect(await lastDetail(tenant)).toMatchObject({ before: { percent: '2.0000' }, after: { percent: '3' } });
  await change(tenant, async (within) => ({ entity: (await removeRoute(within, tenant, 2)) ?? {} }));
  const route = { kind: 'payout', channelId: 'fake', mode: 'upstream', priority: 100, weight: 1, enabled: true };
  expect(await lastDetail(tenant)).toMatchObject({ before: route, after: null });
  await change(tenant, async (within) => ({
    entity: await setRoute(within, tenant, 2, { kind: 'payout', channelId: 'fake' }),
  }));
});

test('after two flushes the audit record has the first old values, and an unchanged entity is recorded too', async () => {
  await change(tenant, async (within) => {
    await setMerchantStatus(within, tenant, 'disabled');
    const entity = (await setMerchantStatus(within, tenant, 'active')) ?? {};
    return { entity, fields: ['status'] };
  });
  expect(await lastDetail(tenant)).toMatchObject({ before: { status: 'active' }, after: { status: 'active' } });
});

test('hidden properties are never recorded', async () => {
  for (const secret of ['first-secret', 'second-secret'])
    await change(platformTenant, (within) =>
      setChannel(
        { ...within, adapters: fixture.domain.adapters },
        { channelId: 'other', adapter: 'fake', baseUrl: 'http://o.test', credentials: { secret } },
      ),
    );
  const detail = await lastDetail(platformTenant);
  const declared = ['declaredApprover', 'declaredAt', 'declaredBy', 'declaredEvidence', 'declaredMode'];
  const shown = ['adapter', 'baseUrl', ...declared, 'enabled', 'mode', 'payinExpirySeconds'];
  expect(Object.keys(detail.after ?? {}).sort()).toEqual(shown);
  expect(Object.keys(detail.before ?? {}).sort()).toEqual(shown);
});

test.each<[string, Decision, boolean]>([
  ['a rehearsal', { ...by, rehearsal: true }, true],
  ['a refusal', by, false],
])('%s leaves none of the flushed changes, and no audit record', async (_, how, isDone) => {
  const { database } = fixture.domain;
  const count = async () => (await database.pool.query('select count(*)::integer as n from audit_record')).rows[0].n;
  const before = await count();
  const where = { tenant, change: 'setFeeRule' };
  const done = await changeConfiguration(fixture.domain, where, how, async (within) => {
    const { entity } = await setFee(within, { ...terms('9'), bankCode: 'UBL' });
    return isDone
      ? { ok: true, value: { subject: 'x', entity, value: null } }
      : { ok: false, rejection: 'merchant_not_found' };
  });
  expect(done.ok).toBe(isDone);
  expect(
    await database.unitOfWork().findOne(FeeRuleRow, { merchant: tenant, kind: 'payin', bankCode: 'UBL' }),
  ).toBeNull();
  expect(await count()).toBe(before);
});

test('flushed changes are visible only within their transaction until the commit', async () => {
  const { pool } = fixture.domain.database;
  const text = 'select name from merchant where merchant_id = $1';
  await change(tenant, async (within) => {
    const em = within.database.unitOfWork();
    const merchant = await em.findOneOrFail(Merchant, tenant);
    merchant.name = 'Renamed';
    await em.flush();
    expect((await within.database.pool.query(text, [tenant])).rows).toEqual([{ name: 'Renamed' }]);
    expect((await pool.query(text, [tenant])).rows).not.toEqual([{ name: 'Renamed' }]);
    return { entity: merchant };
  });
  expect((await pool.query(text, [tenant])).rows).toEqual([{ name: 'Renamed' }]);
});

test('relations of an entity can be loaded', async () => {
  const em = fixture.domain.database.unitOfWork();
  const merchant = await em.findOneOrFail(Merchant, tenant, { populate: ['feeRules', 'routes.channel', 'keys'] });
  expect(merchant.feeRules.getItems().map(({ kind, bankCode }) => [kind, bankCode])).toEqual(
    expect.arrayContaining([
      ['payin', ''],
      ['payin', 'HBL'],
      ['payout', ''],
    ]),
  );
  const routes = merchant.routes.getItems().map(({ routeNo, channel }) => [routeNo, channel.adapter]);
  expect(routes.toSorted()).toEqual([
    [1, 'fake'],
    [2, 'fake'],
  ]);
  expect(merchant.keys.count()).toBe(1);
});

/** A change whose process is silent within the transaction, the first `silences` times. Returns how often it was called. */
async function silentChange(percent: string, silences: number): Promise<number> {
  let calls = 0;
  const changed = change(tenant, async (within) => {
    calls += 1;
    const set = await setFee(within, terms(percent));
    if (calls <= silences) await untilSilentSessionsEnd();
    return set;
  });
  await changed.catch((error) => expect(error).toMatchObject({ message: expect.stringMatching(/not queryable/) }));
  return calls;
}

async function untilSilentSessionsEnd(): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
  await waitFor(
    'the silent session has ended',
    async () => (await fixture.domain.database.pool.query(text)).rows.length === 0,
  );
}

test('a change whose session was ended because its process was silent is made again, and recorded once', async () => {
  const count = async () =>
    (await fixture.domain.database.pool.query('select from audit_record where merchant_id = $1', [tenant])).rows.length;
  const before = await count();
  expect(await silentChange('4', 2)).toBe(3);
  expect(await lastDetail(tenant)).toMatchObject({ after: { percent: '4' } });
  expect(await count()).toBe(before + 1);
});

test('a change that is silent each time is given up after three tries, and nothing is changed', async () => {
  expect(await silentChange('5', 9)).toBe(3);
  expect(await lastDetail(tenant)).toMatchObject({ after: { percent: '4' } });
});

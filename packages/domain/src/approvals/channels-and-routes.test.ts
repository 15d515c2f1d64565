import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import { setRoute } from '../configuration/set-route.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, request } from '../testing/operators.ts';
import { approve } from './approve.ts';
import { inputFields } from './input-schemas.ts';
import { type OperationName, operations } from './operations.ts';
import { requestOperation } from './request-operation.ts';

// Where money goes: channels with their secrets, and routes within an operator's restriction.

let fixture: TestDomain;
let merchantId: string;
let ann: OperatorContext;
let bob: OperatorContext;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const { domain } = fixture;
  ({ merchantId } = await aMerchant(domain, 'PK'));
  for (const channelId of ['theirs', 'ours'])
    await setChannel(domain, { channelId, adapter: 'fake', baseUrl: 'http://c.test', credentials: {} });
  await setRoute(domain, (await aMerchant(domain, 'IN')).merchantId, 5, { kind: 'payin', channelId: 'theirs' });
  await setRoute(domain, merchantId, 5, { kind: 'payin', channelId: 'ours' });
  [ann, bob] = [await anOperator(domain, ['admin']), await anOperator(domain, ['admin'])];
});
afterAll(() => fixture.close());

const channel = (baseUrl: string): object => ({
  ...{ channelId: 'acme', adapter: 'fake', baseUrl, credentials: { secret: 'hush-hush' } },
});

test('credentials of a pending approval are sealed and never shown, and deleted at the decision', async () => {
  const { domain } = fixture;
  const { pool } = domain.database;
  const asked = await requestOperation(domain, ann, 'setChannel', channel('http://acme.test'), 'a test');
  if (!asked.ok || asked.state !== 'pending') throw new Error(JSON.stringify(asked));
  expect(asked.approval.input).toMatchObject({ credentials: ['secret'] });
  const kept = async (): Promise<string> => {
    const { rows } = await pool.query('select row_to_json(a)::text as text from approval a');
    const records = await pool.query('select detail from audit_record');
    return JSON.stringify([rows, records.rows]);
  };
  expect(await kept()).not.toContain('hush');
  expect(await approve(domain, bob, asked.approval.approvalId)).toMatchObject({ ok: true });
  expect(await kept()).not.toContain('hush');
  const { rows } = await pool.query(
    "select c.credentials, a.secrets from channel c, approval a where c.channel_id = 'acme'",
  );
  expect(rows[0].secrets).toBeNull();
  expect(domain.vault.open(rows[0].credentials, 'channel acme')).toBe('{"secret":"hush-hush"}');
});

test('an approval sealed with another secret can only be rejected', async () => {
  const { domain } = fixture;
  const asked = await requestOperation(domain, ann, 'setChannel', channel('http://acme.test'), 'a test');
  if (!asked.ok || asked.state !== 'pending') throw new Error(JSON.stringify(asked));
  const open = () => {
    throw new Error('another secret');
  };
  const changed = { ...domain, vault: { ...domain.vault, open } };
  expect(await approve(changed, bob, asked.approval.approvalId)).toEqual({ ok: false, rejection: 'approval_outdated' });
});

test.each([
  'http://10.0.0.1/',
  'http://169.254.169.254/latest',
  'http://[fd00::1]/',
  'http://u:p@c.test/',
  'http://c.test:22/',
])('a channel is not set to %s', async (baseUrl) => {
  expect(await request(fixture.domain, ann, 'setChannel', channel(baseUrl))).toBe('invalid_input');
});

test('a restricted operator can set and approve routes to channels of their merchants only', async () => {
  const { domain } = fixture;
  const route = (channelId: string): object => ({ merchantId, routeNo: 9, kind: 'payin', channelId });
  for (const to of [{ countries: ['PK' as const] }, { merchantIds: [merchantId] }]) {
    const restricted = await anOperator(domain, ['admin'], to);
    expect(await request(domain, restricted, 'setRoute', route('theirs'))).toBe('channel_not_found');
    expect(await request(domain, restricted, 'setRoute', route('ours'))).toBe('pending');
    const asked = await requestOperation(domain, ann, 'setRoute', route('theirs'), 'a test');
    if (!asked.ok || asked.state !== 'pending') throw new Error(JSON.stringify(asked));
    const { approvalId } = asked.approval;
    expect(await approve(domain, restricted, approvalId)).toMatchObject({ rejection: 'approval_not_found' });
  }
});

/** Operations on what an operator's restriction covers, whose input names something else: how that is held within the restriction. */
const alsoNamed: Partial<Record<OperationName, string[]>> = {
  setRoute: ['channelId'],
  creditCase: ['orderNo', 'toMerchantId'],
};

test('every affected object is checked against the restriction', () => {
  for (const [name, one] of Object.entries(operations) as [OperationName, (typeof operations)[OperationName]][]) {
    const sample = new Proxy({}, { get: (_, field) => String(field) });
    const about = one.about(sample as never);
    if (about.kind === 'platform') continue;
    const own = 'orderNo' in about ? 'orderNo' : 'merchantId';
    const others = inputFields(one.input).map((field) => field.name);
    const leads = others.filter(
      (field) => /^(to)?(merchantIds?|channelId|operatorId|orderNo)$/i.test(field) && field !== own,
    );
    expect([name, leads]).toEqual([name, alsoNamed[name] ?? []]);
    expect([name, 'channelOf' in one || 'alsoAffects' in one]).toEqual([name, leads.length > 0]);
  }
});

import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setChannel } from '../channels/set-channel.ts';
import { setRoute } from '../configuration/set-route.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { anOperator, request } from '../testing/operators.ts';
import { walkList } from '../testing/walk-list.ts';
import { pendingApprovals } from './approvals.ts';
import { approve } from './approve.ts';
import { countToDecide, findDecidable } from './count-to-decide.ts';
import { inputFields } from './input-schemas.ts';
import { type ApprovalFilter, pageApprovals } from './list-approvals.ts';
import { problemOfDeciding } from './may-decide.ts';
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
  channelId: 'acme',
  adapter: 'fake',
  baseUrl,
  credentials: { secret: 'hush-hush' },
});

test('credentials of a pending approval are sealed and never shown, and deleted at the decision', async () => {
  const { domain } = fixture;
  const { pool } = domain.database;
  const requested = await requestOperation(domain, ann, 'setChannel', channel('http://acme.test'), 'a test');
  if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
  expect(requested.approval.input).toMatchObject({ credentials: ['secret'] });
  const kept = async (): Promise<string> => {
    const { rows } = await pool.query('select row_to_json(a)::text as text from approval a');
    const records = await pool.query('select detail from audit_record');
    return JSON.stringify([rows, records.rows]);
  };
  expect(await kept()).not.toContain('hush');
  expect(await approve(domain, bob, requested.approval.approvalId)).toMatchObject({ ok: true });
  expect(await kept()).not.toContain('hush');
  const { rows } = await pool.query(
    "select c.payout, a.secrets from channel_credential c, approval a where c.channel_id = 'acme' and c.name = 'secret'",
  );
  expect(rows[0].secrets).toBeNull();
  expect(domain.vault.open('payoutCredential', 'acme/secret', rows[0].payout)).toBe('hush-hush');
});

test('an approval sealed with another secret can only be rejected', async () => {
  const { domain } = fixture;
  const requested = await requestOperation(domain, ann, 'setChannel', channel('http://acme.test'), 'a test');
  if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
  const open = () => {
    throw new Error('another secret');
  };
  const changed = { ...domain, vault: { ...domain.vault, open } };
  expect(await approve(changed, bob, requested.approval.approvalId)).toEqual({
    ok: false,
    rejection: 'approval_outdated',
  });
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
  let routeNo = 9;
  const route = (channelId: string): object => ({ merchantId, routeNo: ++routeNo, kind: 'payin', channelId });
  for (const to of [{ countries: ['PK' as const] }, { merchantIds: [merchantId] }]) {
    const restricted = await anOperator(domain, ['admin'], to);
    expect(await request(domain, restricted, 'setRoute', route('theirs'))).toBe('channel_not_found');
    expect(await request(domain, restricted, 'setRoute', route('ours'))).toBe('pending');
    const requested = await requestOperation(domain, ann, 'setRoute', route('theirs'), 'a test');
    if (!requested.ok || requested.state !== 'pending') throw new Error(JSON.stringify(requested));
    const { approvalId } = requested.approval;
    expect(await approve(domain, restricted, approvalId)).toMatchObject({ rejection: 'approval_not_found' });
  }
});

test('a restricted operator gets all approvals that wait for them, also more than a hundred', async () => {
  const { domain } = fixture;
  const restricted = await anOperator(domain, ['admin'], { merchantIds: [merchantId] });
  const { merchantId: other } = await aMerchant(domain, 'PK');
  // Of 130: 5 are their own, 5 are over, 7 lead to a channel of others, 4 are of another merchant, 3 need another role.
  await domain.database.pool.query(
    `insert into approval (merchant_id, approval_id, operation, subject, input, asked_by, reason, asked_at, expires_at)
     select case when i between 18 and 21 then $2 else $1 end, 'AP' || lpad(i::text, 12, '0'),
       case when i between 22 and 24 then 'topUpWallet' when i % 4 = 0 then 'removeRoute' else 'setRoute' end, 'route ' || i,
       jsonb_build_object('merchantId', case when i between 18 and 21 then $2 else $1 end, 'routeNo', i, 'kind', 'payin',
         'channelId', case when i between 11 and 17 then 'theirs' else 'ours' end) - case when i % 4 = 0 then '{kind,channelId}'::text[] else '{}' end,
       case when i <= 5 then $3 else $4 end, 'a test', clock_timestamp() - i * interval '1 s' - interval '1 h',
       clock_timestamp() + case when i between 6 and 10 then interval '-1 s' else interval '1 h' end
     from generate_series(1, 130) i`,
    [merchantId, other, restricted.operatorId, ann.operatorId],
  );
  const decidable = await findDecidable(domain, restricted);
  const list = (filter: ApprovalFilter, sizes: number[]) =>
    walkList('approvals', (page) => pageApprovals(domain, restricted, filter, page, decidable), { sizes });
  const found = (await list({}, [7, 100])).map(({ approvalId }) => approvalId);
  const pending = await pendingApprovals(domain, restricted, 1_000);
  const expected: string[] = [];
  for (const approval of pending.toReversed())
    if ((await problemOfDeciding(domain, restricted, approval)) === null) expected.push(approval.approvalId);
  expect(found.length).toBeGreaterThan(100);
  expect(found).toEqual(expected);
  expect((await list({ operations: ['removeRoute'] }, [50])).length).toBeLessThan(40);
  expect(await countToDecide(domain, restricted)).toBe(100);
});

/** Operations on what an operator's restriction covers, whose input names something else: how that is held within the restriction. */
const alsoNamed: Partial<Record<OperationName, string[]>> = {
  setRoute: ['channelId'],
  creditCase: ['orderNo', 'toMerchantId'],
  fetchStatement: ['channelId'],
  importStatement: ['channelId'],
  closeDay: ['channelId'],
  reopenDay: ['channelId'],
  setReconciliation: ['channelId'],
  sendSettlement: ['channelId'],
  releaseWithheld: ['channelId'],
  adjustWallet: ['channelId'],
  topUpWallet: ['channelId'],
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
    expect([name, 'channelField' in one || 'alsoAffects' in one]).toEqual([name, leads.length > 0]);
  }
});

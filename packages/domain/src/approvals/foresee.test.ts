import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageConfigurationHistory } from '../configuration/list-configuration-history.ts';
import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { unrestricted } from '../lists/scope.ts';
import { workOnTask } from '../market/index.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { takeKeyPair } from '../testing/key-pool.ts';
import { anOperator, request } from '../testing/operators.ts';
import { aReport, aTopUp, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout, rowCounts } from '../testing/payouts.ts';
import { pageRequest } from '../testing/walk-list.ts';
import { approvalById } from './approvals.ts';
import { approve } from './approve.ts';
import { foresee } from './foresee.ts';
import type { OperationName } from './operations.ts';
import { reject } from './reject.ts';
import { requestOperation } from './request-operation.ts';
import { withdraw } from './withdraw.ts';

// What an approval would come to is what approving it comes to, and to ask has no effect.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
const roles = ['operator', 'finance', 'admin'] as const;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url, { approvalSignIn: 'token' });
  ann = await anOperator(fixture.domain, roles);
  bob = await anOperator(fixture.domain, roles);
});
afterAll(() => fixture.close());

const sql = (text: string, values: unknown[] = []) => fixture.domain.database.pool.query(text, values);
async function ask(name: OperationName, input: object, who = ann): Promise<Approval> {
  const done = await requestOperation(fixture.domain, who, name, input, 'a test');
  if (!done.ok || done.state !== 'pending') throw new Error(JSON.stringify(done));
  return done.approval;
}
async function now({ approvalId }: Approval): Promise<Approval> {
  const approval = await approvalById(fixture.domain, approvalId);
  if (!approval) throw new Error('the approval no longer exists');
  return approval;
}
const foreseen = async (approval: Approval, who = bob) => foresee(fixture.domain, who, await now(approval));
const answer = async ({ approvalId }: Approval): Promise<string> => {
  const done = await approve(fixture.domain, bob, approvalId);
  return done.ok ? done.value.state : done.rejection;
};
const inTwoDays = () => Date.now() + 2 * 24 * 60 * 60_000;
const pem = () => takeKeyPair().publicKey.export({ type: 'spki', format: 'pem' }).toString();
const booking = (merchantId: string, bookingNo: string) => ({ merchantId, bookingNo, amount: '20000', remark: 'x' });
const aPayee = async () => (await aFundedMerchant(fixture.domain, 'IN', '50000.00')).merchantId;

/** An approval, and what happens before it is decided, if anything. */
type Situation = () => Promise<[Approval, spoil?: () => Promise<unknown>]>;

const situations: Record<string, Situation> = {
  'a settlement': async () => [await ask('settleWallet', booking(await aPayee(), 'B'))],
  'a settlement without enough money': async () => {
    const merchantId = await aPayee();
    const other = () => request(fixture.domain, ann, 'settleWallet', { ...booking(merchantId, 'C'), amount: '9000' });
    await fixture.domain.commit({ ...aTopUp(merchantId, 'ADJ', '-25000.00'), entry: 'ADJUSTMENT' });
    return [await ask('settleWallet', booking(merchantId, 'B')), other];
  },
  'a booking number that is used': async () => {
    const merchantId = await aPayee();
    const spoil = () => fixture.domain.commit(aTopUp(merchantId, 'USED', '1.00'));
    return [await ask('topUpWallet', booking(merchantId, 'USED')), spoil];
  },
  'a requester without the role': async () => {
    const carol = await anOperator(fixture.domain, roles);
    const spoil = () => sql("update operator set roles = '{viewer}' where operator_id = $1", [carol.operatorId]);
    return [
      await ask('setFeeRule', { merchantId: await aPayee(), kind: 'payin', percent: '3', fixed: '1' }, carol),
      spoil,
    ];
  },
  'a key that another merchant registered': async () => {
    const publicKey = pem();
    const [one, other] = [await aPayee(), await aPayee()];
    const spoil = async () => answer(await ask('addMerchantKey', { merchantId: other, publicKey }));
    return [await ask('addMerchantKey', { merchantId: one, publicKey }), spoil];
  },
  'a fee rule that has begun': async () => {
    const input = { merchantId: await aPayee(), kind: 'payin', from: inTwoDays() };
    await answer(await ask('setFeeRule', { ...input, percent: '3', fixed: '1' }));
    const spoil = () =>
      sql("update scheduled_fee_rule set begins_at = now() - interval '1 day' where merchant_id = $1", [
        input.merchantId,
      ]);
    return [await ask('removeFeeRule', input), spoil];
  },
  'a payout that its channel paid': async () => {
    const order = await placePayout(fixture.domain, await aPayee(), 'IN');
    const input = { orderNo: order.orderNo, outcome: 'failed', evidence: 'statement 7' };
    return [await ask('resolvePayout', input), () => fixture.domain.commit(aReport(order, paid('P', '100.00')))];
  },
  'a stuck payout': async () => {
    const { orderNo } = await placePayout(fixture.domain, await aPayee(), 'IN');
    return [await ask('resolvePayout', { orderNo, outcome: 'paid', evidence: 'statement 7' })];
  },
  'a bank reference that confirmed another payin': async () => {
    const place = async () =>
      placePayin(fixture.domain, (await aMerchant(fixture.domain, 'TH')).merchantId, 'TH', { mode: 'manual' });
    const [one, other] = [await place(), await place()];
    const confirm = { amount: '20000', reference: `KTB ${one.orderNo}` };
    const spoil = () =>
      request(fixture.domain, bob, 'confirmFunds', { ...confirm, orderNo: other.orderNo, amount: '1' });
    return [await ask('confirmFunds', { ...confirm, orderNo: one.orderNo }), spoil];
  },
  'a proof that was taken back': async () => {
    const { merchantId } = await aFundedMerchant(fixture.domain, 'PK', '1000.00', 'market');
    const order = await placePayout(fixture.domain, merchantId, 'PK', { mode: 'market' });
    await workOnTask(fixture.domain, order, { type: 'claimTask' }, by(ann.operatorId));
    const proof = { reference: order.orderNo, payer: 'us', note: null };
    await workOnTask(fixture.domain, order, { type: 'proveTask', proof }, by(ann.operatorId));
    const spoil = () => workOnTask(fixture.domain, order, { type: 'rejectProof' }, by(bob.operatorId));
    return [await ask('acceptProof', { orderNo: order.orderNo }), spoil];
  },
  'an identity that was linked meanwhile': async () => {
    const { operatorId } = await anOperator(fixture.domain, ['viewer']);
    const approval = await ask('linkIdentity', { operatorId, issuer: 'https://id.test/', subject: 'one' });
    const spoil = async () =>
      sql('update operator set external_id = $2 where operator_id = $1', [operatorId, approval.approvalId]);
    return [approval, spoil];
  },
  'a rejected one': async () => {
    const approval = await ask('settleWallet', booking(await aPayee(), 'B'));
    return [approval, () => reject(fixture.domain, bob, approval.approvalId, 'no')];
  },
  'a withdrawn one': async () => {
    const approval = await ask('settleWallet', booking(await aPayee(), 'B'));
    return [approval, () => withdraw(fixture.domain, ann, approval.approvalId, 'no')];
  },
};

test.each(Object.entries(situations))(
  '%s: the predicted result equals the result of the approval',
  async (_, situation) => {
    const [approval, spoil] = await situation();
    const before = await foreseen(approval);
    expect(before.refused).toBeNull();
    expect(before.changes.length).toBeGreaterThan(0);
    await spoil?.();
    const rows = await rowCounts(fixture.domain);
    const { refused, changes } = await foreseen(approval);
    expect(await rowCounts(fixture.domain)).toEqual(rows);
    expect(changes.length === 0).toBe(refused !== null);
    expect(refused?.rejection ?? 'executed').toBe(await answer(approval));
    // Whatever came of it, it is decided or waits: to ask again agrees again.
    expect((await foreseen(approval)).refused?.rejection).toBe((await answerAgain(approval)) ?? undefined);
  },
);

/** What approving answers to an operator who has not approved it. */
async function answerAgain({ approvalId }: Approval): Promise<string | null> {
  const carol = await anOperator(fixture.domain, roles);
  const done = await approve(fixture.domain, carol, approvalId);
  return done.ok ? null : done.rejection;
}

test('the requester sees the same prediction as the approver, and a prediction changes nothing', async () => {
  const merchantId = await aPayee();
  const approval = await ask('settleWallet', booking(merchantId, 'B'));
  const own = await foreseen(approval, ann);
  expect(own).toEqual(await foreseen(approval));
  const money = (amount: string) => ({ type: 'money', amount, currency: 'INR' });
  expect(own.changes).toEqual([
    { of: null, field: 'available', label: 'Available', before: money('50000.00'), after: money('30000.00') },
  ]);
  expect(await now(approval)).toMatchObject({ state: 'pending', decidedBy: null });
});

test.each<[string, (merchantId: string) => Promise<Approval>, string[]]>([
  [
    'a fee rule',
    (merchantId) => ask('setFeeRule', { merchantId, kind: 'payin', percent: '3.00', fixed: '1.50' }),
    ['percent', 'fixed'],
  ],
  [
    'a scheduled rule',
    (merchantId) => ask('setFeeRule', { merchantId, kind: 'payout', percent: '3', fixed: '1', from: inTwoDays() }),
    ['from', 'percent', 'fixed'],
  ],
  [
    'a route',
    (merchantId) => ask('setRoute', { merchantId, routeNo: 1, kind: 'payin', channelId: 'fake', minAmount: '10' }),
    ['minAmount'],
  ],
  ['the end of a route', (merchantId) => ask('removeRoute', { merchantId, routeNo: 2 }), ['channelId', 'kind']],
])('%s: the changes that are foreseen are those of the history', async (_, make, fields) => {
  const merchantId = await aPayee();
  const approval = await make(merchantId);
  const { changes } = await foreseen(approval);
  expect(changes.map(({ field }) => field)).toEqual(expect.arrayContaining(fields));
  expect(await answer(approval)).toBe('executed');
  const { rows } = await pageConfigurationHistory(
    fixture.domain,
    unrestricted,
    merchantId,
    pageRequest('configuration_history'),
  );
  expect(changes.map(({ field }) => field).toSorted()).toEqual(rows[0]?.changes.map(({ field }) => field).toSorted());
});

test('the prediction of a changed operator shows lists before and after, and that of a new service key shows no key id', async () => {
  const { operatorId } = await anOperator(fixture.domain, ['viewer']);
  const approval = await ask('changeOperator', { operatorId, roles: ['finance'], countries: ['IN'] });
  const list = (...items: string[]) => ({ type: 'list', items });
  expect((await foreseen(approval)).changes).toEqual([
    { of: null, field: 'roles', label: 'Roles', before: list('viewer'), after: list('finance') },
    { of: null, field: 'countries', label: 'Countries', before: null, after: list('IN') },
  ]);
  const rotated = await ask('rotateServiceKey', { merchantId: await aPayee(), overlapHours: 1 });
  const keys = (await foreseen(rotated)).changes.filter(({ field }) => field === 'keyId');
  expect(keys).toMatchObject([{ after: { type: 'text', text: 'made when it is carried out' } }]);
});

test('the prediction does not show the balance of a merchant outside of the restriction', async () => {
  const { merchantId: toMerchantId } = await aMerchant(fixture.domain, 'TH');
  const money = { channelId: 'fake', orderNo: 'PI9', reference: 'U1', amount: '7.00', direction: 'in' } as const;
  await fixture.domain.commit({ type: 'bookUnmatched', merchantId: 'PLATFORM-TH', ...money });
  const approval = await ask('creditCase', { merchantId: 'PLATFORM-TH', caseNo: 1, toMerchantId });
  const about = async (who: OperatorContext) => (await foreseen(approval, who)).changes.map(({ of }) => of);
  expect(await about(bob)).toEqual(expect.arrayContaining([`merchant ${toMerchantId}`, 'case 1']));
  expect(await about({ ...bob, merchantIds: ['PLATFORM-TH'] })).toEqual(['case 1']);
});

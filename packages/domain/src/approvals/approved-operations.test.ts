import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { listMerchantKeys, listServiceKeys } from '../configuration/list-configuration.ts';
import type { Approval } from '../core/approval.ts';
import type { OperatorContext } from '../core/operator-rights.ts';
import { aMerchant, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { takeKeyPair } from '../testing/key-pool.ts';
import { anOperator, request } from '../testing/operators.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { approvalById } from './approvals.ts';
import { approve } from './approve.ts';
import type { OperationName } from './operations.ts';
import { requestOperation } from './request-operation.ts';

// What each operation that needs two comes to once the second operator agrees.

let fixture: TestDomain;
let ann: OperatorContext;
let bob: OperatorContext;
let cid: OperatorContext;
const roles = ['operator', 'finance', 'admin'] as const;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  const { domain } = fixture;
  [ann, bob, cid] = [await anOperator(domain, roles), await anOperator(domain, roles), await anOperator(domain, roles)];
});
afterAll(async () => {
  const { violations } = await audit(fixture.domain);
  await fixture.close();
  expect(violations).toEqual([]);
});

type Input = { [name: string]: unknown };
const ask = async (name: OperationName, input: Input): Promise<Approval> => {
  const requested = await requestOperation(fixture.domain, ann, name, input, 'the bank said so');
  if (!requested.ok || requested.state !== 'pending') throw new Error(`${name}: ${JSON.stringify(requested)}`);
  return requested.approval;
};
const agree = async (who: OperatorContext, { approvalId }: Approval): Promise<string> => {
  const done = await approve(fixture.domain, who, approvalId);
  return done.ok ? done.value.state : done.rejection;
};
const aRichMerchant = async (): Promise<string> =>
  (await aFundedMerchant(fixture.domain, 'PK', '50000.00', 'market')).merchantId;

const fee = (merchantId: string): Input => ({ merchantId, kind: 'payin', percent: '3', fixed: '1.00' });
const pem = (): string => takeKeyPair().publicKey.export({ type: 'spki', format: 'pem' }).toString();

test('fees and keys change at the approval, not before', async () => {
  const { domain } = fixture;
  const merchantId = await aRichMerchant();
  const known = async () => {
    const { pool } = domain.database;
    const { rows } = await pool.query(
      `select (select percent::text from fee_rule where merchant_id = $1 and kind = 'payin') as percent,
         (select array_agg(key_id order by created_at) from merchant_key where merchant_id = $1 and (expires_at is null or expires_at > clock_timestamp())) as keys`,
      [merchantId],
    );
    return rows[0];
  };
  const before = await known();
  const requests = [
    await ask('setFeeRule', fee(merchantId)),
    await ask('addMerchantKey', { merchantId, publicKey: pem() }),
  ];
  const retiring = await ask('retireMerchantKey', { merchantId, keyId: before.keys[0] });
  expect(await known()).toEqual(before);
  for (const approval of requests) expect(await agree(bob, approval)).toBe('executed');
  expect(await known()).toEqual({ percent: '3.0000', keys: [before.keys[0], requests[1]?.subject] });
  expect(await agree(bob, retiring)).toBe('executed');
  expect((await known()).keys).toEqual([requests[1]?.subject]);
});

test('a merchant’s new service key signs from then on, and the old one stays published until its end', async () => {
  const { domain } = fixture;
  const { merchantId } = await aMerchant(domain, 'IN');
  const { keyId: first } = await domain.serviceKeys.signing(merchantId);
  const keys = async () =>
    (await listServiceKeys(domain, [merchantId])).map(({ keyId, endsAt, signs }) => [keyId, endsAt !== null, signs]);
  const rotation = await ask('rotateServiceKey', { merchantId, overlapHours: 24 });
  expect(await keys()).toEqual([[first, false, true]]);
  expect(await agree(bob, rotation)).toBe('executed');
  const [[second] = []] = await keys();
  expect(await keys()).toEqual([
    [second, false, true],
    [first, true, false],
  ]);
  expect(second).toMatch(new RegExp(`^${merchantId}[.][A-Za-z0-9_-]{22}$`));
});

test('a new merchant has a service key from the beginning', async () => {
  const requested = await requestOperation(
    fixture.domain,
    ann,
    'createMerchant',
    { merchantId: 'FRESH-1', name: 'F', country: 'IN' },
    'new',
  );
  const [key] = await listServiceKeys(fixture.domain, ['FRESH-1']);
  expect(key).toMatchObject({ signs: true, endsAt: null });
  expect(requested).toMatchObject({ value: { serviceKeyId: key?.keyId, servicePublicKeyPem: key?.publicKeyPem } });
});

test('a public key of one merchant is refused for another merchant, also after the key has ended', async () => {
  const { domain } = fixture;
  const [one, two] = [(await aMerchant(domain, 'IN')).merchantId, (await aMerchant(domain, 'PK')).merchantId];
  const publicKey = pem();
  expect(await agree(bob, await ask('addMerchantKey', { merchantId: one, publicKey }))).toBe('executed');
  expect(await agree(bob, await ask('addMerchantKey', { merchantId: one, publicKey }))).toBe('executed');
  expect(await request(domain, ann, 'addMerchantKey', { merchantId: two, publicKey })).toBe('key_of_another_merchant');
  const keyIdOfIt = (await listMerchantKeys(domain, one))[0]?.keyId;
  expect(await agree(bob, await ask('retireMerchantKey', { merchantId: one, keyId: keyIdOfIt }))).toBe('executed');
  expect(await request(domain, ann, 'addMerchantKey', { merchantId: two, publicKey })).toBe('key_of_another_merchant');
});

const both = async (name: OperationName, input: Input): Promise<string> => agree(bob, await ask(name, input));

test('resolving a stuck payout needs two operators, for any amount', async () => {
  const merchantId = await aRichMerchant();
  const { orderNo } = await placePayout(fixture.domain, merchantId, 'PK');
  expect(await both('resolvePayout', { orderNo, outcome: 'paid', evidence: 'statement 7' })).toBe('executed');
  expect(await orderNow(fixture.domain, { merchantId, orderNo })).toMatchObject({ status: 'completed' });
});

async function aProvedTask(): Promise<{ merchantId: string; orderNo: string }> {
  const merchantId = await aRichMerchant();
  const { orderNo } = await placePayout(fixture.domain, merchantId, 'PK', { mode: 'market' });
  await request(fixture.domain, ann, 'claimPayoutTask', { orderNo });
  expect(
    await request(fixture.domain, ann, 'provePayoutTask', { orderNo, reference: `R-${orderNo}`, payer: 'A' }),
  ).toBe('executed');
  return { merchantId, orderNo };
}

test('an operator needs a second operator to accept their own proof, but not to accept the proof of another', async () => {
  const own = await aProvedTask();
  expect(await both('acceptProof', { orderNo: own.orderNo })).toBe('executed');
  expect(await orderNow(fixture.domain, own)).toMatchObject({ status: 'completed' });
  const others = await aProvedTask();
  expect(await request(fixture.domain, bob, 'acceptProof', { orderNo: others.orderNo })).toBe('executed');
});

test('what an operator paid under an earlier claim waits for a second operator, who books it', async () => {
  const { merchantId, orderNo } = await aProvedTask();
  expect(await request(fixture.domain, cid, 'rejectProof', { orderNo })).toBe('executed');
  expect(await request(fixture.domain, ann, 'giveBackPayoutTask', { orderNo })).toBe('executed');
  await request(fixture.domain, bob, 'claimPayoutTask', { orderNo });
  const approval = await ask('provePayoutTask', { orderNo, reference: `late-${orderNo}`, payer: 'A' });
  const cases = async () =>
    (await fixture.domain.database.pool.query('select kind from money_case where merchant_id = $1', [merchantId])).rows;
  expect(await cases()).toEqual([]);
  expect(await agree(bob, approval)).toBe('executed');
  expect(await cases()).toEqual([{ kind: 'payout_paid_again' }]);
});

test('an approval accepts only the proof that existed at the request, not a later proof', async () => {
  const task = await aProvedTask();
  const { orderNo } = task;
  const approval = await ask('acceptProof', { orderNo });
  expect(await request(fixture.domain, cid, 'rejectProof', { orderNo })).toBe('executed');
  expect(await request(fixture.domain, ann, 'giveBackPayoutTask', { orderNo })).toBe('executed');
  await request(fixture.domain, bob, 'claimPayoutTask', { orderNo });
  expect(await request(fixture.domain, bob, 'provePayoutTask', { orderNo, reference: 'R', payer: 'B' })).toBe(
    'executed',
  );
  expect(await agree(bob, approval)).toBe('proof_missing');
  expect(await orderNow(fixture.domain, task)).toMatchObject({ status: 'processing' });
  expect(await approvalById(fixture.domain, approval.approvalId)).toMatchObject({
    state: 'failed',
    outcome: 'proof_missing',
  });
});

test('a break that changed after the request is not resolved by the approval', async () => {
  const { pool } = fixture.domain.database;
  await pool.query(`insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount)
    select 'PLATFORM-PK', n, 'fake', '2026-01-02', 'a test ' || n, 'amount', -1 from generate_series(1, 3) n`);
  const breaks = [1, 2, 3].map((breakNo) => ({ country: 'PK', breakNo, outcome: 'written_off' }));
  const [changed, same, moved] = await Promise.all(breaks.map((input) => ask('resolveBreak', input)));
  if (!changed || !same || !moved) throw new Error('not asked');
  expect(changed.input).toMatchObject({ seenKind: 'amount', seenAmount: '-1.00', seenTransfer: 'none' });
  await pool.query('update reconciliation_break set amount = -9000 where break_no = 1');
  // The same kind and amount, and another transfer.
  await pool.query("update reconciliation_break set owner_id = 'M-1', transfer_no = 17 where break_no = 3");
  expect(await agree(bob, changed)).toBe('version_outdated');
  expect(await agree(bob, moved)).toBe('version_outdated');
  expect(await agree(bob, same)).toBe('executed');
});

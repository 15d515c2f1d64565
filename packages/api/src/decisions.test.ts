import { createPayout } from '@tidegate/domain';
import { mapBank } from '@tidegate/domain/admin';
import { aFundedMerchant, aMerchant, placePayin } from '@tidegate/domain/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, ask, openApiFixture } from '../test/api-fixture.ts';

// Operations that need two operators, concurrent decisions, and every error type of a mutation.

let api: ApiFixture;
let ann: string;
let bob: string;
beforeAll(async () => {
  api = await openApiFixture();
  ann = await api.letIn('finance', 'operator', 'admin');
  bob = await api.letIn('finance', 'operator', 'admin');
  await mapBank(api.domain, { channelId: 'fake', kind: 'payout', bankCode: 'JAZZCASH', channelBankCode: 'J' });
});
afterAll(() => api.close());

interface Result {
  __typename: string;
  reason?: string;
  message?: string;
  [field: string]: unknown;
}

/** Runs a mutation, and returns its result. */
async function change(token: string, mutation: string, fields = ''): Promise<Result> {
  const query = `mutation { it: ${mutation} { __typename ... on Problem { reason message } ${fields} } }`;
  const { data, errors } = await ask(api.url, query, { token });
  expect(errors).toEqual([]);
  return (data as { it: Result }).it;
}

const settle = (merchantId: string, bookingNo: string, amount = '20000.00') =>
  `settleWallet(input: { merchantId: "${merchantId}", bookingNo: "${bookingNo}", amount: "${amount}", remark: "a test" }, reason: "a test")`;
const settled = '... on SettleWalletPayload { wallet { available } approval { approvalId state } }';

async function askFor(merchantId: string, bookingNo: string): Promise<string> {
  const { approval } = await change(ann, settle(merchantId, bookingNo), settled);
  return (approval as { approvalId: string }).approvalId;
}

const approve = (approvalId: string) => `approve(approvalId: "${approvalId}")`;
const approved = '... on Approval { state decidedBy }';

test('a settlement above the limit is executed when another operator approves it', async () => {
  const { merchantId } = await aFundedMerchant(api.domain, 'IN', '50000.00');
  const pending = await change(ann, settle(merchantId, 'S-1'), settled);
  expect(pending).toMatchObject({ wallet: null, approval: { state: 'PENDING' } });
  const { approvalId } = pending.approval as { approvalId: string };
  expect(await change(ann, approve(approvalId), approved)).toMatchObject({
    __typename: 'NotAllowed',
    reason: 'OWN_APPROVAL',
  });
  expect(await change(bob, approve(approvalId), approved)).toMatchObject({ __typename: 'Approval', state: 'EXECUTED' });
  const { data } = await ask(api.url, `{ merchant(merchantId: "${merchantId}") { wallet { available } } }`, {
    token: bob,
  });
  expect(data).toEqual({ merchant: { wallet: { available: '30000.00' } } });
});

test('a settlement below the limit is executed at once', async () => {
  const { merchantId } = await aFundedMerchant(api.domain, 'IN', '50000.00');
  expect(await change(ann, settle(merchantId, 'S-2', '9999.99'), settled)).toMatchObject({
    wallet: { available: '40000.01' },
    approval: null,
  });
});

test('a rejected request is not executed, and cannot be approved afterwards', async () => {
  const { merchantId } = await aFundedMerchant(api.domain, 'IN', '50000.00');
  const approvalId = await askFor(merchantId, 'S-3');
  const rejected = await change(bob, `reject(approvalId: "${approvalId}", reason: "not on the statement")`, approved);
  expect(rejected).toMatchObject({ __typename: 'Approval', state: 'REJECTED' });
  expect(await change(bob, approve(approvalId))).toMatchObject({ __typename: 'Conflict', reason: 'APPROVAL_DECIDED' });
});

test('two operators approve the same request at once: one succeeds, the other is refused', async () => {
  const carol = await api.letIn('finance');
  const { merchantId } = await aFundedMerchant(api.domain, 'IN', '50000.00');
  const approvalId = await askFor(merchantId, 'S-4');
  const results = await Promise.all([bob, carol].map((token) => change(token, approve(approvalId), approved)));
  expect(results.map((result) => result.state ?? result.reason).sort()).toEqual(['APPROVAL_DECIDED', 'EXECUTED']);
  const { data } = await ask(api.url, `{ merchant(merchantId: "${merchantId}") { wallet { available } } }`, {
    token: bob,
  });
  expect(data).toEqual({ merchant: { wallet: { available: '30000.00' } } });
});

test('two operators decide the same case at once: one succeeds, the other is refused', async () => {
  const { merchantId } = await aMerchant(api.domain, 'IN');
  const { orderNo } = await placePayin(api.domain, merchantId, 'IN');
  for (const reference of ['A', 'B'])
    await api.domain.commit({
      type: 'applyReport',
      ref: { merchantId, orderNo },
      channelId: 'fake',
      during: 'callback',
      answer: { outcome: 'paid', payments: [{ reference, amount: '100.00' }] },
    });
  const decide = (name: string) => `${name}(input: { merchantId: "${merchantId}", caseNo: 1 }, reason: "a test")`;
  // Ann has moved up to her daily limit above.
  const two = [await api.letIn('finance'), bob];
  const returned = '... on ReturnCasePayload { case { state } }';
  const results = await Promise.all(two.map((token) => change(token, decide('returnCase'), returned)));
  expect(results.map(({ __typename }) => __typename).sort()).toEqual(['Conflict', 'ReturnCasePayload']);
  expect(results.find(({ reason }) => reason)).toMatchObject({
    reason: 'CASE_CLOSED',
    message: expect.stringMatching(/already/),
  });
});

test('two operators claim the same task at once: one gets it, the other is refused', async () => {
  const { merchantId } = await aFundedMerchant(api.domain, 'PK', '10000.00', 'market');
  const merchant = await api.domain.directory.merchant(merchantId);
  if (!merchant) throw new Error('the merchant is not there');
  const party = { name: 'Ali Khan', account: '03001234567' };
  const request = {
    merchantOrderNo: 'T-1',
    amount: '100.00',
    bankCode: 'JAZZCASH',
    notifyUrl: null,
    details: { party },
  };
  const created = await createPayout(api.domain, merchant, request);
  if (!created.ok) throw new Error(created.rejection);
  const claim = `claimPayoutTask(input: { orderNo: "${created.value.orderNo}" }, reason: "a test")`;
  const fields = '... on ClaimPayoutTaskPayload { order { status ... on Payout { task { claimedBy } } } }';
  const results = await Promise.all([change(ann, claim, fields), change(bob, claim, fields)]);
  expect(results.map(({ __typename }) => __typename).sort()).toEqual(['ClaimPayoutTaskPayload', 'Conflict']);
  expect(results.find(({ reason }) => reason)?.reason).toBe('TASK_NOT_AVAILABLE');
});

test('invalid input is refused with every bad field', async () => {
  const fields = '... on InvalidInput { fields { path reason } }';
  const result = await change(
    ann,
    'createMerchant(input: { merchantId: "bad number", name: "", country: IN, defaultNotifyUrl: "ftp://x" }, reason: " ")',
    fields,
  );
  expect(result).toMatchObject({ __typename: 'InvalidInput', reason: 'INVALID_INPUT' });
  expect((result.fields as { path: string }[]).map(({ path }) => path)).toEqual([
    'merchantId',
    'name',
    'defaultNotifyUrl',
    'reason',
  ]);
});

test('a missing object, an existing object and a low balance are reported as problems', async () => {
  const nobody = 'enableMerchant(input: { merchantId: "NOBODY" }, reason: "a test")';
  expect(await change(ann, nobody)).toMatchObject({ __typename: 'NotFound', reason: 'MERCHANT_NOT_FOUND' });
  const { merchantId } = await aFundedMerchant(api.domain, 'IN', '10.00');
  const again = `createMerchant(input: { merchantId: "${merchantId}", name: "Again", country: IN }, reason: "a test")`;
  expect(await change(ann, again)).toMatchObject({ __typename: 'Conflict', reason: 'MERCHANT_EXISTS' });
  expect(await change(ann, settle(merchantId, 'S-5', '10.01'), settled)).toMatchObject({
    __typename: 'Conflict',
    reason: 'BALANCE_INSUFFICIENT',
  });
});

test('stored decisions have no personal data, and viewers do not see free text', async () => {
  const { merchantId } = await aFundedMerchant(api.domain, 'PK', '10000.00', 'market');
  const merchant = await api.domain.directory.merchant(merchantId);
  if (!merchant) throw new Error('the merchant is not there');
  const party = { name: 'Zubaida Secret', account: '03007654321' };
  const request = {
    merchantOrderNo: 'T-9',
    amount: '100.00',
    bankCode: 'JAZZCASH',
    notifyUrl: null,
    details: { party },
  };
  const created = await createPayout(api.domain, merchant, request);
  if (!created.ok) throw new Error(created.rejection);
  const input = `input: { orderNo: "${created.value.orderNo}" }, reason: "a test"`;
  for (const name of ['claimPayoutTask', 'giveBackPayoutTask', 'cancelOrder']) await change(ann, `${name}(${input})`);
  const { rows } = await api.domain.database.pool.query('select detail from audit_record where merchant_id = $1', [
    merchantId,
  ]);
  expect(rows.length).toBeGreaterThanOrEqual(3);
  expect(JSON.stringify(rows)).not.toMatch(/Zubaida|03007654321/);
  const viewer = await api.letIn('viewer');
  const query = `{ auditLog(first: 1, filter: { merchantIds: ["${merchantId}"] }) { edges { node { action detail } } } }`;
  const { data, errors } = await ask(api.url, query, { token: viewer });
  expect(data).toMatchObject({ auditLog: { edges: [{ node: { action: 'cancelOrder', detail: null } }] } });
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

test.each([
  ['a reason', 'enableMerchant(input: { merchantId: "NOBODY" }, reason: $text)', 'InvalidInput'],
  ['an approval', 'approve(approvalId: $text)', 'NotFound'],
])('text that the database cannot store is refused: %s', async (_what, mutation, typename) => {
  for (const text of ['\u0000', '\ud800']) {
    const query = `mutation q($text: String!) { it: ${mutation} { __typename } }`;
    const { data, errors } = await ask(api.url, query, { token: ann, variables: { text } });
    expect(errors).toEqual([]);
    expect(data).toEqual({ it: { __typename: typename } });
  }
});

test('a payment reference that confirmed one amount is refused with another amount', async () => {
  const { merchantId } = await aMerchant(api.domain, 'TH');
  const { orderNo } = await placePayin(api.domain, merchantId, 'TH', { mode: 'manual' });
  const confirm = (amount: string) =>
    change(
      ann,
      `confirmFunds(input: { orderNo: "${orderNo}", amount: "${amount}", reference: "R1" }, reason: "a test")`,
    );
  expect(await confirm('40.00')).toMatchObject({ __typename: 'ConfirmFundsPayload' });
  expect(await confirm('40.00')).toMatchObject({ __typename: 'ConfirmFundsPayload' });
  expect(await confirm('99.00')).toMatchObject({ __typename: 'Conflict', reason: 'BOOKING_NO_TAKEN' });
});

test('a bank reference confirms one payin only, and a restricted operator does not see which one', async () => {
  const [theirs, own] = [await aMerchant(api.domain, 'TH'), await aMerchant(api.domain, 'TH')];
  const restricted = await api.letInRestricted({ merchantIds: [own.merchantId] });
  const place = ({ merchantId }: { merchantId: string }) =>
    placePayin(api.domain, merchantId, 'TH', { mode: 'manual' });
  const [one, another] = [await place(theirs), await place(own)];
  const confirm = (who: string, orderNo: string, reference: string) =>
    change(
      who,
      `confirmFunds(input: { orderNo: "${orderNo}", amount: "100", reference: "${reference}" }, reason: "a test")`,
    );
  expect(await confirm(ann, one.orderNo, 'KTB 1-77')).toMatchObject({ __typename: 'ConfirmFundsPayload' });
  const refused = await confirm(restricted, another.orderNo, 'ktb177');
  expect(refused).toMatchObject({ __typename: 'Conflict', reason: 'PROOF_REFERENCE_USED' });
  expect(JSON.stringify(refused)).toContain('used for the transfer of another order');
  expect(JSON.stringify(refused)).not.toMatch(new RegExp(`${one.orderNo}|${theirs.merchantId}`));
});

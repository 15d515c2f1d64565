import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOperatorToken, makeToken } from '../configuration/create-operator.ts';
import { fingerprintOf, makeCode } from '../configuration/redeem-invitation.ts';
import { setFeeRule } from '../configuration/set-fee-rule.ts';
import { setRoute } from '../configuration/set-route.ts';
import { type Role, roles } from '../core/operator-rights.ts';
import { aProfile } from '../testing/csv-profiles.ts';
import { aMerchant, openTestDomain, type TestDomain } from '../testing/index.ts';
import { takeKeyPair } from '../testing/key-pool.ts';
import { anOperator, request, requestAndWithdraw } from '../testing/operators.ts';
import { aReport, aTopUp, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, placePayout } from '../testing/payouts.ts';
import { type OperationName, operations } from './operations.ts';

// Every operation of the table: each role, and restricted operators.

let fixture: TestDomain;
let merchantId: string;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  ({ merchantId } = await aFundedMerchant(fixture.domain, 'PK', '50000.00', 'market'));
  await anOperator(fixture.domain, ['viewer']);
});
afterAll(() => fixture.close());

const pem = (): string => {
  const { publicKey } = takeKeyPair();
  return publicKey.export({ type: 'spki', format: 'pem' }).toString();
};

type Input = { [name: string]: unknown };
const order = async (changes: Input = {}, ended = false): Promise<Input> => {
  const placed = await placePayout(fixture.domain, merchantId, 'PK', changes);
  if (ended) await fixture.domain.commit(aReport(placed, paid()));
  return { orderNo: placed.orderNo };
};
const task = (): Promise<Input> => order({ mode: 'market' });
const manual = async (): Promise<Input> => ({
  orderNo: (await placePayin(fixture.domain, merchantId, 'PK', { mode: 'manual' })).orderNo,
});
const anotherOperator = async () => ({
  operatorId: (await anOperator(fixture.domain, ['viewer'])).operatorId,
});

/** A payin that was paid after its end: its money is in a case. */
async function aCase(): Promise<Input> {
  const payin = await placePayin(fixture.domain, merchantId, 'PK');
  await fixture.domain.commit(aReport(payin, { outcome: 'failed', reason: 'no' }));
  await fixture.domain.commit(aReport(payin, paid(`L-${payin.orderNo}`)));
  const text = 'select case_no::integer as "caseNo" from money_case where merchant_id = $1 and order_no = $2';
  const { rows } = await fixture.domain.database.pool.query<{ caseNo: number }>(text, [merchantId, payin.orderNo]);
  return { merchantId, caseNo: rows[0]?.caseNo };
}

/** A case whose money is being sent back. */
async function aRefund(): Promise<Input> {
  const named = (await aCase()) as { merchantId: string; caseNo: number };
  const by = { actor: 'somebody-else', approver: null, reason: 'a test' };
  const refundNo = `RF${unique()}`;
  await fixture.domain.commit({ type: 'returnCase', ...named, orderNo: null, refundNo, by });
  return { ...named, refundNo };
}

/** A merchant of its own, whose payouts stop: the others of this test go on. */
async function aStop(): Promise<Input> {
  const finding = await aFinding();
  const closed = await request(fixture.domain, await anOperator(fixture.domain, admin), 'closeFinding', finding);
  if (closed !== 'executed') throw new Error(closed);
  return { merchantId: finding.merchantId };
}

const aFinding = async (): Promise<Input> => findingOf((await aMerchant(fixture.domain, 'PK')).merchantId);

async function findingOf(merchantId: string): Promise<Input> {
  const text = `insert into audit_finding (merchant_id, rule, subject, detail) values ($1, 'a rule', $2, '') returning finding_no::integer as no`;
  const { rows } = await fixture.domain.database.pool.query<{ no: number }>(text, [merchantId, unique()]);
  return { merchantId, findingNo: rows[0]?.no, outcome: 'repaired' };
}

async function aBreak(): Promise<Input> {
  const text = `insert into reconciliation_break (merchant_id, break_no, channel_id, day, subject, kind, amount)
    select 'PLATFORM-PK', coalesce(max(break_no), 0) + 1, 'fake', '2026-01-02', $1, 'fee', -1 from reconciliation_break returning break_no::integer as no`;
  const { rows } = await fixture.domain.database.pool.query<{ no: number }>(text, [unique()]);
  return { country: 'PK', breakNo: rows[0]?.no, outcome: 'written_off' };
}

async function aBooking(): Promise<Input> {
  const bookingNo = unique();
  await fixture.domain.commit(aTopUp(merchantId, bookingNo, '1.00'));
  return { merchantId, bookingNo };
}

/** A payout that its channel paid after it had failed. */
async function anOutgoingCase(): Promise<Input> {
  const order = await placePayout(fixture.domain, merchantId, 'PK');
  await fixture.domain.commit(aReport(order, { outcome: 'failed', reason: 'no' }));
  await fixture.domain.commit(aReport(order, paid(unique())));
  const text = 'select case_no::integer as no from money_case where merchant_id = $1 and order_no = $2';
  const { rows } = await fixture.domain.database.pool.query<{ no: number }>(text, [merchantId, order.orderNo]);
  return { merchantId, caseNo: rows[0]?.no };
}

/** Money that is withheld of the channel. */
async function aWithheld(): Promise<Input> {
  await fixture.domain.database.pool.query(
    `with held as (insert into withheld_money (merchant_id, channel_id, amount) values ($1, 'fake', 5) on conflict do nothing returning merchant_id)
       update wallet w set withheld = w.withheld + 5 from held where w.merchant_id = held.merchant_id`,
    [merchantId],
  );
  return { merchantId, channelId: 'fake', amount: '1.00' };
}

const aFingerprint = (): string => fingerprintOf(makeCode(randomBytes(32)));
const aKey = async (): Promise<string> => {
  const { rows } = await fixture.domain.database.pool.query('select key_id from merchant_key where merchant_id = $1', [
    merchantId,
  ]);
  return rows[0].key_id;
};
const unique = (): string => Math.random().toString(36).slice(2, 10).toUpperCase();
const admin = ['admin'] as const;
const finance = ['finance'] as const;
const operator = ['operator'] as const;
const support = ['support', 'operator'] as const;

interface Row {
  may: readonly Role[];
  /** A subject of the operation, made for each test. */
  input: () => Input | Promise<Input>;
  /** What it comes to. */
  comes: string;
}
const row = (may: readonly Role[], comes: string, input: Row['input']): Row => ({ may, comes, input });

// biome-ignore format: a table is read by its columns
const table: Record<OperationName, Row> = {
  createMerchant: row(admin, 'executed', () => ({ merchantId: `NEW-${unique()}`, name: 'New', country: 'PK' })),
  setMerchant: row(admin, 'executed', () => ({ merchantId, payinMax: '500', ipAllowList: null })),
  disableMerchant: row(admin, 'executed', () => ({ merchantId })),
  enableMerchant: row(admin, 'executed', () => ({ merchantId })),
  addMerchantKey: row(admin, 'pending', () => ({ merchantId, publicKey: pem() })),
  retireMerchantKey: row(admin, 'pending', async () => ({ merchantId, keyId: await aKey() })),
  setFeeRule: row(admin, 'pending', () => ({ merchantId, kind: 'payin', percent: '3', fixed: '0' })),
  removeFeeRule: row(admin, 'pending', async () => {
    const from = Date.now() + 3_600_000 + Math.floor(Math.random() * 1e9);
    await setFeeRule(fixture.domain, merchantId, { kind: 'payin', percent: '3', fixed: '0', from });
    return { merchantId, kind: 'payin', from };
  }),
  setRoute: row(admin, 'pending', () => ({ merchantId, routeNo: 7, kind: 'payin', channelId: 'fake' })),
  removeRoute: row(admin, 'pending', async () => {
    await setRoute(fixture.domain, merchantId, 8, { kind: 'payin', channelId: 'fake' });
    return { merchantId, routeNo: 8 };
  }),
  setChannel: row(admin, 'pending', () => ({ channelId: `c-${unique().toLowerCase()}`, adapter: 'fake', baseUrl: 'http://c.test', credentials: { secret: 'hush-hush' } })),
  withdrawDeclaration: row(admin, 'invalid_input', () => ({ channelId: 'fake' })),
  enableChannel: row(admin, 'pending', () => ({ channelId: 'fake' })),
  disableChannel: row(admin, 'executed', () => ({ channelId: 'fake' })),
  mapBank: row(admin, 'pending', () => ({ channelId: 'fake', kind: 'payout', bankCode: 'HBL', channelBankCode: 'H' })),
  rotateServiceKey: row(admin, 'pending', () => ({ merchantId, overlapHours: 24 })),
  createOperator: row(admin, 'pending', () => ({ operatorId: `n-${unique().toLowerCase()}`, name: 'N', roles: ['viewer'] })),
  changeOperator: row(admin, 'pending', async () => ({ ...(await anotherOperator()), name: 'M', roles: ['admin'], countries: ['PK'] })),
  disableOperator: row(admin, 'executed', anotherOperator),
  enableOperator: row(admin, 'pending', anotherOperator),
  inviteOperator: row(admin, 'pending', async () => ({ ...(await anotherOperator()), fingerprint: aFingerprint() })),
  revokeOperatorTokens: row(admin, 'executed', async () => {
    const input = await anotherOperator();
    await addOperatorToken(fixture.domain, input.operatorId, makeToken(randomBytes(32)));
    return input;
  }),
  linkIdentity: row(admin, 'pending', async () => ({ ...(await anotherOperator()), issuer: 'https://id.test/', subject: unique() })),
  unlinkIdentity: row(admin, 'identity_not_found', anotherOperator),
  topUpWallet: row(finance, 'pending', () => ({ merchantId, amount: '20000', bookingNo: unique(), remark: 'r' })),
  settleWallet: row(finance, 'executed', () => ({ merchantId, amount: '1', bookingNo: unique(), remark: 'r' })),
  adjustWallet: row(finance, 'executed', () => ({ merchantId, kind: 'fee', amount: '-1', bookingNo: unique(), remark: 'r' })),
  reverseBooking: row(finance, 'pending', async () => ({ ...(await aBooking()), remark: 'r' })),
  releaseWithheld: row(finance, 'pending', aWithheld),
  cancelOrder: row(operator, 'executed', () => order()),
  refreshOrder: row(['support', 'operator', 'finance'], 'not_due', () => order()),
  confirmFunds: row(finance, 'executed', async () => ({ ...(await manual()), amount: '100', reference: unique() })),
  resolvePayout: row(finance, 'pending', async () => ({ ...(await order()), outcome: 'paid', evidence: 'seen' })),
  creditCase: row(finance, 'executed', aCase),
  returnCase: row(finance, 'executed', aCase),
  chargeCase: row(finance, 'pending', anOutgoingCase),
  writeOffCase: row(finance, 'pending', anOutgoingCase),
  resolveRefund: row(finance, 'pending', async () => ({ ...(await aRefund()), outcome: 'failed', evidence: 'seen' })),
  claimPayoutTask: row(operator, 'executed', task),
  giveBackPayoutTask: row(operator, 'task_not_available', task),
  provePayoutTask: row(operator, 'task_not_available', async () => ({ ...(await task()), reference: 'R', payer: 'A' })),
  acceptProof: row(operator, 'proof_missing', task),
  rejectProof: row(operator, 'proof_missing', task),
  resendNotification: row(support, 'executed', async () => ({ ...(await order({ notifyUrl: 'http://127.0.0.1:9/n' }, true)), requestKey: unique() })),
  resendNotifications: row(support, 'executed', () => ({ merchantId, from: Date.now() - 60_000, to: Date.now() + 60_000, states: ['pending', 'exhausted'], requestKey: unique() })),
  pauseNotifications: row(support, 'executed', () => ({ merchantId })),
  resumeNotifications: row(support, 'executed', () => ({ merchantId })),
  closeFinding: row(admin, 'executed', aFinding),
  releasePayouts: row(admin, 'pending', aStop),
  setReconciliation: row(finance, 'pending', () => ({ country: 'PK', channelId: 'fake', tolerance: '0.05' })),
  setCsvProfile: row(['finance', 'admin'], 'pending', () => ({ ...aProfile, name: `bank-${unique().toLowerCase()}` })),
  fetchStatement: row(finance, 'format_not_found', () => ({ country: 'PK', channelId: 'fake', day: '2026-01-02' })),
  importStatement: row(finance, 'format_not_found', () => ({ country: 'PK', channelId: 'fake', fileNo: 1, format: 'csv' })),
  confirmStatement: row(finance, 'statement_not_found', () => ({ country: 'PK', fileNo: 1, sha256: 'a'.repeat(64) })),
  resolveBreak: row(finance, 'pending', aBreak),
  closeDay: row(finance, 'day_not_closable', () => ({ country: 'PK', channelId: 'fake', day: '2026-01-02' })),
  reopenDay: row(finance, 'day_not_closed', () => ({ country: 'PK', channelId: 'fake', day: '2026-01-02' })),
  setSettlementCycle: row(finance, 'pending', () => ({ merchantId, workingDays: 2 })),
  removeSettlementCycle: row(finance, 'cycle_not_found', () => ({ merchantId })),
  createSettlementFile: row(finance, 'nothing_to_settle', () => ({ country: 'PK' })),
  draftSettlements: row(finance, 'executed', () => ({ country: 'PK', day: '2026-11-20' })),
  approveSettlement: row(finance, 'settlement_not_found', () => ({ merchantId, settlementNo: 'STNONE000001' })),
  paySettlement: row(finance, 'settlement_not_found', () => ({ merchantId, settlementNo: 'STNONE000001', reference: 'R' })),
  sendSettlement: row(finance, 'settlement_not_found', () => ({ merchantId, settlementNo: 'STNONE000001' })),
  confirmSettlement: row(finance, 'settlement_not_found', () => ({ merchantId, settlementNo: 'STNONE000001', reference: 'R' })),
  failSettlement: row(finance, 'settlement_not_found', () => ({ merchantId, settlementNo: 'STNONE000001', detail: 'no' })),
};

test('the table of rights names every operation', () => {
  expect(Object.keys(table)).toEqual(Object.keys(operations));
});

test.each(Object.entries(table) as [OperationName, Row][])(
  '%s is allowed to its roles only',
  async (name, { may, input, comes }) => {
    expect([...operations[name].roles]).toEqual([...may]);
    const results: Record<string, string> = {};
    for (const role of roles) {
      const who = await anOperator(fixture.domain, [role]);
      results[role] = await requestAndWithdraw(fixture.domain, who, name, may.includes(role) ? await input() : {});
    }
    expect(results).toEqual(Object.fromEntries(roles.map((role) => [role, may.includes(role) ? comes : 'forbidden'])));
  },
);

test.each(Object.entries(table) as [OperationName, Row][])(
  '%s answers "not found" to an operator with another restriction',
  async (name, { may, input }) => {
    const about = operations[name].about((await input()) as never);
    const absent = { platform: 'forbidden', new_merchant: 'forbidden', merchant: 'merchant_not_found' } as const;
    const expected =
      about.kind === 'tenant' ? about.absent : { ...absent, order: 'order_not_found' as const }[about.kind];
    const values = await input();
    for (const restriction of [{ countries: ['CN' as const] }, { merchantIds: ['CN-1'] }])
      expect(await request(fixture.domain, await anOperator(fixture.domain, may, restriction), name, values)).toBe(
        expected,
      );
    const within = await anOperator(fixture.domain, may, { countries: ['PK'] });
    if (about.kind !== 'platform') expect(await request(fixture.domain, within, name, values)).not.toBe(expected);
  },
);

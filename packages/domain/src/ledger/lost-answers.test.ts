import { createTestDatabase } from '@tidegate/sandbox/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../audit/audit.ts';
import { setChannel } from '../channels/set-channel.ts';
import type { Command, RefundRef } from '../core/commands.ts';
import type { Order } from '../core/order.ts';
import { returnNoOf } from '../core/settlement.ts';
import { orderRules } from '../countries/index.ts';
import { aMerchant, makeDue, openTestDomain, orderNow, type TestDomain } from '../testing/index.ts';
import { aCreate, aReport, aTopUp, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, aPayout, by, placePayout, rowCounts } from '../testing/payouts.ts';
import { aCycle } from '../testing/settlements.ts';
import { aDraft } from '../testing/settlements-on-paper.ts';
import type { CommandResult } from './decide-batch.ts';
import { type Commit, openLedgerWriter } from './writer.ts';

// Every command whose COMMIT took effect, but whose answer was lost: tried again, it finds its own effect.

let fixture: TestDomain;
let commit: Commit;
/** Each proof and each confirmation has its own reference. */
let proofs = 0;
beforeAll(async () => {
  fixture = await openTestDomain((await createTestDatabase()).url);
  commit = fixture.domain.commit;
  const other = { channelId: 'other', adapter: 'fake', baseUrl: 'http://other.test', credentials: {} };
  await setChannel(fixture.domain, other);
});
afterAll(() => fixture.close());

/** The ledger writer on connections that break once, after the database has committed. */
function losingOneAnswer(): { commit: Commit; lost: () => number } {
  let lost = 0;
  const pool = {
    connect: async () => {
      const client = await fixture.domain.database.pool.connect();
      const query = async (config: string | { text: string }) => {
        const answer = await client.query(config);
        if (config !== 'commit' || lost > 0) return answer;
        lost += 1;
        throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      };
      return { query, release: (broken: boolean) => client.release(broken) };
    },
  } as unknown as pg.Pool;
  const limits = { batchesAtOnce: 1, batchSize: 100, queueLimit: 100, scheduleScale: 1 };
  const options = { pool, sql: fixture.domain.sql, rules: orderRules, ...limits, committed: () => undefined };
  return { commit: openLedgerWriter(options).commit, lost: () => lost };
}

async function must(command: Command): Promise<Order> {
  const done = await commit(command);
  if (!done.ok || !done.order) throw new Error(`${command.type} was refused`);
  return done.order;
}

const payin = async (changes: Parameters<typeof placePayin>[3] = {}): Promise<Order> =>
  placePayin(fixture.domain, (await aMerchant(fixture.domain, 'IN')).merchantId, 'IN', changes);
const payout = async (): Promise<Order> =>
  placePayout(fixture.domain, (await aFundedMerchant(fixture.domain, 'IN')).merchantId, 'IN');
const lease = 25_000;

async function claimedTask(): Promise<Order> {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'PK', '1000.00', 'market');
  const task = await placePayout(fixture.domain, merchantId, 'PK', { mode: 'market' });
  return must({ type: 'claimTask', ref: task, lease, by: by('ann') });
}

async function provedTask(): Promise<Order> {
  const proof = { reference: `UTR-${++proofs}`, payer: 'ann', note: null };
  return must({ type: 'proveTask', ref: await claimedTask(), proof, by: by('ann') });
}

async function lateMoney(): Promise<Order> {
  const order = await payin();
  await must(aReport(order, { outcome: 'timed_out', reason: 'nobody paid' }));
  return must(aReport(order, paid()));
}

/** A payout that its channel paid after it had failed. */
async function paidAfterItFailed() {
  const order = await payout();
  await must(aReport(order, { outcome: 'failed', reason: 'no' }));
  const { merchantId, orderNo } = await must(aReport(order, paid()));
  return { merchantId, orderNo, caseNo: 1 };
}

/** A case whose money is being sent back. */
async function aRefund(): Promise<RefundRef> {
  const { merchantId, orderNo } = await lateMoney();
  const ref = { merchantId, caseNo: 1, refundNo: `RF${++count}` };
  expect(await commit({ type: 'returnCase', ...ref, orderNo, by: by('ann') })).toMatchObject({ ok: true });
  return ref;
}

/** A settlement over all that a merchant has, as a draft. */
async function aDrafted() {
  const { merchantId } = await aFundedMerchant(fixture.domain, 'IN', '100.00');
  const accountId = await aCycle(fixture.domain, merchantId);
  const named = {
    merchantId,
    seq: 1,
    settlementNo: `ST${String(++count).padStart(4, '0')}000001`,
    by: by('ann', 'bob'),
  };
  const draft = aDraft({ accountId });
  expect(await commit({ type: 'draftSettlement', ...named, draft })).toMatchObject({ ok: true });
  return { ...named, accountId };
}

const credited = { amount: '0.00', throughEntryNo: 1 };

async function anApproved() {
  const { accountId, ...named } = await aDrafted();
  const approval = { version: 1, accountId, credited, bookingNo: named.settlementNo };
  expect(await commit({ type: 'approveSettlement', ...named, ...approval })).toMatchObject({ ok: true });
  return named;
}

async function aSent() {
  const { by: _, ...named } = await anApproved();
  const channel = { channelId: 'fake', channelBankCode: null, paymentNo: `SP-${++count}` };
  expect(await commit({ type: 'sendSettlement', ...named, ...channel, by: by('ann') })).toMatchObject({ ok: true });
  return { ...named, paymentNo: channel.paymentNo };
}

let count = 0;

async function aRequest(): Promise<Extract<Command, { type: 'requestApproval' }>> {
  const { merchantId } = await aMerchant(fixture.domain, 'IN');
  const request = {
    operation: 'setFeeRule',
    subject: 'payin',
    alsoSubjects: [],
    input: { percent: '1' },
    effect: null,
    secrets: '\\x00ff',
  };
  return {
    type: 'requestApproval',
    merchantId,
    approvalId: `A-${++count}`,
    ...request,
    lifetime: 60_000,
    by: by('ann'),
  };
}

const anEnd =
  (type: 'rejectApproval' | 'withdrawApproval' | 'failApproval', who: string) => async (): Promise<Command> => {
    const { merchantId, approvalId, ...request } = await aRequest();
    expect(await commit({ merchantId, approvalId, ...request })).toMatchObject({ ok: true });
    return { type, merchantId, approvalId, outcome: 'no', by: by(who) };
  };

/** A valid command of each type. Everything that it needs is made again. */
const commandOf: { [T in Command['type']]: () => Promise<Command> } = {
  createPayin: async () => aCreate((await aMerchant(fixture.domain, 'IN')).merchantId, 'IN'),
  createPayout: async () => aPayout((await aFundedMerchant(fixture.domain, 'IN')).merchantId, 'IN'),
  applyReport: async () => aReport(await payin(), paid()),
  bookUnmatched: async () => {
    count += 1;
    const reported = {
      channelId: 'fake',
      direction: 'in',
      orderNo: `X-${count}`,
      reference: `R-${count}`,
      amount: '3.00',
    } as const;
    return { type: 'bookUnmatched', merchantId: 'PLATFORM-TH', ...reported };
  },
  claimWork: async () => ({ type: 'claimWork', ref: await payout(), action: 'submit', lease }),
  reroute: async () => {
    const to = { fromChannelId: 'fake', toChannelId: 'other', toChannelBankCode: null, reason: 'full' };
    return { type: 'reroute', ref: await payin(), ...to };
  },
  endClaim: async () => {
    const task = await claimedTask();
    await makeDue(fixture.domain, task);
    await must({ type: 'claimWork', ref: task, action: 'expire', lease });
    return { type: 'endClaim', ref: task, by: null };
  },
  bookWallet: async () => aTopUp((await aMerchant(fixture.domain, 'IN')).merchantId, 'B'),
  reverseBooking: async () => {
    const { merchantId } = await aFundedMerchant(fixture.domain, 'IN');
    const named = { merchantId, bookingNo: 'REVERSAL/OPENING', reverses: 'OPENING', remark: 'never came' };
    return { type: 'reverseBooking', ...named, by: by('ann', 'bob') };
  },
  recordChange: async () => {
    const { merchantId } = await aMerchant(fixture.domain, 'IN');
    return { type: 'recordChange', merchantId, change: 'refreshOrder', subject: 'X', by: by('ann') };
  },
  cancelOrder: async () => ({ type: 'cancelOrder', ref: await payout(), confirmedBy: 'nothing_sent', by: by('ann') }),
  confirmFunds: async () => {
    const funds = { amount: '100.00', reference: `SLIP-${++proofs}` };
    return { type: 'confirmFunds', ref: await payin({ mode: 'manual' }), ...funds, by: by('ann') };
  },
  resolvePayout: async () => ({
    type: 'resolvePayout',
    ref: await payout(),
    outcome: 'failed',
    evidence: 'a letter',
    by: by('ann', 'bob'),
  }),
  creditCase: async () => {
    const { merchantId, orderNo } = await lateMoney();
    return { type: 'creditCase', merchantId, caseNo: 1, orderNo, by: by('ann') };
  },
  returnCase: async () => {
    const { merchantId, orderNo } = await lateMoney();
    return { type: 'returnCase', merchantId, caseNo: 1, orderNo, by: by('ann') };
  },
  chargeCase: async () => ({ type: 'chargeCase', ...(await paidAfterItFailed()), by: by('ann', 'bob') }),
  writeOffCase: async () => ({ type: 'writeOffCase', ...(await paidAfterItFailed()), by: by('ann', 'bob') }),
  claimRefund: async () => ({ type: 'claimRefund', ...(await aRefund()), action: 'send', attempt: 0, lease }),
  applyRefund: async () => {
    const answer = { outcome: 'refunded', refundRef: 'R-1' } as const;
    return { type: 'applyRefund', ...(await aRefund()), answer, during: 'send' };
  },
  resolveRefund: async () => {
    const resolution = { outcome: 'failed', evidence: 'a letter', by: by('ann', 'bob') } as const;
    return { type: 'resolveRefund', ...(await aRefund()), ...resolution };
  },
  draftSettlement: async () => {
    const { accountId, ...named } = await aDrafted();
    return { type: 'draftSettlement', ...named, draft: aDraft({ accountId, amount: '50.00' }) };
  },
  approveSettlement: async () => {
    const { accountId, ...named } = await aDrafted();
    return { type: 'approveSettlement', ...named, version: 1, accountId, credited, bookingNo: named.settlementNo };
  },
  paySettlement: async () => ({ type: 'paySettlement', ...(await anApproved()), reference: 'R-1' }),
  sendSettlement: async () => {
    const channel = { channelId: 'fake', channelBankCode: null, paymentNo: `SP-${++count}` };
    return { type: 'sendSettlement', ...(await anApproved()), ...channel };
  },
  claimSettlementPayment: async () => {
    const claim = { action: 'send', attempt: 0, lease: 60_000 } as const;
    return { type: 'claimSettlementPayment', ...(await aSent()), ...claim };
  },
  applySettlementPayment: async () => {
    const answer = { outcome: 'paid', payments: [{ reference: 'B-1', amount: '100.00' }] } as const;
    return { type: 'applySettlementPayment', ...(await aSent()), answer, during: 'send' };
  },
  confirmSettlement: async () => ({ type: 'confirmSettlement', ...(await anApproved()), reference: 'R-1' }),
  failSettlement: async () => {
    const named = await anApproved();
    const bookingNo = returnNoOf(named.settlementNo);
    return { type: 'failSettlement', ...named, seen: 'approved', detail: 'no', bookingNo };
  },
  claimTask: async () => {
    const { merchantId } = await aFundedMerchant(fixture.domain, 'PK', '1000.00', 'market');
    const task = await placePayout(fixture.domain, merchantId, 'PK', { mode: 'market' });
    return { type: 'claimTask', ref: task, lease, by: by('ann') };
  },
  proveTask: async () => {
    const proof = { reference: `UTR-${++proofs}`, payer: 'ann', note: null };
    return { type: 'proveTask', ref: await claimedTask(), proof, by: by('ann') };
  },
  acceptProof: async () => ({ type: 'acceptProof', ref: await provedTask(), lease, by: by('bob') }),
  rejectProof: async () => ({ type: 'rejectProof', ref: await provedTask(), lease, by: by('bob') }),
  requestApproval: aRequest,
  rejectApproval: anEnd('rejectApproval', 'bob'),
  withdrawApproval: anEnd('withdrawApproval', 'ann'),
  failApproval: anEnd('failApproval', 'bob'),
};

/** What the command came to, and how many rows it added to which tables. */
async function outcomeOf(command: Command, through: Commit): Promise<unknown> {
  const before = await rowCounts(fixture.domain);
  const result = await through(command);
  const after = await rowCounts(fixture.domain);
  const added = Object.entries(after).filter(([table, rows]) => rows !== before[table]);
  // A repeated create returns no order, so the caller reads it.
  const order = result.ok && 'order' in command ? await orderNow(fixture.domain, command.order) : null;
  return { ...essenceOf(result, order), added: added.map(([table, rows]) => [table, rows - (before[table] ?? 0)]) };
}

function essenceOf(result: CommandResult, read: Order | null): object {
  if (!result.ok) return result;
  const { status, channelId, nextAction, attempt, paidAmount, task } = result.order ?? read ?? {};
  return { ok: true, status, channelId, nextAction, attempt, paidAmount, isClaimed: task?.claimedBy };
}

test.each(Object.keys(commandOf) as Command['type'][])(
  '%s with a lost answer has the same result when repeated',
  async (type) => {
    const wanted = await outcomeOf(await commandOf[type](), commit);
    expect(wanted).toMatchObject({ ok: true });
    const losing = losingOneAnswer();
    expect(await outcomeOf(await commandOf[type](), losing.commit)).toEqual(wanted);
    expect(losing.lost()).toBe(1);
  },
);

test('a repeated command that ends a claim after a lost answer has the result of the first one', async () => {
  const command = async (): Promise<Command> => ({ type: 'endClaim', ref: await claimedTask(), by: by('ann') });
  const wanted = await outcomeOf(await command(), commit);
  expect(await outcomeOf(await command(), losingOneAnswer().commit)).toEqual(wanted);
});

test('a command of another caller with the same content is refused, and does not count as a repetition', async () => {
  const command = await commandOf.claimTask();
  expect(await losingOneAnswer().commit(command)).toMatchObject({ ok: true });
  expect(await commit(command)).toEqual({ ok: false, rejection: 'task_not_available' });
});

test('a caller that repeats a command with the same id gets the result of the first one', async () => {
  const command = { ...(await commandOf.returnCase()), id: crypto.randomUUID() };
  expect(await commit(command)).toMatchObject({ ok: true });
  expect(await commit(command)).toMatchObject({ ok: true });
});

test('after all of this the audit finds nothing', async () => {
  expect((await audit(fixture.domain)).violations).toEqual([]);
});

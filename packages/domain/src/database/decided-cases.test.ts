import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batch, oneBatch, record, set, transfer } from '../../test/forged-rows.ts';
import { ledgerOf, urlOf } from '../../test/service-roles.ts';
import { openStolenRoles, type StolenRoles } from '../../test/stolen-roles.ts';
import { audit } from '../audit/audit.ts';
import { creditCase, endOutgoingCase, returnCase } from '../cases/index.ts';
import type { ChannelAnswer } from '../core/channel-answer.ts';
import type { Order } from '../core/order.ts';
import { makeRefundNo } from '../core/order-number.ts';
import { workOnTask } from '../market/work-on-task.ts';
import { resolvePayout } from '../orders/resolve-payout.ts';
import { openTestDomain, type TestDomain } from '../testing/index.ts';
import { aReport, paid, placePayin } from '../testing/payins.ts';
import { aFundedMerchant, by, placePayout } from '../testing/payouts.ts';
import { ledgerRoles, type ServiceRole } from './role-grants.ts';

// A case of money ends by a decision, by its refund, or because all that had left came back. All processes have their own roles.

let stolen: StolenRoles;
const processes = new Map<ServiceRole, TestDomain>();
const domainOf = (service: 'rest' | 'api' | 'worker') => (processes.get(service) as TestDomain).domain;
const agreed = by('ann', 'bob');
beforeAll(async () => {
  stolen = await openStolenRoles();
  const { url } = stolen;
  for (const service of ['rest', 'api', 'worker'] as const)
    processes.set(service, await openTestDomain(urlOf(url, service), { hasChannel: true, ...ledgerOf(url, service) }));
});
afterAll(async () => {
  const { violations } = await audit(stolen.owner.domain);
  await Promise.all([...processes.values()].map((one) => one.close()));
  await stolen.close();
  expect(violations).toEqual([]);
});

const reports = (order: Order, answer: ChannelAnswer) => domainOf('rest').commit(aReport(order, answer));
const failed: ChannelAnswer = { outcome: 'failed', reason: 'no' };

interface Cased {
  order: Order;
  caseNo: number;
}

async function lastCaseOf(order: Order): Promise<Cased> {
  const { rows } = await stolen.owner.domain.database.pool.query<{ no: number }>(
    'select max(case_no)::integer as no from money_case where merchant_id = $1 and order_no = $2',
    [order.merchantId, order.orderNo],
  );
  return { order, caseNo: rows[0]?.no ?? 0 };
}

/** Money of a payin that had failed. */
async function lateMoney(): Promise<Cased> {
  const order = await placePayin(domainOf('rest'), stolen.merchantId, 'IN');
  await reports(order, failed);
  await reports(order, paid(`P-${order.orderNo}`));
  return lastCaseOf(order);
}

/** A payin that its channel calls failed after it was paid. */
async function aContradiction(): Promise<Cased> {
  const order = await placePayin(domainOf('rest'), stolen.merchantId, 'IN');
  await reports(order, paid(`P-${order.orderNo}`));
  await reports(order, failed);
  return lastCaseOf(order);
}

/** A payout that was paid after it had failed. */
async function paidAgain(): Promise<Cased> {
  const order = await placePayout(domainOf('rest'), stolen.merchantId, 'IN');
  await reports(order, failed);
  await reports(order, paid(`U-${order.orderNo}`));
  return lastCaseOf(order);
}

const stateOf = async ({ order, caseNo }: Cased): Promise<string> => {
  const { rows } = await stolen.owner.domain.database.pool.query<{ state: string }>(
    'select state from money_case where merchant_id = $1 and case_no = $2',
    [order.merchantId, caseNo],
  );
  return rows[0]?.state ?? 'none';
};
const refOf = ({ order, caseNo }: Cased) => ({ merchantId: order.merchantId, caseNo });

const ends = ({ caseNo }: Cased, state: string, more = '') =>
  `update money_case set state = '${state}', closed_at = now()${more} where merchant_id = $1 and case_no = ${caseNo}`;
/** The money of a case leaves suspense, as it does for a case that is returned. */
const leaving = ({ order }: Cased) => [
  batch(),
  transfer({
    debit: "'suspense'",
    credit: "'channel:fake'",
    cause: "'suspense_out'",
    amount: '100',
    order_no: `'${order.orderNo}'`,
  })(),
  set(`last_transfer_no = last_transfer_no + 1, ${oneBatch}`)(),
];

test.each(ledgerRoles)('%s ends no case that nobody decided', async (role) => {
  const [late, other, contradiction, again] = [
    await lateMoney(),
    await lateMoney(),
    await aContradiction(),
    await paidAgain(),
  ];
  const leaves = leaving(late);
  for (const statements of [
    [ends(late, 'returned'), ...leaves],
    [ends(late, 'credited'), ...leaves],
    [ends(late, 'returned', ", refund_no = 'RFNONE'"), ...leaves],
    [ends(contradiction, 'returned')],
    [ends(again, 'credited'), ends(late, 'credited')],
    [`update money_case set refund_no = 'RFNONE' where merchant_id = $1 and case_no = ${late.caseNo}`],
  ])
    await expect(stolen.attack(role, statements), statements[0]).rejects.toThrow(/nobody decided|there is no refund/);
  if (role !== 'api_ledger') return;
  // A decision is about its own case, and about this end of it.
  const decided = (action: string, caseNo: number) => record(action, `case ${caseNo}`, { caseNo })();
  await stolen.attack(role, [ends(late, 'returned'), ...leaves, decided('returnCase', late.caseNo)]);
  for (const one of [decided('returnCase', other.caseNo), decided('creditCase', late.caseNo)])
    await expect(stolen.attack(role, [ends(late, 'returned'), ...leaves, one]), one).rejects.toThrow('nobody decided');
});

const opens = (kind: string, more: Readonly<Record<string, string>> = {}) => {
  const columns = {
    case_no: 'last_case_no + 1',
    kind: `'${kind}'`,
    state: "'open'",
    amount: '5',
    order_no: 'null',
    channel_id: "'fake'",
    detail: "'forged'",
    batch_no: `last_batch_no + 1`,
    ...more,
  };
  return `insert into money_case (merchant_id, currency, opened_at, ${Object.keys(columns).join(', ')})
    select merchant_id, currency, now(), ${Object.values(columns).join(', ')} from wallet where merchant_id = $1`;
};
const second = { case_no: 'last_case_no + 2' };
/** The wallet counts the cases and the batch. */
const counts = (cases: number, more = '') => set(`last_case_no = last_case_no + ${cases}, ${oneBatch}${more}`)();

test.each(ledgerRoles)('%s opens no cases that cancel each other', async (role) => {
  for (const outgoing of ['payout_paid_again', 'payout_wrong_amount'])
    await expect(
      stolen.attack(role, [opens('unmatched'), opens(outgoing, second), batch(), counts(2)]),
      outgoing,
    ).rejects.toThrow(role === 'api_ledger' ? 'that no case or payment explains' : 'nothing of its batch causes it');
  const { rows } = await stolen.owner.domain.database.pool.query(
    "select from money_case where detail = 'forged' or amount = 5",
  );
  expect(rows).toEqual([]);
});

test.each(['rest_ledger', 'worker_ledger'] as const)(
  '%s opens no case that nothing of its batch causes',
  async (role) => {
    const { order } = await lateMoney();
    const ofOrder = { order_no: `'${order.orderNo}'`, payment_order_no: `'${order.orderNo}'` };
    const amount = { amount: '5', order_no: ofOrder.order_no };
    const came = transfer({ debit: "'channel:fake'", credit: "'suspense'", cause: "'suspense_in'", ...amount })();
    const left = transfer({ debit: "'suspense'", credit: "'channel:fake'", cause: "'suspense_out'", ...amount })();
    const transferred = counts(1, ', last_transfer_no = last_transfer_no + 1');
    for (const statements of [
      [came, opens('unmatched'), batch(), transferred],
      // Its order has a payment, which is of another batch.
      [came, opens('late', ofOrder), batch(), transferred],
      [left, opens('payout_paid_again', ofOrder), batch(), transferred],
      [opens('contradiction', ofOrder), batch(), counts(1)],
      [opens('parts_of_unpaid', ofOrder), batch(), counts(1)],
      [opens('settlement_failed'), batch(), counts(1)],
      [
        opens('payout_paid_again', { state: "'charged', now()" }).replace('state,', 'state, closed_at,'),
        batch(),
        counts(1),
      ],
    ])
      await expect(
        stolen.attack(
          role,
          statements.toSorted((a, b) => Number(b.includes('ledger_batch')) - Number(a.includes('ledger_batch'))),
        ),
        statements[0],
      ).rejects.toThrow('nothing of its batch causes it');
  },
);

test('operators end cases', async () => {
  const api = domainOf('api');
  const [late, other, contradiction] = [await lateMoney(), await lateMoney(), await aContradiction()];
  const [charged, writtenOff, ended] = [await paidAgain(), await paidAgain(), await paidAgain()];
  const done = [
    await creditCase(api, refOf(late), {}, agreed),
    await returnCase(api, refOf(other), 'by_hand', agreed),
    await returnCase(api, refOf(contradiction), 'by_hand', agreed),
    await endOutgoingCase(api, refOf(charged), 'chargeCase', agreed),
    await endOutgoingCase(api, refOf(writtenOff), 'writeOffCase', agreed),
    await returnCase(api, refOf(ended), 'by_hand', agreed),
  ];
  expect(done.map((one) => (one.ok ? one.value.state : one.rejection))).toEqual([
    'credited',
    'returned',
    'returned',
    'charged',
    'written_off',
    'returned',
  ]);
});

test('two cases are credited together, and money without an owner to a merchant', async () => {
  const api = domainOf('api');
  const [late, other] = [await lateMoney(), await lateMoney()];
  const both = { alsoCaseNos: [other.caseNo], toMerchantId: stolen.merchantId };
  expect(await creditCase(api, refOf(late), both, agreed)).toMatchObject({ ok: true });
  expect(await stateOf(other)).toBe('credited');
  const unmatched = { merchantId: 'PLATFORM-IN', channelId: 'fake', orderNo: 'X', reference: 'X1', amount: '100.00' };
  await domainOf('rest').commit({ type: 'bookUnmatched', ...unmatched, direction: 'in' });
  const named = { merchantId: 'PLATFORM-IN', caseNo: 1 };
  const credited = await creditCase(api, named, { toMerchantId: stolen.merchantId }, agreed);
  expect(credited).toMatchObject({ ok: true, value: { state: 'credited' } });
});

test('a refund ends its case', async () => {
  const late = await lateMoney();
  const ref = { ...refOf(late), refundNo: makeRefundNo(stolen.merchantId, Date.now(), randomBytes(12)) };
  const sent = { type: 'returnCase', ...ref, orderNo: late.order.orderNo, by: agreed } as const;
  expect(await domainOf('api').commit(sent)).toMatchObject({ ok: true });
  expect(await stateOf(late)).toBe('open');
  const answer = { outcome: 'refunded', refundRef: 'RR-1' } as const;
  expect(await domainOf('worker').commit({ type: 'applyRefund', ...ref, answer, during: 'send' })).toMatchObject({
    ok: true,
  });
  expect(await stateOf(late)).toBe('returned');
});

test('a channel that gives back what had left ends its case', async () => {
  const again = await paidAgain();
  const returned = { reference: `R-${again.order.orderNo}`, amount: '100.00' };
  await reports(again.order, { outcome: 'returned', payments: [], returned, reason: 'closed account' });
  expect(await stateOf(again)).toBe('returned');
});

test('a payout that operators saw to be paid takes what had left for it', async () => {
  const order = await placePayout(domainOf('rest'), stolen.merchantId, 'IN');
  await reports(order, paid(`U-${order.orderNo}`, '60.00'));
  const part = await lastCaseOf(order);
  expect(part.caseNo).toBeGreaterThan(0);
  const evidence = { outcome: 'paid', evidence: 'the statement' } as const;
  expect(await resolvePayout(domainOf('api'), order, evidence, agreed)).toMatchObject({ ok: true });
  expect(await stateOf(part)).toBe('credited');
});

test('so does the proof of a task that a channel has shown meanwhile', async () => {
  const api = domainOf('api');
  const { merchantId } = await aFundedMerchant(stolen.owner.domain, 'PK', '1000.00', 'market');
  const order = await placePayout(domainOf('rest'), merchantId, 'PK', { mode: 'market' });
  const proof = { reference: 'UTR-7', payer: 'Ann', note: null };
  await workOnTask(api, order, { type: 'claimTask' }, by('ann'));
  await workOnTask(api, order, { type: 'proveTask', proof }, by('ann'));
  await reports(order, paid('UTR-7'));
  const shown = await lastCaseOf(order);
  expect(shown.caseNo).toBeGreaterThan(0);
  expect(await workOnTask(api, order, { type: 'acceptProof' }, by('bob'))).toMatchObject({ ok: true });
  expect(await stateOf(shown)).toBe('credited');
});

import type { SandboxFile } from '../sandbox-file.ts';
import { waitUntil } from '../wait-until.ts';
import { daysToReconcile } from './days-to-reconcile.ts';
import { createPayin, createPayout, type Demo, merchantOf, type OpenWork } from './demo-orders.ts';
import { leaveExports } from './exports.ts';
import { askAsOperator, type OperatorClient } from './operator-client.ts';
import { leaveSettlements } from './settlements.ts';
import { leaveStuckPayout } from './stuck-payout.ts';

export type { OpenWork } from './demo-orders.ts';

/**
 * Leaves work for operators: cases, payouts without an answer, market tasks, failing notifications, pending approvals,
 * days to reconcile, settlements and exports. Every run adds more, except for days, stuck payouts, settlements and
 * exports. `keys` is the sandbox's key ring.
 */
export async function leaveOpenWork(sandbox: SandboxFile, keys: string): Promise<OpenWork[]> {
  const as = (token: string) => askAsOperator(sandbox.graphqlUrl, token);
  const demo = { sandbox, admin: as(sandbox.adminToken), approver: as(sandbox.approverToken) };
  const parts = [
    openCases,
    unansweredPayouts,
    marketTasks,
    failingNotifications,
    newFee,
    daysToReconcile,
    leaveExports,
  ];
  const fromThePast = async () => [...(await leaveStuckPayout(demo, keys)), ...(await leaveSettlements(demo, keys))];
  return (await Promise.all([...parts.map((part) => part(demo)), fromThePast()])).flat();
}

/** The fake upstream chooses its behaviour by the amount's cents. */
const caseCents = [
  { country: 'TH', cents: '42', what: 'paid after the time was over' },
  { country: 'CN', cents: '51', what: 'paid 1.00 less' },
  { country: 'PK', cents: '41', what: 'paid twice' },
];

async function openCases({ sandbox, admin }: Demo): Promise<OpenWork[]> {
  const orders = await Promise.all(
    caseCents.map(({ country, cents }) => createPayin(sandbox, country, { amount: `100.${cents}` })),
  );
  for (const orderNo of orders)
    await waitUntil(`the case of ${orderNo}`, () => hasCase(admin, orderNo), { timeoutMs: 60_000, everyMs: 200 });
  return caseCents.map(({ country, what }, at) => ({
    where: 'Cases',
    what: `${country} payin, ${what}`,
    orderNo: orders[at] ?? '',
  }));
}

async function hasCase(admin: OperatorClient, orderNo: string): Promise<boolean> {
  const query = `query ($orderNo: String!) { moneyCases(first: 1, filter: { orderNo: $orderNo }) { edges { node { id } } } }`;
  const { moneyCases } = await admin<{ moneyCases: { edges: unknown[] } }>(query, { orderNo });
  return moneyCases.edges.length > 0;
}

/** The channel accepts both payouts and never answers. For one of them the admin requests a resolution by evidence. */
async function unansweredPayouts({ sandbox, admin }: Demo): Promise<OpenWork[]> {
  const waiting = await createPayout(sandbox, 'IN', 0, '640.23');
  const response = await createPayout(sandbox, 'IN', 0, '815.23');
  // No resolution is possible while a worker still sends it.
  const atChannel = async () => {
    const { order } = await admin<{ order: { nextAction: string } }>(
      'query ($orderNo: String!) { order(orderNo: $orderNo) { nextAction } }',
      { orderNo: response },
    );
    return order.nextAction === 'poll';
  };
  await waitUntil(`${response} at its channel`, atChannel, { timeoutMs: 30_000, everyMs: 100 });
  await admin.mutate('resolvePayout', 'ResolvePayoutInput', {
    input: { orderNo: response, outcome: 'FAILED', evidence: 'Bank statement of today: no such debit' },
    reason: 'The bank did not pay it',
  });
  const where = 'Stuck payouts (after an hour)';
  return [
    { where, what: 'IN payout, the channel never answers', orderNo: waiting },
    { where: 'Approvals', what: 'Resolution of an unanswered IN payout', orderNo: response },
  ];
}

async function marketTasks({ sandbox, admin }: Demo): Promise<OpenWork[]> {
  const available = await createPayout(sandbox, 'PK', 1, '420.00');
  const proven = await createPayout(sandbox, 'PK', 1, '655.00');
  await admin.mutate('claimPayoutTask', 'ClaimPayoutTaskInput', {
    input: { orderNo: proven },
    reason: 'I pay it now',
  });
  await admin.mutate('provePayoutTask', 'ProvePayoutTaskInput', {
    input: { orderNo: proven, reference: `TRX-${proven.slice(-8)}`, payer: 'Account at HBL' },
    reason: 'Paid by mobile banking',
  });
  return [
    { where: 'Payout tasks', what: 'PK payout that waits for an operator', orderNo: available },
    { where: 'Payout tasks', what: 'PK payout whose proof waits for a second operator', orderNo: proven },
  ];
}

async function failingNotifications({ sandbox }: Demo): Promise<OpenWork[]> {
  const failing = [
    { country: 'CN', answer: '500', what: 'the merchant answers 500' },
    { country: 'IN', answer: 'wrong', what: 'the merchant does not answer OK' },
  ];
  return Promise.all(
    failing.map(async ({ country, answer, what }) => ({
      where: 'Notifications',
      what: `${country} payin, ${what}`,
      orderNo: await createPayin(sandbox, country, { amount: '60.00' }, `?answer=${answer}`),
    })),
  );
}

/** The approver requests it, so that the admin has an approval to decide. */
async function newFee({ sandbox, approver }: Demo): Promise<OpenWork[]> {
  const { merchantNo } = merchantOf(sandbox, 'CN', 0);
  await approver.mutate('setFeeRule', 'SetFeeRuleInput', {
    input: { merchantId: merchantNo, kind: 'PAYIN', percent: '2.2', fixed: '0.10' },
    reason: 'New contract',
  });
  return [{ where: 'Approvals', what: `New payin fee of ${merchantNo}`, orderNo: '–' }];
}

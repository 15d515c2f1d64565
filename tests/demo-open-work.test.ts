import { afterAll, beforeAll, expect, test } from 'vitest';
import { leaveOpenWork, type OpenWork } from '../packages/sandbox/src/demo/open-work.ts';
import { askAsOperator, type OperatorClient } from '../packages/sandbox/src/demo/operator-client.ts';
import { waitUntil } from '../packages/sandbox/src/wait-until.ts';
import { type RunningSandbox, startSandbox } from './running-sandbox.ts';

// Its own sandbox: the demo leaves merchants whose notifications fail.
let sandbox: RunningSandbox;
let ask: OperatorClient;
let work: OpenWork[];
beforeAll(async () => {
  sandbox = await startSandbox({ scale: 0.01 });
  ask = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  work = await leaveOpenWork(sandbox.file);
});
afterAll(() => sandbox?.stop());

const connection = 'edges { node { __typename } }';
const lists: [string, string, number][] = [
  ['open cases', `moneyCases(first: 10, filter: { states: [OPEN] }) { ${connection} }`, 3],
  ['payouts without an answer', `stuckPayouts(first: 10, filter: { waitingMinutes: 1 }) { ${connection} }`, 2],
  ['available tasks', `payoutTasks(first: 10, filter: { state: AVAILABLE }) { ${connection} }`, 1],
  ['tasks with a proof', `payoutTasks(first: 10, filter: { state: PROVEN }) { ${connection} }`, 1],
  ['open breaks', `breaks(first: 10, filter: { states: [OPEN] }) { ${connection} }`, 4],
  ['approvals that wait', `approvals(first: 10, filter: { states: [PENDING] }) { ${connection} }`, 2],
];

test.each(lists)('the demo leaves %s for operators', async (name, field, least) => {
  const count = async () => {
    const data = await ask<Record<string, { edges: unknown[] }>>(`query { ${field} }`);
    return Object.values(data)[0]?.edges.length ?? 0;
  };
  await waitUntil(`${least} ${name}`, async () => (await count()) >= least, { timeoutMs: 30_000 });
});

test('the demo leaves notifications that the merchant does not take', async () => {
  const orderNos = work.filter(({ where }) => where === 'Notifications').map(({ orderNo }) => orderNo);
  expect(orderNos).toHaveLength(2);
  for (const orderNo of orderNos) {
    const isRetried = async () => {
      const { order } = await ask<{ order: { notifications: { edges: { node: { attemptCount: number } }[] } } }>(
        `query ($orderNo: String!) { order(orderNo: $orderNo) {
          notifications(first: 5) { edges { node { attemptCount deliveredAt } } } } }`,
        { orderNo },
      );
      return order.notifications.edges.some(({ node }) => node.attemptCount > 0);
    };
    await waitUntil(`an attempt for ${orderNo}`, isRetried, { timeoutMs: 30_000 });
  }
});

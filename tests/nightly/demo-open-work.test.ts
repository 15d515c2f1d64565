import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { audit } from '../../packages/domain/src/entries/admin.ts';
import { openDomain } from '../../packages/domain/src/index.ts';
import { keepSecrets } from '../../tools/sandbox/src/data-dir.ts';
import { leaveOpenWork, type OpenWork } from '../../tools/sandbox/src/demo/open-work.ts';
import { askAsOperator, type OperatorClient } from '../../tools/sandbox/src/demo/operator-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { barriersOf, buildConsole, keepPicture, openConsole, phone, widthOf } from '../console/console-page.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';

// Its own sandbox: the demo leaves merchants whose notifications fail.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 400_000 });
let sandbox: RunningSandbox;
let ask: OperatorClient;
let work: OpenWork[];
beforeAll(async () => {
  sandbox = await startSandbox({ scale: 0.01 });
  ask = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  if (chromiumPath !== undefined) await buildConsole();
  work = await leaveOpenWork(sandbox.file, keepSecrets(sandbox.dataDir).keys);
});
afterAll(async () => {
  await closeBrowser();
  await sandbox?.stop();
});

const connection = 'edges { node { __typename } }';
const lists: [string, string, number][] = [
  ['open cases', `moneyCases(first: 10, filter: { states: [OPEN] }) { ${connection} }`, 3],
  ['payouts without an answer', `stuckPayouts(first: 10, filter: { waitingMinutes: 1 }) { ${connection} }`, 2],
  ['available tasks', `payoutTasks(first: 10, filter: { state: AVAILABLE }) { ${connection} }`, 1],
  ['tasks with a proof', `payoutTasks(first: 10, filter: { state: PROVEN }) { ${connection} }`, 1],
  ['open breaks', `breaks(first: 10, filter: { states: [OPEN] }) { ${connection} }`, 4],
  ['approvals that wait', `approvals(first: 10, filter: { states: [PENDING] }) { ${connection} }`, 3],
  ['drafts of settlements', `settlements(first: 10, filter: { states: [DRAFT] }) { ${connection} }`, 1],
  ['settlements to pay', `settlements(first: 10, filter: { states: [APPROVED] }) { ${connection} }`, 1],
  ['settlements to confirm', `settlements(first: 10, filter: { states: [PAID] }) { ${connection} }`, 1],
  ['bank files', `settlementFiles(first: 10) { ${connection} }`, 1],
  ['settlement cycles', `settlementCycles(first: 10) { ${connection} }`, 3],
  ['exports', `exports(first: 10) { ${connection} }`, 2],
];

test.each(lists)('the demo leaves %s for operators', async (name, field, least) => {
  const count = async () => {
    const data = await ask<Record<string, { edges: unknown[] }>>(`query { ${field} }`);
    return Object.values(data)[0]?.edges.length ?? 0;
  };
  await waitUntil(`${least} ${name}`, async () => (await count()) >= least, { timeoutMs: 30_000 });
});

test('the demo leaves notifications that the merchant does not acknowledge', async () => {
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

test('the audit finds nothing wrong with what the demo leaves', async () => {
  const { keys } = keepSecrets(sandbox.dataDir);
  const { databaseUrl, restUrl: publicBaseUrl } = sandbox.file;
  const log = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
  const domain = await openDomain({ databaseUrl, keys, adapters: {}, publicBaseUrl, wakeUp: () => undefined, log });
  try {
    expect((await audit(domain)).violations).toEqual([]);
  } finally {
    await domain.close();
  }
});

test.skipIf(chromiumPath === undefined)(
  'after the demo each screen of the console has something to look at',
  async (context) => {
    const { page } = await openConsole(context, sandbox, { role: 'Admin', path: '/' });
    const screens = page.getByRole('navigation', { name: 'Screens' });
    await page.getByText('By hour').waitFor();
    const names = (await screens.getByRole('link').allInnerTexts()).map((text) => text.split('\n')[0]?.trim() ?? '');
    expect(names).toEqual(expect.arrayContaining(['Approvals', 'Settlements', 'Exports', 'Stuck payouts']));
    for (const name of names.filter((one) => !['Tidegate', 'Today'].includes(one))) {
      await screens.getByRole('link', { name }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      // Lists have rows, and the days of reconciliation are links of a grid.
      await page.locator('main').locator('tbody tr td, section li a').first().waitFor();
    }
    for (const tab of ['Bank files', 'Cycles']) {
      await screens.getByRole('link', { name: 'Settlements' }).click();
      await page.getByRole('link', { name: tab }).click();
      await page.locator('main').getByRole('row').nth(1).waitFor();
    }
  },
);

const cards: readonly (readonly [card: string, line: string, noun: RegExp])[] = [
  ['Settlements', 'Drafts to approve', /^(\d+) settlements?$/],
  ['Settlements', 'To pay', /^(\d+) settlements?$/],
  ['Settlements', 'To confirm', /^(\d+) settlements?$/],
  ['Settlements', 'Failed, to clear up', /^(\d+) cases?$/],
  ['Reconciliation', 'Open breaks', /^(\d+) breaks?$/],
  ['Reconciliation', 'Days to close', /^(\d+) days?$/],
  ['Reconciliation', 'Statements missing', /^(\d+) days?$/],
];

test.skipIf(chromiumPath === undefined)(
  'Today counts what waits in settlements and reconciliation, and each count leads to a list of that length',
  async (context) => {
    const { page, errors } = await openConsole(context, sandbox, { role: 'Admin', path: '/' });
    const counts: Record<string, number> = {};
    for (const [card, line, noun] of cards) {
      const row = page.getByRole('region', { name: card, exact: true }).getByRole('listitem').filter({ hasText: line });
      const shown = Number((await row.locator('strong').textContent()) ?? Number.NaN);
      await row.getByRole('link', { name: line }).click();
      const total = page.locator('main').getByRole('status').filter({ hasText: noun });
      await total.waitFor();
      // The empty list says so by its count, too.
      expect([line, Number(noun.exec((await total.textContent()) ?? '')?.[1])]).toEqual([line, shown]);
      counts[line] = shown;
      await page.goBack();
    }
    expect(counts).toMatchObject({ 'Drafts to approve': 1, 'To pay': 1, 'To confirm': 1, 'Open breaks': 4 });
    expect(counts['Days to close']).toBeGreaterThan(0);
    await keepPicture(page, 'today with settlements and reconciliation');
    // Attempts go on meanwhile, so the length of this list changes.
    await page
      .getByRole('region', { name: 'Notifications', exact: true })
      .getByRole('link', { name: 'Tried again' })
      .click();
    await page.waitForURL(/attempts=several/);
    await page.getByRole('button', { name: /^Attempts\s*Two or more$/ }).waitFor();
    await page.locator('main').locator('tbody tr td').first().waitFor();
    await keepPicture(page, 'notifications that were tried again');
    expect(errors).toEqual([]);

    const { page: small } = await openConsole(context, sandbox, { ...phone, role: 'Admin', path: '/' });
    await small.getByRole('region', { name: 'Reconciliation', exact: true }).scrollIntoViewIfNeeded();
    await keepPicture(small, 'today on a phone');
    expect([await widthOf(small), await barriersOf(small)]).toEqual([390, []]);
  },
);

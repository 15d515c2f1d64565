import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { buildConsole, keepPicture, openConsole, reportFolder } from '../console/console-page.ts';
import { type DailyTask, dailyTasks, resolveStuckPayout, stuckPayoutTask, type Where } from '../console/daily-tasks.ts';
import { type Effort, handAt } from '../console/hand.ts';
import { placeStuckPayout } from '../console/work-page.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// How many clicks and texts the tasks of a day take, and how long. The guide has the same numbers, so none grows unseen.

vi.setConfig({ testTimeout: 180_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);
const guide = readFileSync(new URL('../../docs/operators/console.md', import.meta.url), 'utf8');

let sandbox: SharedSandbox;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([
    borrowSandbox({ merchants: [{ country: 'CN' }, { country: 'PK', payouts: 'market' }] }),
    buildConsole(),
  ]);
}, 400_000);
const lines: string[] = [];
afterAll(async () => {
  await closeBrowser();
  if (lines.length === 0) return;
  const table = ['| Task | Clicks | Texts | Seconds |', '|---|---|---|---|', ...lines].join('\n');
  console.log(table);
  mkdirSync(reportFolder, { recursive: true });
  writeFileSync(`${reportFolder}/tasks.md`, `${table}\n`);
});

/** The guide's table: clicks and texts by task. Seconds depend on the machine. */
const documented = new Map(
  [...guide.matchAll(/^\| (.+?) \| (\d+) \| (\d+) \| [\d.]+ \|$/gm)].map(
    ([, name = '', clicks, texts]): [string, Effort] => [name, { clicks: Number(clicks), texts: Number(texts) }],
  ),
);

interface Given {
  name: string;
  task: DailyTask;
  given: string;
  where: Where;
}

async function carryOut(context: TestContext, { name, task, given, where }: Given): Promise<void> {
  const { page, errors } = await openConsole(context, where.sandbox, { role: task.role ?? 'Admin', path: '/' });
  await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
  const hand = handAt(page);
  const began = performance.now();
  await task.carryOut(hand, given, where);
  const seconds = (performance.now() - began) / 1_000;
  lines.push(`| ${name} | ${hand.effort.clicks} | ${hand.effort.texts} | ${seconds.toFixed(1)} |`);
  await keepPicture(page, `task ${name.replaceAll(/\W+/g, ' ').trim().toLowerCase()}`);
  expect(errors).toEqual([]);
  expect({ name, ...hand.effort }).toEqual({ name, ...documented.get(name) });
}

withBrowser.for(Object.entries(dailyTasks))('%s', async ([name, task], context) => {
  const where = { sandbox, shop: sandbox.file.merchants[0]?.merchantNo ?? '' };
  await carryOut(context, { name, task, where, given: (await task.prepare?.(where)) ?? '' });
});

withBrowser(stuckPayoutTask, { timeout: 400_000 }, async (context) => {
  const fast = await borrowSandbox({ scale: 0.01, merchants: [{ country: 'IN', payouts: 'upstream' }] });
  const payout = await placeStuckPayout(fast.file, 'IN', '640.23');
  const where = { sandbox: fast, shop: '' };
  await carryOut(context, { name: stuckPayoutTask, task: resolveStuckPayout, where, given: payout });
});

test('the guide has a section and numbered steps for each task of the day', () => {
  const tasks = [...Object.keys(dailyTasks), stuckPayoutTask];
  expect([...documented.keys()].toSorted()).toEqual(tasks.toSorted());
  const sections = new Set([...guide.matchAll(/^## (.+)$/gm)].map(([, title]) => title));
  expect(tasks.filter((task) => !sections.has(task))).toEqual(['Send all again that a merchant missed today']);
});

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { chromiumPath, closeBrowser, openPage } from '../browser.ts';
import { buildConsole, desk, placePayin } from '../console/console-page.ts';
import { type BusyStream, openBusyStream } from '../console/speed/busy-stream.ts';
import {
  type FirstScreen,
  type Held,
  heldBy,
  longestTaskDuring,
  longestTaskTimeDuring,
  openFirstScreen,
  processorTime,
  slowDown,
} from '../console/speed/watch-page.ts';
import { watchMachineSpeed } from '../machine-speed.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// How fast the console is on a slow computer: the processor is slowed four times. Other processes make a time longer, never shorter.
// So times are divided by how much slower the machine is meanwhile, and each is the best of several tries.

vi.setConfig({ testTimeout: 400_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);
/** As most operators see it: what moves costs time, too. */
const animated = { ...desk, reducedMotion: 'no-preference' } as const;

const SLOWER = 4;
const TRIES = 5;
const INTERACTIVE_MS = 1_500;
const MAX_TASK_MS = 250;
/** What browsers call a long task. */
const LONG_TASK_MS = 50;
/** While changes come in, with the processor slowed down. */
const SLOW_LIVE_TASK_MS = 150;
/** Messages of the live list in each second. */
const LIVE_RATE = 25;
/** A page is in use for many minutes. So one minute of the test has as many messages as ten minutes of use. */
const MANY_RATE = 250;
const MANY_MS = 60_000;
const GROWTH_BYTES = 1_500_000;

let sandbox: SharedSandbox;
let merchantNo = '';
let busy: BusyStream;
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([borrowSandbox({ merchants: [{ country: 'CN' }] }), buildConsole()]);
  merchantNo = sandbox.file.merchants[0]?.merchantNo ?? '';
  // A full page, as an operator finds it on any day.
  for (let i = 0; i < 55; i += 5)
    await Promise.all([0, 1, 2, 3, 4].map((k) => placePayin(sandbox.file, 'CN', { amount: `${100 + i + k}.00` })));
  busy = await openBusyStream(new URL(sandbox.file.graphqlUrl).origin);
}, 400_000);
afterAll(async () => {
  await busy?.close();
  await closeBrowser();
});

const listAddress = () => `${busy.origin}/console/orders?merchantIds=${merchantNo}`;

/** Signs in once, and returns what a browser with this session keeps. */
async function sessionState() {
  const { page, close } = await openPage(animated);
  await page.goto(`${busy.origin}/console/sign-in`);
  await page.getByRole('button', { name: 'Support' }).click();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  const state = await page.context().storageState();
  await close();
  return state;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const rounded = (ms: number) => Math.round(ms);

/** What was measured, on a machine that would do nothing else: medians, and the least of the longest tasks. */
function corrected(name: string, tries: readonly FirstScreen[], slowness: number): FirstScreen {
  const of = (part: keyof FirstScreen) => median(tries.map((one) => one[part])) / slowness;
  // One pause of the browser lengthens the longest task of a try, so the try without one counts.
  const longestTask = Math.min(...tries.map((one) => one.longestTask)) / slowness;
  const found = { rowsAt: of('rowsAt'), interactiveAt: of('interactiveAt'), longestTask };
  const [rows, interactive, task] = [found.rowsAt, found.interactiveAt, found.longestTask].map(rounded);
  console.log(
    `${name}: rows ${rows} ms, interactive ${interactive} ms, longest task ${task} ms (machine ${slowness.toFixed(1)} times slower; interactive as measured: ${tries.map((one) => rounded(one.interactiveAt)).join(', ')} ms)`,
  );
  return found;
}

type State = Awaited<ReturnType<typeof sessionState>>;

/** How long the main thread computes until the list is there, without a cache and at full speed. */
async function processorTimes(state: State): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < TRIES; i += 1) {
    const { page, close } = await openPage({ ...animated, storageState: state });
    const session = await slowDown(page, 1);
    const before = await processorTime(session);
    await openFirstScreen(page, listAddress());
    times.push((await processorTime(session)) - before);
    await close();
  }
  return times;
}

withBrowser('the list of orders is interactive in 1.5 s on a slow computer, with and without a cache', async () => {
  const state = await sessionState();
  const [cold, warm]: [FirstScreen[], FirstScreen[]] = [[], []];
  const speed = watchMachineSpeed(async () => null);
  for (let i = 0; i < TRIES; i += 1) {
    // A context has a cache of its own.
    const { page, close } = await openPage({ ...animated, storageState: state });
    await slowDown(page, SLOWER);
    cold.push(await openFirstScreen(page, listAddress()));
    warm.push(await openFirstScreen(page, listAddress()));
    await close();
  }
  const { slowness } = speed.stop();
  const computed = median(await processorTimes(state));
  console.log(
    `the main thread computes ${rounded(computed)} ms for it, ${rounded(computed * SLOWER)} ms if slowed down`,
  );
  for (const found of [corrected('cold cache', cold, slowness), corrected('warm cache', warm, slowness)]) {
    expect(found.interactiveAt).toBeLessThanOrEqual(INTERACTIVE_MS);
    expect(found.longestTask).toBeLessThanOrEqual(MAX_TASK_MS);
  }
});

/** The list, live, with a stream that others can be added to. */
async function openLiveList({ onTestFinished }: Pick<TestContext, 'onTestFinished'>, rate: number) {
  const { page, close, errors } = await openPage({ ...animated, storageState: await sessionState() });
  onTestFinished(close);
  const session = await slowDown(page, rate);
  await openFirstScreen(page, listAddress());
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  const orderNo = await placePayin(sandbox.file, 'CN', { amount: '99.00' });
  await page.getByRole('row').filter({ hasText: orderNo }).getByText('Completed').waitFor();
  return { page, session, errors };
}

/** Milliseconds from a key until the focus has moved and is painted. */
async function keyDelay(page: Page): Promise<number> {
  await page.evaluate(`void (window.pressed = new Promise((resolve) => addEventListener('keydown', ({ timeStamp }) =>
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp))), { once: true })))`);
  await page.keyboard.press('j');
  return (await page.evaluate('window.pressed')) as number;
}

withBrowser('25 changes a second make no long task, which is one of 50 ms', async (context) => {
  const { page, errors } = await openLiveList(context, 1);
  // Counted, not timed: a full machine may give a task of 400 ms less than 50 ms of processor time.
  const turning = `let sum = 0; for (let i = 0; i < 500_000_000; i += 1) sum += i % 7;`;
  const tasks: number[] = [];
  for (let i = 0; i < TRIES; i += 1) tasks.push(await longestTaskTimeDuring(page, () => busy.send(LIVE_RATE, 6_000)));
  console.log(
    `25 changes a second: longest task ${tasks.map((one) => one.toFixed(1)).join(', ')} ms of processor time`,
  );
  // A full machine lengthens processor time too, because its caches are shared: 34 to 200 ms were seen in one run. A task of the page that is
  // too long is there in each try.
  expect(Math.min(...tasks)).toBeLessThan(LONG_TASK_MS);
  // A task that computes is seen, however busy the machine is.
  expect(await longestTaskTimeDuring(page, () => page.evaluate(turning))).toBeGreaterThan(LONG_TASK_MS);
  expect(errors).toEqual([]);
});

withBrowser(
  '25 changes a second keep no key waiting on a slow computer, and the list shows the last of them',
  async (context) => {
    const { page, errors } = await openLiveList(context, SLOWER);
    const speed = watchMachineSpeed(async () => null);
    const [tasks, delays]: [number[], number[]] = [[], []];
    let last = '';
    for (let i = 0; i < TRIES; i += 1)
      tasks.push(
        await longestTaskDuring(page, async () => {
          const [sent] = await Promise.all([
            busy.send(LIVE_RATE, 6_000),
            page.waitForTimeout(3_000).then(async () => delays.push(await keyDelay(page))),
          ]);
          expect(sent.sent).toBe((LIVE_RATE * 6_000) / 1_000);
          last = sent.lastOrderNo;
        }),
      );
    const { slowness } = speed.stop();
    await page.getByRole('row').filter({ hasText: last }).getByText('Completed').waitFor();
    const [task, delay] = [median(tasks) / slowness, median(delays) / slowness];
    console.log(
      `25 changes a second: longest task ${rounded(task)} ms, a key waits ${rounded(delay)} ms (machine ${slowness.toFixed(1)} times slower; tasks as measured: ${tasks.map(rounded).join(', ')} ms)`,
    );
    expect(task).toBeLessThanOrEqual(SLOW_LIVE_TASK_MS);
    expect(delay).toBeLessThanOrEqual(SLOW_LIVE_TASK_MS);
    expect(errors).toEqual([]);
  },
);

withBrowser('a page that has shown 15,000 changes holds no more than one that has shown 2,500', async (context) => {
  const { page, session, errors } = await openLiveList(context, 1);
  await busy.send(MANY_RATE, MANY_MS / 6);
  const before = await heldBy(session);
  const { lastOrderNo } = await busy.send(MANY_RATE, MANY_MS);
  await page.getByRole('row').filter({ hasText: lastOrderNo }).waitFor();
  const grew = (now: Held): boolean =>
    now.heap - before.heap >= GROWTH_BYTES ||
    // Rows come and go between two readings of the page.
    now.nodes >= before.nodes * 2 ||
    now.listeners >= before.listeners * 2;
  let after = await heldBy(session);
  // A page on a busy machine needs time to draw the last changes. Memory that it has not freed after this time is a leak.
  for (let seconds = 0; seconds < 60 && grew(after); seconds += 1) {
    await page.waitForTimeout(1_000);
    after = await heldBy(session);
  }
  const mb = (bytes: number) => (bytes / 1_000_000).toFixed(1);
  console.log(
    `memory: ${mb(before.heap)} MB, then ${mb(after.heap)} MB; nodes ${before.nodes}, then ${after.nodes}; listeners ${before.listeners}, then ${after.listeners}`,
  );
  expect(grew(after)).toBe(false);
  expect(errors).toEqual([]);
});

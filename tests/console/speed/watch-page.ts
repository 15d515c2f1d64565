import type { CDPSession, Page } from 'playwright-core';

// Watches what a page does with its main thread, in a browser whose processor is slowed down.

/** Times in milliseconds since the navigation began. */
export interface FirstScreen {
  /** When the rows of the list were shown. */
  rowsAt: number;
  /** When the main thread was free after that: the end of the last long task before half a second of quiet. */
  interactiveAt: number;
  longestTask: number;
}

/** `[began, took]` in milliseconds. A long task takes 50 ms or more. */
type LongTask = [began: number, took: number];

const QUIET_MS = 500;

/** Runs in each new page before its own scripts. */
const watching = `
  window.watched = { tasks: [], rowsAt: null };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.watched.tasks.push([startTime, duration]);
  }).observe({ type: 'longtask', buffered: true });
  (function look() {
    if (document.querySelector('tbody tr a')) window.watched.rowsAt = performance.now();
    else requestAnimationFrame(look);
  })();
`;

const untilQuiet = `new Promise((resolve) => {
  const { tasks } = window.watched;
  const waiting = setInterval(() => {
    const { rowsAt } = window.watched;
    if (rowsAt === null) return;
    if (performance.now() - Math.max(rowsAt, ...tasks.map(([at, took]) => at + took)) < ${QUIET_MS}) return;
    clearInterval(waiting);
    resolve(window.watched);
  }, 100);
})`;

/** Slows the page's processor from here on. Every page of the context is watched. */
export async function slowDown(page: Page, rate: number): Promise<CDPSession> {
  await page.context().addInitScript(watching);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  return session;
}

/** Opens a URL, and measures until its list is there and the page is quiet. */
export async function openFirstScreen(page: Page, address: string): Promise<FirstScreen> {
  await page.goto(address, { waitUntil: 'commit' });
  const { tasks, rowsAt } = (await page.evaluate(untilQuiet)) as { tasks: LongTask[]; rowsAt: number };
  return {
    rowsAt,
    interactiveAt: Math.max(rowsAt, ...tasks.map(([at, took]) => at + took)),
    longestTask: longest(tasks),
  };
}

/** The longest task while `work` goes on; 0 where none is long. */
export async function longestTaskDuring(page: Page, work: () => Promise<unknown>): Promise<number> {
  const before = (await page.evaluate('watched.tasks.length')) as number;
  await work();
  return longest((await page.evaluate(`watched.tasks.slice(${before})`)) as LongTask[]);
}

function longest(tasks: readonly LongTask[]): number {
  return Math.max(0, ...tasks.map(([, took]) => took));
}

/** How long the main thread of a page has computed until now, in milliseconds. Other work of the machine does not count. */
export async function processorTime(session: CDPSession): Promise<number> {
  await session.send('Performance.enable');
  return (await metricOf(session, 'ThreadTime')) * 1_000;
}

async function metricOf(session: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}

/** What the page holds, after everything was given back that can be. */
export interface Held {
  /** Of JavaScript, in bytes. */
  heap: number;
  nodes: number;
  listeners: number;
}

export async function heldBy(session: CDPSession): Promise<Held> {
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  // Twice: what is given back first frees more.
  for (let times = 0; times < 2; times += 1) await session.send('HeapProfiler.collectGarbage');
  const [heap, nodes, listeners] = await Promise.all(
    ['JSHeapUsedSize', 'Nodes', 'JSEventListeners'].map((name) => metricOf(session, name)),
  );
  return { heap: heap ?? Number.NaN, nodes: nodes ?? Number.NaN, listeners: listeners ?? Number.NaN };
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Processor time of the thread, in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/**
 * How long the main thread of a page computes for its longest task while `work` goes on, in milliseconds of processor time. Other work of the machine does
 * not count.
 */
export async function longestTaskTimeDuring(page: Page, work: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser of its own');
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && /RunTask$/.test(name) && mains.has(`${pid} ${tid}`),
  );
  const times = tasks.flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1_000]));
  if (times.length === 0) throw new Error('the trace has no task of the page');
  return longest(times.map((took) => [0, took]));
}

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../packages/domain/src/entries/admin.ts';
import { makeRunFolder } from '../../tools/sandbox/src/run-folder.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { type OwnSentinel, type SentinelServer, startOwnSentinel } from '../failover/own-sentinel.ts';
import { underLoad } from '../failover/under-load.ts';
import { askPatiently, openOnDatabase } from '../faults/chaos-harness.ts';
import type { ProofFixture } from '../faults/prove-orders.ts';
import { runServices } from '../run-services/ask-services.ts';
import { startSandbox } from '../running-sandbox.ts';

// Three Redis servers and three Sentinels, as ops/high-availability has them, below the whole service under load. Whatever happens to
// the server that is written to: no order is lost or done twice, creates are answered again within 30 s, and the old server
// cannot be written to.

const answersWithinMs = 30_000;
const takesOverWithinMs = 60_000;
const frozenForMs = 15_000;

let set: OwnSentinel;
let fixture: ProofFixture;
const undo: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  const folder = await makeRunFolder();
  undo.push(() => folder.remove());
  set = await startOwnSentinel(folder, await runServices.reservePorts());
  undo.push(() => set.remove());
  const sandbox = await startSandbox({ scale: 0.05, redisUrl: set.url }, runServices);
  undo.push(() => sandbox.stop());
  const domain = await openOnDatabase(sandbox.file.databaseUrl);
  undo.push(() => domain.close());
  const ask: ProofFixture['ask'] = (question) => askPatiently(domain, question);
  const violations = async () => (await ask(audit)).violations.map((found) => Object.values(found).join(': '));
  fixture = { sandbox, ask, audit: violations, outages: [], freezes: [] };
}, 300_000);
afterAll(async () => {
  for (const step of undo.reverse()) await step();
}, 60_000);

interface Loss {
  name: string;
  fail(server: SentinelServer): Promise<void> | void;
  repair?(before: SentinelServer): void;
}

const losses: Loss[] = [
  { name: 'killed', fail: (server) => server.kill(), repair: (before) => before.startAgain() },
  {
    name: 'frozen and woken',
    fail: async (server) => {
      server.freeze();
      await delay(frozenForMs);
    },
    repair: (before) => before.wake(),
  },
  { name: 'switched over', fail: () => set.switchOver() },
];

test.each(losses)(
  'Redis failover with Sentinel: the server is $name',
  { timeout: 300_000 },
  async ({ name, fail, repair }) => {
    const before = await set.untilWhole();
    const seen = await underLoad(fixture, `S${losses.findIndex((one) => one.name === name)}`, {
      fail: async () => {
        await fail(before);
        const isAnother = async () => (await set.primary()) !== before;
        await waitUntil('another server is named', isAnother, { timeoutMs: takesOverWithinMs });
      },
      repair: async () => {
        repair?.(before);
        await set.untilWhole();
      },
    });
    console.log(`the Redis server ${name}: ${before.name}, then ${(await set.primary()).name}; ${seen.summary}`);
    expect(seen.problems).toEqual([]);
    expect(seen.longestGapMs).toBeLessThan(answersWithinMs * seen.slowness);
    expect(await before.ask('SET written 1')).toContain('READONLY');
  },
);

import { audit } from '../../packages/domain/src/entries/admin.ts';
import { makeRunFolder } from '../../tools/sandbox/src/run-folder.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { askPatiently, openOnDatabase } from '../faults/chaos-harness.ts';
import type { ProofFixture } from '../faults/prove-orders.ts';
import { runServices } from '../run-services/ask-services.ts';
import { startSandbox } from '../running-sandbox.ts';
import { type DirectWriters, startDirectWriters } from './direct-writers.ts';
import { type OwnPatroni, startOwnPatroni } from './own-patroni.ts';

/** The whole service on three PostgreSQL servers, behind HAProxy. */
export interface FailoverHarness extends ProofFixture {
  readonly set: OwnPatroni;
  readonly writers: DirectWriters;
  stop(): Promise<void>;
}

/** Every wait of polling, retrying and expiry is shortened to this part of it. */
const SCALE = 0.05;

export async function openFailoverHarness(): Promise<FailoverHarness> {
  const folder = await makeRunFolder();
  const undo: (() => Promise<unknown>)[] = [() => folder.remove()];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const set = await startOwnPatroni(folder, await runServices.reservePorts());
    undo.push(() => set.remove());
    const maintenance = Object.assign(new URL(set.url), { pathname: '/postgres' }).href;
    await queryDatabase(maintenance, 'create database tidegate');
    const writers = await startDirectWriters(set.url, set.nodes);
    undo.push(() => writers.stop());
    const redisUrl = await runServices.newRedis();
    const sandbox = await startSandbox({ scale: SCALE, databaseUrl: set.url, redisUrl }, runServices);
    undo.push(() => sandbox.stop());
    const domain = await openOnDatabase(set.url);
    undo.push(() => domain.close());
    const ask: ProofFixture['ask'] = (question) => askPatiently(domain, question);
    const violations = async () => (await ask(audit)).violations.map((found) => Object.values(found).join(': '));
    return { set, writers, sandbox, ask, audit: violations, outages: [], freezes: [], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

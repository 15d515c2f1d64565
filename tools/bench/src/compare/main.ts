import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type * as environment from '../bench-environment.ts';
import { prepareFixture } from '../bench-environment.ts';
import type * as notifications from '../kinds/notifications.ts';
import { measureDelivery } from '../kinds/notifications.ts';
import { medianOf } from '../median.ts';
import {
  type Contender,
  openSubject,
  type Slice,
  type SubjectName,
  subjects,
  type Tree,
  warmUpSlices,
} from './subjects.ts';

// Usage: node tools/bench/src/compare/main.ts --with ../other-tree
// Compares the processor time per request of this working tree with that of others (docs/developers/benchmarks.md).

const { values } = parseArgs({
  options: {
    with: { type: 'string' },
    only: { type: 'string', default: 'payouts' },
    slices: { type: 'string', default: '8' },
    requests: { type: 'string', default: '3000' },
    wallets: { type: 'string', default: '1' },
  },
});
const names = values.only.split(',');
if (!names.every(isSubject)) {
  console.error(`--only has to name some of ${Object.keys(subjects).join(', ')}`);
  process.exit(2);
}
const slices = Number(values.slices);
const load = { requests: Number(values.requests), slices, wallets: Number(values.wallets) };

const trees = new Map<string, Tree>();
const stopServers = (): Promise<unknown> =>
  Promise.all([...trees.values()].map(({ environment }) => environment.stop()));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopServers().finally(() => process.exit(130)));
try {
  trees.set('this tree', { environment: await prepareFixture(load.wallets), measureDelivery });
  for (const tree of values.with?.split(',') ?? []) trees.set(tree, await prepareOther(tree));
  for (const name of names) {
    const subject = await openSubject(name, trees, load);
    try {
      console.log(
        `\n${name}: ${slices} slices of ${load.requests}, ${load.wallets} wallets, µs of processor time per answer`,
      );
      report(await measureAlternately(subject.contenders));
    } finally {
      await subject.close();
    }
  }
} finally {
  await stopServers();
}

function isSubject(name: string): name is SubjectName {
  return name in subjects;
}

/** Prepares the environment of another working tree with that tree's own code: its schema and its processes. */
async function prepareOther(tree: string): Promise<Tree> {
  // Trees before 1.0.0 have the benchmark among the packages.
  const folder = ['tools', 'packages'].map((part) => join(resolve(tree), part, 'bench/src')).find(existsSync);
  if (folder === undefined) throw new Error(`${tree} has no benchmark`);
  const codeOf = <Module>(file: string): Promise<Module> => import(pathToFileURL(join(folder, file)).href);
  const { prepareFixture: prepare } = await codeOf<typeof environment>('bench-environment.ts');
  const { measureDelivery } = await codeOf<typeof notifications>('kinds/notifications.ts');
  return { environment: await prepare(load.wallets), measureDelivery };
}

/**
 * Measures the contenders alternately, after warm-up slices that do not count. Every second round has the opposite
 * order.
 */
async function measureAlternately(contenders: readonly Contender[]): Promise<Map<string, Slice[]>> {
  const found = new Map<string, Slice[]>(contenders.map(({ name }) => [name, []]));
  for (const { slice } of contenders) for (let i = 0; i < warmUpSlices; i += 1) await slice();
  for (let round = 0; round < slices; round += 1) {
    for (const { name, slice } of round % 2 === 0 ? contenders : contenders.toReversed())
      found.get(name)?.push(await slice());
    const us = [...found.values()].map((measured) => measured.slice(-1).map(totalUs)[0]?.toFixed(0));
    console.log(`  ${round + 1}/${slices}: ${us.join(', ')}`);
  }
  return found;
}

function report(found: ReadonlyMap<string, readonly Slice[]>): void {
  const totals = new Map([...found].map(([name, measured]) => [name, measured.map(totalUs)]));
  for (const [name, measured] of found) {
    const processes = Object.keys(measured[0]?.cpuUs ?? {}).filter((process) => process !== 'bench');
    const parts = processes.map((process) => `${process} ${spread(measured.map(({ cpuUs }) => cpuUs[process] ?? 0))}`);
    const rate = medianOf(measured.map(({ perSecond }) => perSecond)).toFixed(0);
    console.log(`  ${name.padEnd(12)} ${spread(totals.get(name) ?? [])}: ${parts.join(', ')}; ${rate} /s`);
  }
  const [base, ...others] = [...totals];
  for (const [name, us] of others)
    console.log(
      `  ${base?.[0]} ÷ ${name}: ${spread(
        us.map((one, i) => (base?.[1][i] ?? 0) / one),
        3,
      )}`,
    );
}

/** Processor time of all processes except the load generator. */
function totalUs({ cpuUs }: Slice): number {
  return Object.entries(cpuUs).reduce((sum, [process, us]) => sum + (process === 'bench' ? 0 : us), 0);
}

/** Formats the median with the two quartiles. */
function spread(all: readonly number[], digits = 0): string {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.round((sorted.length - 1) * share)] ?? 0).toFixed(digits);
  return `${medianOf([...all]).toFixed(digits)} (${at(0.25)}–${at(0.75)})`;
}

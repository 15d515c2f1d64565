// npm run test:mutation: changes the pure code in thousands of small ways and counts the changes that no unit test notices.
//   npm run test:mutation -- core/fee.ts    only the files whose path has this in it
// Other flags go to Stryker. Takes long and is not part of npm test (docs/developers/testing.md).
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { handOver, PNPM, prepareMachine, ROOT, run } from './machine.mjs';

const FOLDERS = ['packages/domain/src/core', 'packages/domain/src/countries'];

const args = process.argv.slice(2);
const parts = args.filter((arg) => !arg.startsWith('-'));
const flags = args.filter((arg) => arg.startsWith('-'));
const pure = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${name}`),
)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  // The checkout's texts: a test of each word would only repeat it.
  .filter((path) => !path.endsWith('/words.ts'));
const unknown = parts.find((part) => !pure.some((path) => path.includes(part)));
if (unknown !== undefined) {
  console.error(`No file of ${FOLDERS.join(' or ')} has "${unknown}" in its path.`);
  process.exit(1);
}
const files = parts.length === 0 ? pure : pure.filter((path) => parts.some((part) => path.includes(part)));

const node = await prepareMachine({ redis: false });
// Stryker has a lockfile of its own, so that it is installed only where this command runs.
const home = join(ROOT, 'tests', 'mutation');
const install = ['install', '--ignore-workspace', '--frozen-lockfile', '--dir', home, '--loglevel', 'warn'];
const code = await run('npx', ['--yes', '--prefer-offline', PNPM, ...install]);
if (code !== 0) process.exit(code);
const stryker = join(home, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
await handOver(node, [stryker, 'run', join(home, 'stryker.config.mjs'), '--mutate', files.join(','), ...flags], {
  env: { TIDEGATE_TEST_TIER: 'unit' },
});

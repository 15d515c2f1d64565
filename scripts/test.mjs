// npm test: every test, or those below the paths that are named (npm test -- packages/signature). The last line counts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { prepareMachine, ROOT, run } from './machine.mjs';

const node = await prepareMachine({ redis: true, browser: true, php: true, postgres: true, promtool: true });
const folder = mkdtempSync(join(tmpdir(), 'tidegate-count-'));
const countFile = join(folder, 'count.json');
const bin = join(ROOT, 'node_modules', '.bin');
const code = await run(
  node,
  [
    join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
    ...['run', '--reporter=default', `--reporter=${join(ROOT, 'scripts', 'count-tests.mjs')}`],
    ...process.argv.slice(2),
  ],
  { env: { PATH: `${bin}${delimiter}${process.env.PATH}`, TIDEGATE_TEST_COUNT_FILE: countFile } },
);
console.log(`\n${readCount()}`);
rmSync(folder, { recursive: true });
process.exitCode = code;

function readCount() {
  let count;
  try {
    count = JSON.parse(readFileSync(countFile, 'utf8'));
  } catch {
    console.log('\nThe tests did not run to their end.');
    count = { passed: 0, failed: 1, skipped: 0 };
  }
  return `${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`;
}

// npm test: the tiers unit, integration and system, or what is selected of all tiers:
//   npm test -- packages/domain            the tests whose path has this in it
//   npm test -- "late payment"             the tests whose name has this in it
//   npm test -- --tier unit,integration    these tiers
// Other flags go to vitest. The last line counts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { prepareMachine, ROOT, run } from './machine.mjs';
import { measureSlowness } from './machine-speed.mjs';
import { needsOf, readSelection, tierOf } from './select-tests.mjs';
import { closingLine, summaryOf } from './test-summary.mjs';

const selection = readSelection(process.argv.slice(2));
const node = await prepareMachine(needsOf(selection.files));
const folder = mkdtempSync(join(tmpdir(), 'tidegate-report-'));
const reports = [];
let code = 0;
for (const tier of selection.tiers) {
  const files = selection.files.filter((file) => tierOf(file) === tier);
  if (files.length === 0) continue;
  const report = await runTier(tier, files);
  reports.push(report);
  if (report.code !== 0) code = report.code;
}
console.log(summaryOf(reports));
console.log(closingLine(reports));
rmSync(folder, { recursive: true });
process.exitCode = code;

/** Runs one tier in a vitest of its own, measures meanwhile how slow the machine is, and reads what its reporter left. */
async function runTier(tier, files) {
  const reportFile = join(folder, `${tier}.json`);
  const speeds = [measureSlowness()];
  const watching = setInterval(() => speeds.push(measureSlowness()), 2_000);
  const began = performance.now();
  const code = await run(
    node,
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      ...['run', '--reporter=default', `--reporter=${join(ROOT, 'scripts', 'report-tests.mjs')}`],
      ...(selection.isWhole ? [] : files),
      ...selection.flags,
    ],
    {
      env: {
        PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
        TIDEGATE_TEST_TIER: tier,
        TIDEGATE_TEST_REPORT_FILE: reportFile,
      },
    },
  );
  clearInterval(watching);
  const seconds = (performance.now() - began) / 1_000;
  const slowness = speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
  return { tier, code, seconds, slowness, ...readReport(reportFile) };
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.log('\nThe tests did not run to their end.');
    return { count: { passed: 0, failed: 1, skipped: 0 }, files: [] };
  }
}

// npm test: the tiers unit, integration and system, or what is selected of all tiers:
//
// - `npm test -- packages/domain`: the tests whose path has this in it
// - `npm test -- "late payment"`: the tests whose name has this in it
// - `npm test -- --tier unit,integration`: these tiers
//
// Other flags go to vitest. The last line counts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureConsole } from './console.mjs';
import { prepareMachine, ROOT, run } from './machine.mjs';
import { needsOf, readSelection, tierOf } from './select-tests.mjs';
import { closingLine, overLimit, summaryOf, withShorterTimes } from './test-summary.mjs';

const selection = readSelection(process.argv.slice(2));
const node = await prepareMachine(needsOf(selection.files));
let reports = [];
let code = 0;
// Once, so that no test that starts a sandbox pays for it.
if (selection.isWhole && selection.tiers.includes('integration')) await ensureConsole(node);
// Tests of all tiers start each process many times. The bundles of all take 6 s, which a single file would wait for.
const startsBundles = selection.isWhole && selection.tiers.some((tier) => tier !== 'unit');
const bundled = startsBundles ? await run(node, [join(ROOT, 'tests', 'run-services', 'bundle-processes.ts')]) : 0;
// Otherwise the tests would start the bundles of an earlier run.
if (bundled !== 0) process.exit(bundled);
const folder = mkdtempSync(join(tmpdir(), 'tidegate-report-'));
for (const tier of selection.tiers) {
  const files = selection.files.filter((file) => tierOf(file) === tier);
  if (files.length === 0) continue;
  const report = await runTier(tier, selection.isWhole ? [] : files);
  reports.push(report);
  if (report.code !== 0) code = report.code;
}
// Another program may have slowed a file: one that is over its limit is timed once more by itself.
for (const { tier, file } of code === 0 ? overLimit(reports) : []) {
  const again = await runTier(tier, [file]);
  reports = withShorterTimes(reports, again);
  if (again.code !== 0) code = again.code;
}
if (code === 0 && overLimit(reports).length > 0) code = 1;
console.log(summaryOf(reports));
console.log(closingLine(reports));
rmSync(folder, { recursive: true });
process.exitCode = code;

/** Runs these files of one tier, or all of them, in a vitest of its own. Reads what its reporter and tests/global-setup.ts left. */
async function runTier(tier, files) {
  const reportFile = join(folder, `${tier}.json`);
  const speedFile = join(folder, `${tier}-speed.json`);
  const began = performance.now();
  const code = await run(
    node,
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--reporter=default',
      `--reporter=${join(ROOT, 'scripts', 'report-tests.mjs')}`,
      ...files,
      ...selection.flags,
    ],
    {
      env: {
        PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
        TIDEGATE_TEST_TIER: tier,
        TIDEGATE_TEST_REPORT_FILE: reportFile,
        TIDEGATE_TEST_SPEED_FILE: speedFile,
        TIDEGATE_TEST_PROCESSES: startsBundles ? 'bundles' : 'sources',
        // The tests start many programs that are the same.
        NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'node-compile'),
      },
    },
  );
  const seconds = (performance.now() - began) / 1_000;
  const report = readJson(reportFile);
  if (report === null) console.log('\nThe tests did not run to their end.');
  const {
    count,
    files: timed,
    failures,
  } = report ?? { count: { passed: 0, failed: 1, skipped: 0 }, files: [], failures: [] };
  const { slowness = 1, signatures = [], statement = [] } = readJson(speedFile) ?? {};
  return { tier, code, seconds, slowness, samples: [signatures, statement], count, files: timed, failures };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

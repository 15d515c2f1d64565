// What npm run test:mutation changes, and what it counts (docs/developers/testing.md).
import { createRequire } from 'node:module';

const output = 'test-output/mutation';

export default {
  // By its path: it is installed beside this file, not in the workspace.
  plugins: [createRequire(import.meta.url).resolve('@stryker-mutator/vitest-runner')],
  testRunner: 'vitest',
  // The tier "unit" of vitest.config.ts, of which those tests run that reach the changed line.
  coverageAnalysis: 'perTest',
  // Tables such as transitions, rights and waits are made once, when their file is loaded, and have to be changed too.
  ignoreStatic: false,
  mutate: ['packages/domain/src/{core,countries}/**/*.ts', '!**/*.test.ts', '!**/words.ts'],
  ignorePatterns: ['.data*', 'docs', 'ops', 'test-output', 'tests/mutation'],
  // No such file: Stryker would rewrite tsconfig.json through an interface that TypeScript 7 no longer has, and it needs no rewriting.
  tsconfigFile: 'none.json',
  tempDirName: `${output}/sandbox`,
  incremental: true,
  incrementalFile: `${output}/incremental.json`,
  reporters: ['clear-text', 'html', 'json', 'progress-append-only'],
  clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `${output}/report.html` },
  jsonReporter: { fileName: `${output}/report.json` },
  concurrency: 2,
  // On a busy machine a slow run is not an endless loop.
  timeoutMS: 60_000,
  timeoutFactor: 4,
  warnings: { slow: false },
  thresholds: { high: 95, low: 90, break: 90 },
};

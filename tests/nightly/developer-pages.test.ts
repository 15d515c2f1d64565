import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyWithSteps, repository, steps } from '../developer-pages/copy-with-steps.ts';
import { commandsOf } from '../developer-pages/steps.ts';

// The code on the pages of docs/developers passes the type check, and the tests that the pages name pass, in a copy of the repository.

const run = promisify(execFile);

let copy: string;
beforeAll(async () => {
  copy = await copyWithSteps();
}, 120_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('the code on the pages of docs/developers passes the type check', { timeout: 300_000 }, async () => {
  // Checks all services, and only the tests that a page adds. The other tests, the console and the bench are checked in
  // the repository itself.
  const config = {
    extends: './tsconfig.json',
    include: ['{packages,tools}/*/src/**/*.ts'],
    exclude: ['packages/console', 'tools/bench', '**/*.test.ts'],
    files: steps.map(({ path }) => path).filter((path) => path.endsWith('.test.ts')),
  };
  writeFileSync(join(copy, 'tsconfig.pages.json'), JSON.stringify(config));
  const tsc = join(repository, 'node_modules/.bin/tsc');
  await expect(run(tsc, ['-p', 'tsconfig.pages.json'], { cwd: copy })).resolves.toBeDefined();
});

test('the unit and integration tests that the pages name pass', { timeout: 300_000 }, async () => {
  const named = commandsOf(steps, 'npm test --').flatMap((command) => command.split(' '));
  const unit = named.filter((file) => file.endsWith('.unit.test.ts'));
  expect(unit.length).toBeGreaterThan(1);
  expect(named.length - unit.length).toBeGreaterThan(1);
  const { TIDEGATE_TEST_REPORT_FILE, TIDEGATE_TEST_SPEED_FILE, TIDEGATE_TEST_TIER, ...env } = process.env;
  // Both in one run: starting one takes as long as its tests.
  const projects = ['--project', 'unit', '--project', 'integration'];
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=dot', ...projects, ...named], {
    cwd: copy,
    env: { ...env, VITEST: undefined },
  });
  expect(stdout).toMatch(new RegExp(`Test Files .*${named.length} passed`));
});

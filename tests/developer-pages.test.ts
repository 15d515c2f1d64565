import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applySteps, commandsOf, readSteps } from './developer-pages/steps.ts';

// The pages of docs/developers that add something, carried out one after the other in one copy of the repository.

const repository = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const pages = ['add-a-channel', 'statement-formats', 'add-an-operation', 'add-a-metric'];
const steps = pages.flatMap((name) =>
  readSteps(readFileSync(join(repository, 'docs/developers', `${name}.md`), 'utf8')),
);

let copy: string;
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'tidegate-pages-'));
  for (const part of ['packages', 'docs', 'tests', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(repository, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  await applySteps(copy, steps);
}, 120_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('the code of the pages has the right types', { timeout: 300_000 }, async () => {
  // All services, and of the tests those that a page writes: the other tests have right types in the repository.
  const config = {
    extends: './tsconfig.json',
    include: ['packages/*/src/**/*.ts'],
    exclude: ['packages/console', 'packages/bench', '**/*.test.ts'],
    files: steps.map(({ path }) => path).filter((path) => path.endsWith('.test.ts')),
  };
  writeFileSync(join(copy, 'tsconfig.pages.json'), JSON.stringify(config));
  const tsc = join(repository, 'node_modules/.bin/tsc');
  await expect(run(tsc, ['-p', 'tsconfig.pages.json'], { cwd: copy })).resolves.toBeDefined();
});

test.each(['unit', 'integration'])('the %s tests that the pages name pass', { timeout: 300_000 }, async (tier) => {
  const named = commandsOf(steps, 'npm test --').flatMap((command) => command.split(' '));
  const files = named.filter((file) => file.endsWith('.unit.test.ts') === (tier === 'unit'));
  expect(files.length).toBeGreaterThan(1);
  const { TIDEGATE_TEST_REPORT_FILE, TIDEGATE_TEST_SPEED_FILE, ...env } = process.env;
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'run', '--reporter=dot', ...files], {
    cwd: copy,
    env: { ...env, TIDEGATE_TEST_TIER: tier, VITEST: undefined },
  });
  expect(stdout).toMatch(new RegExp(`Test Files .*${files.length} passed`));
});

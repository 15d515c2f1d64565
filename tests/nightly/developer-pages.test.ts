import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyWithSteps, repository, steps } from '../developer-pages/copy-with-steps.ts';

const run = promisify(execFile);

let copy: string;
beforeAll(async () => {
  copy = await copyWithSteps();
}, 120_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('the code on the pages of docs/developers passes the type check', { timeout: 300_000 }, async () => {
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

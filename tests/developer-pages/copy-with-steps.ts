import { cpSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applySteps, readSteps } from './steps.ts';

export const repository = fileURLToPath(new URL('../..', import.meta.url));
const pages = ['add-a-channel', 'statement-formats', 'add-an-operation', 'add-a-metric'];

/** The steps of the pages of docs/developers that add something. */
export const steps = pages.flatMap((name) =>
  readSteps(readFileSync(join(repository, 'docs/developers', `${name}.md`), 'utf8')),
);

/** Carries out the steps of all pages, one after the other, in one copy of the repository. Returns its folder. */
export async function copyWithSteps(): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), 'tidegate-pages-'));
  for (const part of [
    'packages',
    'tools',
    'docs',
    'tests',
    'scripts',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    cpSync(join(repository, part), join(copy, part), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  await applySteps(copy, steps);
  return copy;
}

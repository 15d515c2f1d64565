import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applySteps, commandsOf, readSteps } from './steps.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tidegate-steps-'));
  writeFileSync(join(root, 'a.ts'), 'one\ntwo\nthree\n');
});
afterEach(() => rmSync(root, { recursive: true }));

const block = (info: string, body: string) => `Text.\n\n\`\`\`${info}\n${body}\n\`\`\`\n`;
const apply = async (page: string) => applySteps(root, readSteps(page));
const text = (path: string) => readFileSync(join(root, path), 'utf8');

test('a page can create files, change lines, append lines and run commands', async () => {
  await apply(block('diff file=a.ts', ' one\n-two\n+2\n+2½'));
  await apply(block('ts append=a.ts', 'four'));
  await apply(block('ts file=b.ts', 'new') + block('sh run', 'cp b.ts c.ts'));
  expect([text('a.ts'), text('c.ts')]).toEqual(['one\n2\n2½\nthree\n\nfour\n', 'new\n']);
});

test('the command with which a reader checks the result is found by its beginning', () => {
  const steps = readSteps(block('sh check', 'npm run check:types\nnpm test -- a.test.ts') + block('ts', 'an example'));
  expect(commandsOf(steps, 'npm test --')).toEqual(['a.test.ts']);
});

test.each([
  ['lines that are not in the file', block('diff file=a.ts', '-zwei\n+2'), 'has these lines 0 times'],
  ['lines that are in the file twice', block('diff file=a.ts', '-o\n+0'), 'has these lines 2 times'],
  ['a new file that exists', block('ts file=a.ts', 'x'), 'a.ts is a new file of a page, and exists'],
  ['a word that is not a step', block('ts into=a.ts', 'x'), 'says into=a.ts, which is no step'],
])('a page with a wrong step is reported: %s', async (_what, page, problem) => {
  await expect((async () => apply(page))()).rejects.toThrow(problem);
  expect(text('a.ts')).toBe('one\ntwo\nthree\n');
});

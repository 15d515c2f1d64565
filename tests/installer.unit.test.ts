import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeLog, runInstaller } from '../scripts/installer.mjs';

let folder: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-installer-'));
  log = join(folder, 'install.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const print = (script: string) => runInstaller('sh', ['-c', script], log);

test('what installers print goes to the log, in their order', async () => {
  expect(await print('echo one; echo two >&2')).toBe(0);
  expect(await print('echo three')).toBe(0);
  expect(readFileSync(log, 'utf8')).toBe('one\ntwo\nthree\n');
});

test('a failure is described by the last lines and the name of the log', async () => {
  expect(await print('seq 1 100; exit 7')).toBe(7);
  const described = describeLog(log);
  expect(described).toContain(log);
  expect(described.split('\n')).toHaveLength(16);
  expect(described).toMatch(/ 99\n {2}100$/);
  expect(describeLog(log, 0)).toBe(`What it printed is in ${log}.`);
});

test('a missing program gives 127, and without a log nothing is described', async () => {
  expect(describeLog(log)).toBe('');
  expect(await runInstaller(join(folder, 'nothing'), [], log)).toBe(127);
});

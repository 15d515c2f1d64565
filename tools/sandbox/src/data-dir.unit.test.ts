import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyDataDir, keepSecrets, openDataDir } from './data-dir.ts';
import { writeAtomically } from './write-atomically.ts';

function folder() {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-data-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

test('secrets are generated once, are readable by their owner only, and are generated again in an emptied folder', () => {
  const dir = join(folder(), 'data');
  openDataDir(dir);
  const secrets = keepSecrets(dir);
  expect(new Set(Object.values(secrets)).size).toBe(3);
  expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600);
  openDataDir(dir);
  expect(keepSecrets(dir)).toEqual(secrets);
  mkdirSync(join(dir, 'postgres/cluster'), { recursive: true });
  emptyDataDir(dir);
  expect(readdirSync(dir)).toEqual(['.tidegate']);
  expect(keepSecrets(dir)).not.toEqual(secrets);
});

test('a folder with other files is refused, so --fresh can never delete them', () => {
  const dir = folder();
  writeFileSync(join(dir, 'thesis.txt'), 'years of work');
  expect(() => openDataDir(dir)).toThrow('holds other files');
  expect(readdirSync(dir)).toEqual(['thesis.txt']);
});

test('a file is replaced atomically with mode 0600', () => {
  const dir = folder();
  const path = join(dir, 'x.json');
  writeFileSync(path, 'old', { mode: 0o644 });
  writeFileSync(`${path}.${process.pid}.tmp`, 'left by a killed process', { mode: 0o644 });
  writeAtomically(path, 'new');
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(['x.json']);
});

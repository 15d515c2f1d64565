import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { takeLock } from '../scripts/lock.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lock = (waitMs?: number) =>
  takeLock('test', { folder, pollMs: 1, waiting: 'Another test has it.', ...(waitMs !== undefined && { waitMs }) });

test('of several processes one holds the lock, and each other process gets it afterwards', async () => {
  const steps: string[] = [];
  const work = async (name: string): Promise<void> => {
    const unlock = await lock();
    steps.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    steps.push(`${name} ends`);
    unlock();
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  for (let i = 0; i < steps.length; i += 2) expect(steps[i + 1]).toBe(steps[i]?.replace('begins', 'ends'));
  expect([steps.length, readdirSync(folder)]).toEqual([6, []]);
});

test('the lock of a process that has ended is taken over, and the lock of a running process is not', async () => {
  const unlock = await lock();
  const [name = ''] = readdirSync(folder);
  unlock();
  mkdirSync(join(folder, name));
  // The first process of the machine lives, and the greatest number is no process.
  writeFileSync(join(folder, name, 'pid'), '1');
  await expect(lock(5)).rejects.toThrow(`Another command has held ${join(folder, name)} for too long`);
  writeFileSync(join(folder, name, 'pid'), '4194305');
  (await lock(5))();
});

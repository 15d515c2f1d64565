import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { identify, isAlive } from './process-identity.ts';
import { makeRunFolder } from './run-folder.ts';
import { writeAtomically } from './write-atomically.ts';

test('the next test run removes the folder of a killed run, and keeps the folder of a running one', async () => {
  const [living, killed] = [await makeRunFolder(), await makeRunFolder()];
  onTestFinished(() => living.remove());
  const server = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const identity = server.pid === undefined ? undefined : identify(server.pid);
  if (identity === undefined) throw new Error('sleep was not started');
  killed.record.add('server', identity);
  const owner = JSON.parse(readFileSync(join(killed.dir, 'owner.json'), 'utf8'));
  writeAtomically(join(killed.dir, 'owner.json'), JSON.stringify({ ...owner, startTicks: owner.startTicks - 1 }));

  const next = await makeRunFolder();
  onTestFinished(() => next.remove());
  expect(isAlive(identity)).toBe(false);
  expect([existsSync(killed.dir), existsSync(living.dir)]).toEqual([false, true]);
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { nodeService } from './node-service.ts';
import { findFreePort } from './ports.ts';
import { isAlive, type ProcessIdentity } from './process-identity.ts';
import { endLeftovers } from './process-record.ts';
import { type Service, supervise } from './supervise.ts';
import { writeAtomically } from './write-atomically.ts';

const script = fileURLToPath(new URL('../test/fake-sandbox/process.ts', import.meta.url));

function stage() {
  const dir = mkdtempSync(join(tmpdir(), 'sandbox-supervise-'));
  const recordFile = join(dir, 'pids.json');
  const messages: string[] = [];
  const supervisor = supervise({ recordFile, say: (line) => messages.push(line), maxDeathsPerMinute: 2, backOffMs: 1 });
  onTestFinished(async () => {
    await supervisor.stopAll();
    rmSync(dir, { recursive: true });
  });
  const service = async (name: string, run = script): Promise<Service & { url: string }> => {
    const port = await findFreePort();
    const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1' };
    const options = { name, script: run, env, logFile: join(dir, `${name}.log`), port, readyPath: '/' };
    return { ...nodeService(options), url: `http://127.0.0.1:${port}` };
  };
  const recorded = (): (ProcessIdentity & { name: string })[] => JSON.parse(readFileSync(recordFile, 'utf8')).processes;
  return { messages, supervisor, service, recorded, recordFile };
}

test('a process that dies is reported and restarted, until it dies too often', async () => {
  const { messages, supervisor, service, recorded } = stage();
  const mortal = await service('mortal');
  await supervisor.startGroup([mortal]);
  for (const round of [1, 2]) {
    await fetch(`${mortal.url}/die`).catch(() => {});
    await expect.poll(() => messages.filter((line) => line === 'mortal is back').length).toBe(round);
  }
  expect(messages[0]).toMatch(/^mortal ended \(exit code 3\).*\na fake process listens$/s);
  expect(recorded().map(({ name }) => name)).toEqual(['mortal']);
  await fetch(`${mortal.url}/die`).catch(() => {});
  expect(await supervisor.givenUp).toBe('mortal died 3 times within a minute');
  expect(recorded()).toEqual([]);
});

test('stopping ends all processes, the last group first, and restarts none', async () => {
  const { messages, supervisor, service, recorded } = stage();
  const order: string[] = [];
  const watched = (inner: Service): Service => ({
    name: inner.name,
    start: async (onSpawn) => {
      const running = await inner.start(onSpawn);
      void running.ended.then(() => order.push(inner.name));
      return running;
    },
  });
  await supervisor.startGroup([watched(await service('first'))]);
  await supervisor.startGroup([watched(await service('second')), watched(await service('third'))]);
  const processes = recorded();
  expect(processes.every(isAlive)).toBe(true);
  await supervisor.stopAll();
  expect(processes.some(isAlive)).toBe(false);
  expect(order.at(-1)).toBe('first');
  expect(order).toHaveLength(3);
  expect([recorded(), messages]).toEqual([[], []]);
});

test('a process that does not start is reported with the end of its log', async () => {
  const { supervisor, service } = stage();
  const missing = await service('missing', '/nowhere/main.ts');
  await expect(supervisor.startGroup([missing])).rejects.toThrow(
    /missing is ready: ended \(exit code 1\).*Cannot find module/s,
  );
});

test('a group that is still starting can be stopped', async () => {
  const { supervisor, service, recorded } = stage();
  const never = await service('never', fileURLToPath(new URL('../test/fake-sandbox/deaf.ts', import.meta.url)));
  const starting = supervisor.startGroup([never]);
  const failed = expect(starting).rejects.toThrow('SIGKILL');
  await expect.poll(() => recorded().length).toBe(1);
  await supervisor.stopAll();
  await failed;
});

test('the next supervisor ends processes that a killed supervisor left behind, and no others', async () => {
  const { supervisor, service, recorded, recordFile } = stage();
  await supervisor.startGroup([await service('left')]);
  const [left] = recorded();
  if (left === undefined) throw new Error('nothing was recorded');
  const record = JSON.parse(readFileSync(recordFile, 'utf8'));
  // The same pid with another start time, or from another boot, is another process.
  for (const foreignRecord of [
    { ...record, processes: [{ ...left, startTicks: left.startTicks - 1 }] },
    { ...record, bootId: 'another' },
  ]) {
    writeAtomically(recordFile, JSON.stringify(foreignRecord));
    expect(await endLeftovers(recordFile)).toEqual([]);
    expect(isAlive(left)).toBe(true);
  }
  writeAtomically(recordFile, JSON.stringify(record));
  expect(await endLeftovers(recordFile)).toEqual(['left']);
  expect(isAlive(left)).toBe(false);
});

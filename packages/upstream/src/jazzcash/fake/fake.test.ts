import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJazzCashFixture, within } from '../testing/open-jazzcash.ts';
import { jazzcashFake } from './index.ts';

test('the fake shares no code with the adapter', async () => {
  const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
  const texts = await Promise.all(files.map((name) => readFile(join(import.meta.dirname, name), 'utf8')));
  const imported = texts.flatMap((text) => [...text.matchAll(/ from '([^']+)'/g)].map(([, from]) => from));
  expect(imported.length).toBeGreaterThan(5);
  expect(imported.filter((from) => !/^(?:node:|\.\/|\.\.\/\.\.\/fake-provider\/)/.test(from ?? ''))).toEqual([]);
});

test('the transactions of the fake survive a restart, and a payer who was confirming continues', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-jazzcash-'));
  const { credentials, account } = jazzcashFake.makeAccount();
  const stateFile = join(folder, 'jazzcash.jsonl');
  const first = await openJazzCashFixture({ stateFile, account });
  const channel = first.channelAt(first.url, { credentials });
  const [paid, waiting] = [first.order(), first.order({ amount: '500.15' })];
  await channel.create(paid, within());
  await channel.create(waiting, within());
  await first.close();
  const second = await openJazzCashFixture({ stateFile, account });
  const again = second.channelAt(second.url, { credentials });
  expect(await again.query(paid, within())).toMatchObject({ outcome: 'paid' });
  await expect.poll(async () => (await again.query(waiting, within())).outcome, { timeout: 5_000 }).toBe('paid');
  await second.close();
  await rm(folder, { recursive: true });
});

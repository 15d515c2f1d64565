import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fateOf, openStore } from './index.ts';

test('stored values exist after a restart, and an incomplete last line is dropped', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-fake-'));
  const file = join(folder, 'state', 'orders.jsonl');
  const store = openStore<{ n: number }>(file);
  store.put('a', { n: 1 });
  store.put('b', { n: 2 });
  store.put('a', { n: 3 });
  store.close();
  appendFileSync(file, '["c",{"n"');
  const again = openStore<{ n: number }>(file);
  expect([again.get('a'), again.get('c'), again.all()]).toEqual([{ n: 3 }, undefined, [{ n: 3 }, { n: 2 }]]);
  again.put('d', { n: 4 });
  again.close();
  expect(openStore<{ n: number }>(file).get('d')).toEqual({ n: 4 });
  rmSync(folder, { recursive: true });
});

test.each([
  ['100.00', 'paid'],
  ['100.01', 'open'],
  ['1.09', 'open'],
  ['100.10', 'paid'],
  ['5.11', 'refused'],
  ['5.12', 'fails'],
  ['5.13', 'expires'],
  ['5.14', 'other_amount'],
  ['5.15', 'paid_late'],
  ['5.16', 'returned'],
  ['5.21', 'fails'],
  ['5.23', 'open'],
  ['5.42', 'paid_late'],
  ['5.51', 'other_amount'],
])('an order with the amount %s has the scenario %s', (amount, fate) => {
  expect(fateOf(amount)).toBe(fate);
});

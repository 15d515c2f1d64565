import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sharedPools } from './pools.ts';

test('the page of fair shares lists every shared pool, and says what is shared', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../../docs/running/fair-shares.md', import.meta.url)), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| ([^|]+) \|/gm)].map(([, name, what]) => [name, what]);
  expect(rows).toEqual(Object.entries(sharedPools));
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawCapacity } from './draw-capacity.ts';
import { payins, payouts } from './measured.ts';
import { pagePath, picturePath, rowsOfPage } from './page.ts';

const howToMend = 'run npx --yes pnpm --filter @tidegate/bench run capacity';

test('the picture of the capacity page is drawn from the measured costs', () => {
  expect(readFileSync(picturePath, 'utf8'), howToMend).toBe(drawCapacity(payins, payouts));
});

test('the tables of the capacity page follow from the measured costs', () => {
  const lines = readFileSync(pagePath, 'utf8').split('\n');
  for (const row of rowsOfPage(payins, payouts)) expect(lines, howToMend).toContain(row);
});

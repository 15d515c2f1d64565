import { writeFileSync } from 'node:fs';
import { drawCapacity } from './draw-capacity.ts';
import { payins, payouts } from './measured.ts';
import { picturePath, rowsOfPage } from './page.ts';

// npx --yes pnpm --filter @tidegate/bench run capacity: draws the picture of docs/running/capacity.md from measured.ts, and
// prints the rows of its tables.

writeFileSync(picturePath, drawCapacity(payins, payouts));
console.log(rowsOfPage(payins, payouts).join('\n'));

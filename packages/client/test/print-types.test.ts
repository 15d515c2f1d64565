import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { printTypes, typesFile } from '../print-types.ts';

test('interface.generated.ts is made from the current openapi.json (`npx pnpm --filter @tidegate/client run types` writes it again)', async () => {
  expect(readFileSync(typesFile, 'utf8')).toBe(await printTypes());
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { printTypes, typesFile } from '../print-types.ts';

test('interface.generated.ts is made from openapi.json as it is (`npx pnpm --filter @tidegate/client run types` writes it anew)', async () => {
  expect(readFileSync(typesFile, 'utf8')).toBe(await printTypes());
});

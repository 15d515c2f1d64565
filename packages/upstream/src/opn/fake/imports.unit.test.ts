import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

test('the fake shares no code with the adapter, so that both cannot be wrong alike', () => {
  expect(files.length).toBeGreaterThan(5);
  const outside = files.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/from '(\.\.[^']*)'/g)].map(([, path]) => path),
  );
  expect(new Set(outside)).toEqual(new Set(['../../fake-provider/index.ts', '../../sandbox-server/promptpay.ts']));
});

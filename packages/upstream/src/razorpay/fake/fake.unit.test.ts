import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('.', import.meta.url);

test('the fake shares no code with the adapter, so that both cannot be wrong alike', () => {
  const files = readdirSync(folder).filter((name) => !name.endsWith('.test.ts'));
  expect(files).toContain('index.ts');
  for (const file of files) {
    const source = readFileSync(new URL(file, folder), 'utf8');
    const imported = [...source.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => path);
    const outside = imported.filter((path) => !path?.startsWith('./') && !path?.startsWith('../../fake-provider/'));
    expect([file, outside]).toEqual([file, []]);
  }
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { processes } from '../every-process.ts';
import { variableFacts } from '../variable.ts';
import { renderPage } from './render-page.ts';

test('docs/running/configuration.md equals the schemas', () => {
  const page = readFileSync(new URL('../../../../docs/running/configuration.md', import.meta.url), 'utf8');
  expect(page, 'print it: npm run page in packages/settings').toBe(renderPage());
});

test('every variable is described', () => {
  const all = processes.flatMap(({ schema }) => Object.entries(schema.shape));
  expect(all.length).toBeGreaterThan(40);
  const silent = all.filter(([, form]) => !variableFacts.get(form)?.description.match(/\w.*\./));
  expect(silent.map(([name]) => name)).toEqual([]);
});

test('a variable with a password or a token is a secret', () => {
  const all = processes.flatMap(({ schema }) => Object.entries(schema.shape));
  const open = all.filter(
    ([name, form]) => /SECRET|TOKEN|DATABASE|REDIS/.test(name) && !variableFacts.get(form)?.secret,
  );
  expect(open.map(([name]) => name)).toEqual([]);
});

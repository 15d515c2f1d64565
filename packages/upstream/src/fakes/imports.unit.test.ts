import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { fakes } from './index.ts';

// A fake and its adapter share no code, so that both cannot be wrong alike.

const source = join(import.meta.dirname, '..');

interface Import {
  from: string;
  to: string;
}

/** The imports of files of this package by the source files below a folder, without their tests. */
function importsBelow(folder: string): Import[] {
  const files = readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file))
    .flatMap((file) => {
      const from = join(folder, file);
      const text = readFileSync(join(source, from), 'utf8');
      return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => ({
        from,
        to: relative(source, join(source, dirname(from), path)),
      }));
    });
}

test.each(fakes.map(({ provider }) => provider))('the fake of %s imports nothing from its adapter', (provider) => {
  const own = `${provider}/fake/`;
  const imports = importsBelow(`${provider}/fake`);
  expect(imports.length).toBeGreaterThan(2);
  const isForeign = ({ to }: Import) => to.startsWith(`${provider}/`) && !to.startsWith(own);
  expect(imports.filter(isForeign)).toEqual([]);
});

test.each(fakes.map(({ provider }) => provider))('the adapter %s imports nothing from a fake', (provider) => {
  const imports = importsBelow(provider).filter(({ from }) => !from.includes('/fake/'));
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter(({ to }) => to.includes('/fake/') || to.startsWith('fake-provider/'))).toEqual([]);
});

import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { hostileTexts, inputWith, processorMs, textFields } from '../../domain/src/testing/hostile-texts.ts';

// What providers send: callbacks and answers, which adapters read by the schemas of their wire.ts.

const mostMs = 20;
const here = fileURLToPath(new URL('.', import.meta.url));
const files = globSync('*/wire.ts', { cwd: here }).toSorted();

test('there is a wire of each provider', () => {
  expect(files.length).toBeGreaterThanOrEqual(5);
});

test.each(files)('%s: no hostile text in any field costs 20 ms of processor time', async (file) => {
  const exported: Record<string, unknown> = await import(`${here}${file}`);
  const schemas = Object.entries(exported).filter((one): one is [string, z.ZodType] => one[1] instanceof z.ZodType);
  expect(schemas.length).toBeGreaterThan(0);
  const slow: string[] = [];
  for (const [name, schema] of schemas)
    for (const path of textFields(schema))
      for (const [shape, text] of hostileTexts(63 * 1024)) {
        const value = inputWith(schema, path, text);
        const ms = processorMs(() => schema.safeParse(value), mostMs);
        if (ms > mostMs) slow.push(`${name}: ${path.join('.')} with ${shape} takes ${ms.toFixed(0)} ms`);
      }
  expect(slow).toEqual([]);
});

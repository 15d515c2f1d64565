import { expect, test } from 'vitest';
import * as z from 'zod';

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, 'must be given'],
  [z.string(), 1, 'must be a text'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.enum(['CN', 'TH']), 'XX', 'must be one of: CN, TH'],
  [z.string().min(3), 'a', 'must have at least 3 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entries'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.strictObject({}), { a: 1 }, 'must not have a'],
  [z.string().regex(/^a$/), 'b', 'is not of the expected form'],
  [z.string().regex(/^a$/, 'must be an a'), 'b', 'must be an a'],
])('%#: a refused value is explained in our words', (schema, value, words) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(words);
});

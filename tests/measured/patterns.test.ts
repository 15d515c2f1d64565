import { expect, test } from 'vitest';
import { problemOf } from '../patterns/check-pattern.ts';
import { readPatterns } from '../patterns/read-patterns.ts';

test('every pattern of the source is checked again, whatever the record says', { timeout: 600_000 }, () => {
  const problems = readPatterns().patterns.flatMap((pattern) => {
    const problem = problemOf(pattern);
    return problem === null ? [] : [`${pattern.places.join(', ')}: ${pattern.text} ${problem}`];
  });
  expect(problems).toEqual([]);
});

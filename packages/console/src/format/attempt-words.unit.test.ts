import { expect, test } from 'vitest';
import { attemptProblem } from './attempt-words.ts';

test.each([
  [{ httpStatus: 500, error: 'status' }, 'answered HTTP 500'],
  [{ httpStatus: 200, error: 'not_ok' }, 'answered HTTP 200, but not with the text "OK"'],
  [{ httpStatus: null, error: 'timeout' }, 'did not answer in time'],
  [{ httpStatus: null, error: 'of a later version' }, 'did not answer (of a later version)'],
  [{ httpStatus: 404, error: 'of a later version' }, 'answered HTTP 404 (of a later version)'],
  [{ httpStatus: 200, error: null }, 'answered HTTP 200'],
  [{ httpStatus: null, error: null }, 'has not answered yet'],
])('an attempt is described in words: %j', (attempt, words) => {
  expect(attemptProblem(attempt)).toBe(words);
});

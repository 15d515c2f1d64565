import { expect, test } from 'vitest';
import { decideFetch, waitAfter } from './decide-fetch.ts';

const minutes = (outcome: Parameters<typeof waitAfter>[0], attempts: number) => waitAfter(outcome, attempts) / 60_000;

test.each([
  ['not_ready', [15, 30, 60, 60]],
  ['unknown', [1, 2, 4, 8]],
  ['refused', [30, 60, 120, 240]],
] as const)('after %s the wait before the next fetch doubles up to a limit', (outcome, expected) => {
  expect([1, 2, 3, 4].map((attempts) => minutes(outcome, attempts))).toEqual(expected);
  expect([minutes(outcome, 24) <= 360, minutes(outcome, 25), minutes(outcome, 9_999)]).toEqual([true, 360, 360]);
});

const imported = { state: 'imported', fileNo: 7, refusal: null, isOfDay: true, isEmpty: false } as const;
test.each([
  ['its file is imported', {}, { type: 'fetched' }],
  ['its file is empty', { isEmpty: true }, { type: 'fetched' }],
  ['an empty file is that of an earlier day', { isOfDay: false, isEmpty: true }, { type: 'cover' }],
  [
    'the channel gives the file of another day',
    { isOfDay: false },
    { type: 'again', detail: 'the channel gave the content of another day: statement 7' },
  ],
  [
    'its file is refused',
    { state: 'refused', refusal: 'is damaged' },
    { type: 'again', detail: 'statement 7 was refused: is damaged' },
  ],
] as const)('the result of a fetch is decided: %s', (_, changes, expected) => {
  expect(decideFetch({ ...imported, ...changes })).toEqual(expected);
});

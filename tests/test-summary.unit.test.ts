import { expect, test } from 'vitest';
import { closingLine, overLimit, summaryOf, withShorterTimes } from '../scripts/test-summary.mjs';

const count = { passed: 3, failed: 0, skipped: 0 };
const report = (milliseconds: number, slowness = 1, tier = 'unit') => ({
  tier,
  code: 0,
  seconds: 12.34,
  slowness,
  count,
  files: [{ file: 'packages/domain/src/core/fee.unit.test.ts', milliseconds }],
  failures: [] as { file: string; name: string; message: string }[],
});

test.each([
  { title: 'its limit', milliseconds: 1_000, slowness: 1, over: 0 },
  { title: 'longer than its limit', milliseconds: 1_001, slowness: 1, over: 1 },
  { title: 'longer than its limit on a machine that is ten times slower', milliseconds: 1_001, slowness: 10, over: 0 },
  {
    title: 'twenty times its limit on a machine that is ten times slower',
    milliseconds: 20_000,
    slowness: 10,
    over: 1,
  },
])('the time limit of a unit test file that takes $title', ({ milliseconds, slowness, over }) => {
  expect(overLimit([report(milliseconds, slowness)])).toHaveLength(over);
});

test('a file that ran while the machine was slow may take longer than other files of its tier', () => {
  const samples: [number, number][][] = [
    [
      [1_000, 1.8],
      [5_000, 18],
      [9_000, 1.8],
    ],
    [],
  ];
  const during = (beganAt: number) => ({
    ...report(1, 2),
    samples,
    files: [{ file: 'a.unit.test.ts', milliseconds: 3_000, beganAt }],
  });
  expect(overLimit([during(4_000)])).toEqual([]);
  expect(overLimit([during(7_000)])).toHaveLength(1);
});

test('a file over its limit is named, with its tier, its limit and what to do', () => {
  const text = summaryOf([report(4_200)]);
  expect(text).toMatch(
    /OVER ITS LIMIT: packages\/domain\/src\/core\/fee.unit.test.ts took 4.2 s; a file of the tier unit may take 1 s/,
  );
  expect(text).toMatch(/Make it faster, split it, or move it/);
});

test('if a file ran twice, its shorter time counts, and a failure of the second run counts', () => {
  const slow = report(4_200);
  expect(overLimit(withShorterTimes([slow], report(900)))).toEqual([]);
  expect(overLimit(withShorterTimes([slow], report(5_000)))).toMatchObject([{ milliseconds: 4_200 }]);
  expect(overLimit(withShorterTimes([slow], report(900, 1, 'system')))).toHaveLength(1);
  const failed = { ...report(900), count: { passed: 2, failed: 1, skipped: 0 } };
  expect(closingLine(withShorterTimes([slow], failed))).toBe('\n3 passed, 1 failed');
});

test('the summary has the time of each tier and the slowest files, the slowest first', () => {
  const many = {
    ...report(1),
    files: Array.from({ length: 12 }, (_, i) => ({ file: `file-${i}`, milliseconds: i * 10 })),
  };
  const lines = summaryOf([many, report(5, 1, 'system')]).split('\n');
  expect(lines.filter((line) => /^ {2}(unit|system) +12.3 s/.test(line))).toHaveLength(2);
  const files = lines.filter((line) => line.includes('file-')).map((line) => line.replace(/.* /, ''));
  expect(files).toEqual(Array.from({ length: 10 }, (_, i) => `file-${11 - i}`));
});

test('the summary ends with each failed test and what was thrown, at most 30 of them', () => {
  const failure = (i: number) => ({ file: 'a.test.ts', name: `order ${i}`, message: 'Error: no\nat a.test.ts:4' });
  const failed = { ...report(1), failures: Array.from({ length: 31 }, (_, i) => failure(i)) };
  const lines = summaryOf([report(1), failed]).split('\n');
  const first = lines.indexOf('FAILED (unit): a.test.ts > order 0');
  expect(lines.slice(first, first + 3).slice(1)).toEqual(['  Error: no', '  at a.test.ts:4']);
  expect(lines.filter((line) => line.startsWith('FAILED'))).toHaveLength(30);
  expect(lines.at(-1)).toBe('and 1 more failures');
  const twice = withShorterTimes([failed], failed);
  expect(summaryOf(twice).split('\n').at(-1)).toBe('and 32 more failures');
});

test('the closing line sums the tiers, and names skipped tests only if there are some', () => {
  expect(closingLine([report(1), report(1)])).toBe('\n6 passed, 0 failed');
  const failed = { ...report(1), count: { passed: 1, failed: 2, skipped: 4 } };
  expect(closingLine([report(1), failed])).toBe('\n4 passed, 2 failed, 4 skipped');
});

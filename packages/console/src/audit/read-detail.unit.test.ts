import { expect, test } from 'vitest';
import { readDetail } from './read-detail.ts';

test('a change shows each field before and after, also a field that only one side has', () => {
  const text = JSON.stringify({
    before: { percent: '2.0', old: 'x' },
    after: { percent: '2.2', from: 'now' },
    approvalId: 'AP1',
  });
  expect(readDetail(text)).toEqual({
    changes: [
      { field: 'percent', before: '2.0', after: '2.2' },
      { field: 'old', before: 'x', after: null },
      { field: 'from', before: null, after: 'now' },
    ],
    others: [['approvalId', 'AP1']],
  });
});

test('nested fields are named by their path, lists are joined, and a figure keeps its digits', () => {
  const text = '{"ref":{"orderNo":"PI1"},"alsoCaseNos":[2,3],"rows":[{"a":1}],"amount":"1.50","none":null}';
  expect(readDetail(text).others).toEqual([
    ['ref.orderNo', 'PI1'],
    ['alsoCaseNos', '2, 3'],
    ['rows', '[{"a":1}]'],
    ['amount', '1.50'],
  ]);
});

test('a text that is not an object stays unchanged', () => {
  for (const text of ['plain words', '[1]', '{"a":'])
    expect(readDetail(text)).toEqual({ changes: [], others: [['details', text]] });
});

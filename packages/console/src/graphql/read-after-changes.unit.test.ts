import { makeOperation, type Operation, type OperationResult } from '@urql/core';
import { expect, test } from 'vitest';
import { readAfterChanges } from './read-after-changes.ts';

const query = (key: number): Operation =>
  makeOperation(
    'query',
    { key, query: {}, variables: {} } as never,
    {
      url: '',
      requestPolicy: 'cache-and-network',
    } as never,
  );
const answered = (operation: Operation) => ({ operation, stale: false }) as OperationResult;

test('what was read before a change is not shown from the cache, but read again', () => {
  let changes = 0;
  const { onOperation, onResult } = readAfterChanges(() => changes);
  const policy = (key: number) => onOperation(query(key)).context.requestPolicy;
  expect(policy(1)).toBe('cache-and-network');
  onResult(answered(query(1)));
  expect(policy(1)).toBe('cache-and-network');
  changes = 1;
  expect([policy(1), policy(2)]).toEqual(['network-only', 'cache-and-network']);
  onResult(answered(query(1)));
  expect(policy(1)).toBe('cache-and-network');
});

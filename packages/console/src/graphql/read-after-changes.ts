import { makeOperation, type Operation, type OperationResult } from '@urql/core';

/**
 * Never shows what was read before a change. The document cache knows only the types in a mutation's answer, and an
 * approval changes objects that its answer does not have. `changes`: how many changes are known.
 */
export function readAfterChanges(changes: () => number): {
  onOperation(operation: Operation): Operation;
  onResult(result: OperationResult): void;
} {
  /** How many changes were known when each query was sent. */
  const sentAt = new Map<number, number>();
  const readAt = new Map<number, number>();
  return {
    onOperation: (operation) => {
      if (operation.kind === 'teardown') sentAt.delete(operation.key);
      if (operation.kind !== 'query') return operation;
      sentAt.set(operation.key, changes());
      const known = readAt.get(operation.key);
      if (known === undefined || known === changes()) return operation;
      return makeOperation('query', operation, { ...operation.context, requestPolicy: 'network-only' });
    },
    onResult: ({ operation, stale }) => {
      const sent = sentAt.get(operation.key);
      if (operation.kind === 'query' && sent !== undefined && !stale) readAt.set(operation.key, sent);
    },
  };
}

import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import { mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { ApiContext } from '../context.ts';

/**
 * Executes each event of a subscription in a context of its own: what loaders keep for one answer would otherwise be kept, and told
 * again, for as long as the stream lives, and so would the rights of its first moment.
 */
export function executeAfresh(): Plugin<ApiContext> {
  return {
    onSubscribe: ({ setSubscribeFn }) => setSubscribeFn((args: ExecutionArgs) => subscribe(args)),
  };
}

async function subscribe(args: ExecutionArgs): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
  const events = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in events)) return events;
  const context = args.contextValue as ApiContext;
  return mapAsyncIterator(events, async (rootValue) => {
    const operator = await context.operatorNow();
    return execute({ ...args, rootValue, contextValue: { ...context, operator } });
  });
}

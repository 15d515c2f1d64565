import { createSourceEventStream, type ExecutionArgs, type ExecutionResult, execute, type GraphQLError } from 'graphql';
import { mapAsyncIterator, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import { refusal, tooManyWait } from '../errors/errors.ts';
import type { ApiContext } from '../graphql/context.ts';

/**
 * Executes each event of a subscription in its own context. With one context for the whole stream, loaders would return
 * old values, and the first permissions would stay in force.
 */
export function executeWithFreshContext(): Plugin<ApiContext> {
  return {
    onSubscribe: ({ setSubscribeFn, args, setResultAndStopExecution }) => {
      const acceptsEvents = args.contextValue.request.headers.get('accept') === 'text/event-stream';
      if (acceptsEvents) setSubscribeFn((args: ExecutionArgs) => subscribe(args));
      else setResultAndStopExecution({ errors: [onlyAsEvents()] });
    },
  };
}

/** Refuses a subscription whose client does not accept events, because the stream would have no reader. */
function onlyAsEvents(): GraphQLError {
  return refusal('BAD_REQUEST', 'subscriptions are sent as server-sent events: send Accept: text/event-stream');
}

async function subscribe(args: ExecutionArgs): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
  const events = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in events)) return events;
  const context = args.contextValue as ApiContext & YogaInitialContext;
  endWith(context.request.signal, events);
  return mapAsyncIterator(events, async (rootValue) => {
    // In the slots of requests: many streams that one change wakes execute no more at once than as many requests.
    const result = await context.inTurn(async () => {
      const operator = await context.operatorNow();
      return execute({ ...args, rootValue, contextValue: { ...context, operator } });
    });
    if (result === null) throw refusal('TOO_MANY_REQUESTS', tooManyWait);
    return result;
  });
}

/** If the client leaves before its stream begins, the stream has no reader, so it is ended here. */
function endWith(signal: AbortSignal, events: AsyncIterable<unknown>): void {
  const end = (): void => void events[Symbol.asyncIterator]().return?.();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
}

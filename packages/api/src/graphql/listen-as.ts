import type { OperatorContext } from '@tidegate/domain/operators';
import { refusal } from '../errors/errors.ts';
import type { EventOf, Topic } from '../live/live-event.ts';
import { type ApiContext, operatorOf } from './context.ts';

/**
 * Opens a stream for the caller. `toMessages` receives the operator with current permissions. Throws a refusal if
 * changes cannot be received here now.
 */
export function listenAs<T extends Topic, Message>(
  context: ApiContext,
  topic: T,
  toMessages: (events: EventOf<T>[], operator: OperatorContext) => Promise<Message[]>,
): AsyncIterableIterator<Message> {
  const { live, operatorNow } = context;
  if (topic !== 'queues' && !live.isListening())
    throw refusal(
      'SERVICE_UNAVAILABLE',
      'changes cannot be received here now, because Redis is unavailable: try again',
    );
  return live.feed.listen<T, Message>({
    topic,
    operatorId: operatorOf(context).operatorId,
    maySubscribe: async () => (await operatorNow()) !== null,
    toMessages: async (events) => {
      const operator = await operatorNow();
      if (operator === null) throw refusal('UNAUTHENTICATED', 'your token is no longer valid');
      return toMessages(events, operator);
    },
  });
}

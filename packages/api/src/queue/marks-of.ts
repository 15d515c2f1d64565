import type { Marks } from '@tidegate/queue';
import type { ApiContext } from '../graphql/context.ts';

const read = new WeakMap<ApiContext, Promise<Marks | null>>();

/** What workers say about channels and hosts, read once for a request; null while Redis is unavailable. */
export function marksOf(context: ApiContext): Promise<Marks | null> {
  const known = read.get(context) ?? context.live.queues.marks();
  read.set(context, known);
  return known;
}

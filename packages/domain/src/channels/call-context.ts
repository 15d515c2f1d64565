import { AsyncLocalStorage } from 'node:async_hooks';
import type { Turn } from '../sharing/fair-rate.ts';
import { type Priority, platform } from '../sharing/priority.ts';

/** For whom a channel is called. */
export interface CallContext {
  /** The merchant, or `platform`. */
  owner: string;
  priority: Priority;
  /** A turn at an account, from before the call. The first call to this account uses it. */
  turn?: { account: string; turn: Turn } | null;
}

const contexts = new AsyncLocalStorage<CallContext>();

/** Runs a call to a channel on behalf of an owner. An adapter and its rate limiter read for whom. */
export function inCallContext<R>(context: CallContext, call: () => R): R {
  return contexts.run(context, call);
}

/** For whom the current call is made. */
export function callContext(): CallContext {
  return contexts.getStore() ?? { owner: platform, priority: 'poll' };
}

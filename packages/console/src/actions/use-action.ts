import { useRef, useState } from 'react';
import { useClient } from 'urql';
import type { Action, ActionValues } from './action.ts';
import { versionOf } from './follow-change.ts';
import { type Sent, sendMutation } from './send-mutation.ts';

export type Outcome = { state: 'asked' } | { state: 'running' } | Sent<unknown>;

/** Runs the mutation of an action, and keeps its result. */
export function useAction(action: Action): {
  outcome: Outcome;
  run(values: ActionValues, reason: string): Promise<void>;
  /** Drops the last answer: the action is now another one. */
  startAgain(): void;
} {
  const client = useClient();
  const [outcome, setOutcome] = useState<Outcome>({ state: 'asked' });
  // The same key for every try of one dialog. So a request takes effect once even if its answer was lost.
  const requestKey = useRef(crypto.randomUUID());
  const run = async (values: ActionValues, reason: string) => {
    setOutcome({ state: 'running' });
    const expectedVersion = versionOf(action, values);
    const variables = action.toVariables?.(values, reason) ?? {
      input: action.toInput(values, requestKey.current),
      reason,
      ...(expectedVersion !== undefined && { expectedVersion }),
    };
    setOutcome(await sendMutation(client, action.document, variables));
  };
  return { outcome, run, startAgain: () => setOutcome({ state: 'asked' }) };
}

import { useRef, useState } from 'react';
import { useClient } from 'urql';
import type { ApprovalPartsFragment } from '../generated/documents.generated.ts';
import { messageOf } from '../graphql/client.ts';
import type { Action, ActionValues } from './action.ts';

export type Outcome =
  | { state: 'asked' }
  | { state: 'running' }
  /** Refused, or it failed. `fields`: what is wrong, by the name of the field. */
  | { state: 'refused'; message: string; fields: Readonly<Record<string, string>> }
  | { state: 'waiting'; approval: ApprovalPartsFragment }
  | { state: 'done'; result: unknown };

interface Answer {
  __typename: string;
  message?: string;
  fields?: { path: string; reason: string }[];
  approval?: ApprovalPartsFragment | null;
}

const PROBLEMS = ['Conflict', 'InvalidInput', 'NotAllowed', 'NotFound'];

/** Runs an action's mutation and says what came of it. */
export function useAction(action: Action): {
  outcome: Outcome;
  run(values: ActionValues, reason: string): Promise<void>;
} {
  const client = useClient();
  const [outcome, setOutcome] = useState<Outcome>({ state: 'asked' });
  // The same for every try of one dialog: a request whose answer was lost has its effect once.
  const requestKey = useRef(crypto.randomUUID());
  const run = async (values: ActionValues, reason: string) => {
    setOutcome({ state: 'running' });
    const variables = { input: action.toInput(values, requestKey.current), reason };
    const { data, error } = await client.mutation(action.document, variables).toPromise();
    const answer = Object.values((data ?? {}) as Record<string, unknown>).find(
      (value): value is Answer => typeof value === 'object' && value !== null,
    );
    if (answer) return setOutcome(read(answer));
    const isUnknown = error?.networkError !== undefined;
    const message = error ? messageOf(error) : 'The service did not answer.';
    return setOutcome({
      state: 'refused',
      message: isUnknown ? `${message}\nIt may have been done all the same: look before you repeat it.` : message,
      fields: {},
    });
  };
  return { outcome, run };
}

function read(answer: Answer): Outcome {
  if (PROBLEMS.includes(answer.__typename)) {
    const fields = Object.fromEntries(
      (answer.fields ?? []).map(({ path, reason }) => [path.replace(/^input\./, '').split('.')[0] ?? path, reason]),
    );
    return { state: 'refused', message: answer.message ?? 'The service refused this.', fields };
  }
  if (answer.approval) return { state: 'waiting', approval: answer.approval };
  return { state: 'done', result: answer };
}

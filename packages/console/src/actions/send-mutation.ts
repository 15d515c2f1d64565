import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { AnyVariables, Client } from '@urql/core';
import { type FieldProblem, fieldSentence, fieldsOf, messageOf } from '../format/error-words.ts';
import type { ApprovalPartsFragment } from '../generated/documents.generated.ts';
import type { PayloadOf } from './action.ts';

/** The result of a mutation. */
export type Sent<Result> =
  /**
   * The mutation was refused, or failed. `fields`: the problem of each field or part of a field (`field.part`).
   * `changed`: the operator who made the first change.
   */
  | {
      state: 'refused';
      message: string;
      fields: Readonly<Record<string, string>>;
      changed: Changed | null;
      /** The object was changed since the page read it. */
      isOutdated: boolean;
    }
  | { state: 'waiting'; approval: ApprovalPartsFragment }
  | { state: 'done'; result: Result };

/** Who changed something before, and when. */
export interface Changed {
  readonly by: string;
  readonly at: string | null;
}

interface Answer {
  __typename: string;
  message?: string;
  reason?: string;
  fields?: readonly FieldProblem[];
  changedBy?: string | null;
  changedAt?: string | null;
  approval?: ApprovalPartsFragment | null;
}

const PROBLEMS = ['Conflict', 'InvalidInput', 'NotAllowed', 'NotFound'];

/** Sends a mutation and reads its answer. */
export async function sendMutation<Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Sent<PayloadOf<Data>>> {
  const { data, error } = await client.mutation(document, variables).toPromise();
  const answer = Object.values((data ?? {}) as Record<string, unknown>).find(
    (value): value is Answer => typeof value === 'object' && value !== null,
  );
  if (answer) return read(answer) as Sent<PayloadOf<Data>>;
  const isUnknown = error?.networkError !== undefined;
  const message = error ? messageOf(error) : 'The service did not answer.';
  return {
    state: 'refused',
    message: isUnknown ? `${message}\nIt may have been done: check before you repeat it.` : message,
    fields: problemsOf(fieldsOf(error)),
    changed: null,
    isOutdated: false,
  };
}

/** `input.countries.0` is about the field `countries`, `credentials.secretKey` about that part of it. */
function pathInForm(path: string): string {
  return path.replace(/^input\./, '').replace(/\.\d+(?=\.|$)/g, '');
}

/** The problem of each field or part of a field. It is shown beside the field, so it does not name it. */
function problemsOf(fields: readonly FieldProblem[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ path, reason }) => [pathInForm(path), reason]));
}

function messageOfProblem({ message = 'The service refused this.', fields = [] }: Answer): string {
  return fields.length === 0 ? message : fields.map(fieldSentence).join('\n');
}

function read(answer: Answer): Sent<unknown> {
  if (PROBLEMS.includes(answer.__typename)) {
    const fields = problemsOf(answer.fields ?? []);
    const changed = answer.changedBy ? { by: answer.changedBy, at: answer.changedAt ?? null } : null;
    const isOutdated = answer.reason === 'VERSION_OUTDATED';
    return { state: 'refused', message: messageOfProblem(answer), fields, changed, isOutdated };
  }
  if (answer.approval) return { state: 'waiting', approval: answer.approval };
  return { state: 'done', result: answer };
}

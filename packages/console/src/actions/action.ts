import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { ReactNode } from 'react';
import type { OperationName } from './operation.ts';

/** A field of an action's dialog. Its help text comes from the API's schema. */
export interface ActionField {
  /** Name of the field in the input of the mutation. */
  readonly name: string;
  readonly label: string;
  /** `time` is typed in the zone that the operator chose; `toInput` gets it as ISO text. */
  readonly kind?: 'text' | 'area' | 'choice' | 'time' | 'custom';
  readonly options?: readonly { value: string; label: string }[];
  readonly initial?: string;
  readonly placeholder?: string;
  /** Whether it is shown, by what was typed so far. A field that is not shown keeps its value. */
  readonly isShown?: (values: ActionValues) => boolean;
  /** Shows a field of kind `custom`. */
  readonly render?: (field: CustomField) => ReactNode;
}

/** The properties with which a field of kind `custom` is shown. */
export interface CustomField {
  readonly value: string;
  readonly problem: string | undefined;
  /** What is wrong with each part of the field, by the part's name. */
  readonly problems: Readonly<Record<string, string>>;
  /** The properties of every field. */
  readonly values: ActionValues;
  change(value: string): void;
}

export type ActionValues = Readonly<Record<string, string>>;

/** Something an operator can do: one mutation, and how it is shown. */
export interface Action {
  readonly operation: OperationName;
  // biome-ignore lint/suspicious/noExplicitAny: defineAction checks document, input and result against each other.
  readonly document: TypedDocumentNode<any, any>;
  /** The button that opens the dialog, and the one that runs the action. A verb: `Cancel order`. */
  readonly label: string;
  /** The button of the dialog, where it says the outcome: `Mark paid: 815.23 INR`. Default: the label. */
  readonly submit?: string | ((values: ActionValues) => string | undefined);
  readonly isDangerous?: boolean;
  /** The object of the action and the expected change: numbers, amounts, states. */
  readonly before: ReactNode | ((values: ActionValues) => ReactNode);
  /** Subject of the audit record, for example the order number. Undefined: it is known only afterwards. */
  readonly subject: string | undefined;
  readonly fields?: readonly ActionField[];
  /** The version of what is shown. If it has changed since, nothing is done. A function: the fields choose what is changed. */
  readonly expectedVersion?: string | undefined | ((values: ActionValues) => string | undefined);
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly toInput: (values: ActionValues, requestKey: string) => any;
  /** The variables, for mutations without an input. */
  // biome-ignore lint/suspicious/noExplicitAny: defineDecision checks them.
  readonly toVariables?: (values: ActionValues, reason: string) => any;
  /** The result of the action, in a sentence. `result` is the payload of the mutation. */
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly after: (result: any) => ReactNode;
  /** Why the action is not possible now, for example `The order is completed.` Null or undefined: it is possible. */
  readonly blocked?: string | null;
}

type ProblemName = 'Conflict' | 'InvalidInput' | 'NotAllowed' | 'NotFound';

/** The payload of a mutation's only field: its union without the problems. */
export type PayloadOf<Data> = Exclude<
  NonNullable<Data[Exclude<keyof Data, '__typename'>]>,
  { __typename: ProblemName }
>;

/** The version of what is shown has to be given where the mutation takes one. */
type Versioned<Variables> = 'expectedVersion' extends keyof Variables
  ? { readonly expectedVersion: Action['expectedVersion'] }
  : { readonly expectedVersion?: never };

type TypedAction<Data, Variables> = Omit<Action, 'document' | 'toInput' | 'after' | 'expectedVersion'> &
  Versioned<Variables> & {
    document: TypedDocumentNode<Data, Variables>;
    toInput(values: ActionValues, requestKey: string): Variables extends { input: infer Input } ? Input : never;
    after(result: PayloadOf<Data>): ReactNode;
  };

/** Describes an action, with input and result checked against its document. */
export function defineAction<Data, Variables>(action: TypedAction<Data, Variables>): Action {
  return action as unknown as Action;
}

interface TypedDecision<Data, Variables> extends Omit<Action, 'document' | 'toInput' | 'toVariables' | 'after'> {
  document: TypedDocumentNode<Data, Variables>;
  /** Adds the version of what is shown, if the mutation takes one. */
  toVariables(
    values: ActionValues,
    reason: string,
  ): Variables & ('expectedVersion' extends keyof Variables ? { expectedVersion: string } : unknown);
  after(result: PayloadOf<Data>): ReactNode;
}

/** The input for a mutation with a version but without other input, such as `approve`. */
export function defineDecision<Data, Variables>(decision: TypedDecision<Data, Variables>): Action {
  return { toInput: () => null, ...decision } as unknown as Action;
}

import type { Domain } from '@tidegate/domain';
import type { OperatorContext, Role } from '@tidegate/domain/operators';
import type { Answer } from './answer.ts';
import type { Field } from './fields.ts';

/** The headings of `--help`, in their order. */
export const groups = [
  'First set-up',
  'Merchants',
  'Channels',
  'Operators',
  'Wallets',
  'Orders',
  'Notifications',
  'Cases',
  'Tasks',
  'Approvals',
  'Checks',
] as const;

export interface AdminCommand {
  /** Verb and noun, as it is typed. */
  name: string;
  group: (typeof groups)[number];
  summary: string;
  /**
   * Changes want a reason; `prepare` is for a database that may have no tables yet, and nothing to record a reason in. `anonymous` wants no
   * operator, and `local` not even a database.
   */
  kind: 'read' | 'change' | 'approve' | 'prepare' | 'anonymous' | 'local';
  /** Requester and approver each need one of these roles. Null: any role will do, or the command itself decides. */
  roles: readonly Role[] | null;
  /** It shows operators with a restriction no more than they may see; other reads are not for them. */
  restricted?: true;
  fields: Record<string, Field<unknown>>;
  /** What it does for an operator. */
  run(context: Context, values: never): Promise<Answer>;
  /** What it does without one, while the database has no operator at all; absent: nothing. */
  runFirst?(context: FirstContext, values: never): Promise<Answer>;
  /** Of a `local` command: what it does on this machine alone. */
  runLocal?(values: never): Promise<Answer>;
  /** It needs no operator ever: it only prepares the database at this URL. */
  prepare?(databaseUrl: string, print: (line: string) => void, values: never): Promise<void>;
}

/** What a command works with before there is any operator. */
export interface FirstContext {
  domain: Domain;
  reason: string;
  /** The text of a file, or of standard input for `-`; throws InputProblem. */
  readInput(path: string): Promise<string>;
  /** A line on standard error, about something that takes long. */
  print(line: string): void;
}

export interface Context extends FirstContext {
  operator: OperatorContext;
  /** A second operator who agrees at once; null: none is here. */
  approver: OperatorContext | null;
}

export type Values<F> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

interface Definition<F extends Record<string, Field<unknown>>>
  extends Omit<AdminCommand, 'fields' | 'run' | 'runFirst' | 'runLocal' | 'prepare'> {
  fields: F;
  run(context: Context, values: Values<F>): Promise<Answer>;
  runFirst?(context: FirstContext, values: Values<F>): Promise<Answer>;
  runLocal?(values: Values<F>): Promise<Answer>;
  prepare?(databaseUrl: string, print: (line: string) => void, values: Values<F>): Promise<void>;
}

/** Defines a command: its `run` is given what its fields have read. */
export function defineCommand<const F extends Record<string, Field<unknown>>>(definition: Definition<F>): AdminCommand {
  return definition;
}

import type { Decision, Domain, OperatorIdentity, Role } from '@tidegate/domain';
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
  'Cases',
  'Tasks',
  'Checks',
] as const;

export interface AdminCommand {
  /** Verb and noun, as it is typed. */
  name: string;
  group: (typeof groups)[number];
  summary: string;
  /** Changes want a reason; `prepare` is for a database that may have no tables yet, and nothing to record a reason in. */
  kind: 'read' | 'change' | 'prepare';
  /** Whoever asks, and whoever approves, must have it; null: any role will do. */
  role: Role | null;
  fields: Record<string, Field<unknown>>;
  /** What it does for an operator. */
  run(context: Context, values: never): Promise<Answer>;
  /** What it does without one, while the database has no operator at all; absent: nothing. */
  runFirst?(context: FirstContext, values: never): Promise<Answer>;
  /** It needs no operator ever: it only prepares the database at this URL. */
  prepare?(databaseUrl: string): Promise<void>;
}

/** What a command works with before there is any operator. */
export interface FirstContext {
  domain: Domain;
  reason: string;
  /** The text of a file, or of standard input for `-`; throws InputProblem. */
  readInput(path: string): Promise<string>;
}

export interface Context extends FirstContext {
  operator: OperatorIdentity;
  /** Who decides, with whom, and why. */
  by: Decision;
  /** Of whoever asks. */
  token: string;
}

export type Values<F> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

interface Definition<F extends Record<string, Field<unknown>>>
  extends Omit<AdminCommand, 'fields' | 'run' | 'runFirst'> {
  fields: F;
  run(context: Context, values: Values<F>): Promise<Answer>;
  runFirst?(context: FirstContext, values: Values<F>): Promise<Answer>;
}

/** Defines a command: its `run` is given what its fields have read. */
export function defineCommand<const F extends Record<string, Field<unknown>>>(definition: Definition<F>): AdminCommand {
  return definition;
}

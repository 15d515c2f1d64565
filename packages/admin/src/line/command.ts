import type { Domain } from '@tidegate/domain';
import type { OperatorContext, Role } from '@tidegate/domain/operators';
import type { Answer } from './answer.ts';
import type { Field } from './fields.ts';
import type { Settings } from './settings.ts';

/** The headings of `--help`, in order. */
export const groups = [
  'First set-up',
  'Merchants',
  'Channels',
  'Operators',
  'Wallets',
  'Orders',
  'Notifications',
  'Cases',
  'Reconciliation',
  'Settlements',
  'Exports',
  'Tasks',
  'Approvals',
  'Checks',
] as const;

/** A database that a command prepares. */
export type PreparedDatabase = Pick<Settings, 'databaseUrl' | 'environment'>;

export interface AdminCommand {
  /** Verb and noun, as typed. */
  name: string;
  group: (typeof groups)[number];
  summary: string;
  /**
   * `change` needs a reason. `prepare` works on a database that may have no tables yet, so it records no reason.
   * `anonymous` needs no operator, and `local` no database.
   */
  kind: 'read' | 'change' | 'approve' | 'prepare' | 'anonymous' | 'local';
  /** Requester and approver each need one of these roles. Null: the command line checks no role. The domain may still check one. */
  roles: readonly Role[] | null;
  /** It shows restricted operators only what they may see. Other reads are for unrestricted operators. */
  respectsRestrictions?: true;
  fields: Record<string, Field<unknown>>;
  /** Executes it for an operator. */
  run(context: Context, values: never): Promise<Answer>;
  /** Executes it without an operator while the database has none. Absent: not possible. */
  runFirst?(context: FirstContext, values: never): Promise<Answer>;
  /** For `local` commands: executes it on this machine alone. */
  runLocal?(values: never): Promise<Answer>;
  /** Prepares a database, without an operator. */
  prepare?(database: PreparedDatabase, print: (line: string) => void, values: never): Promise<void>;
}

/** The context of a command before any operator exists. */
export interface FirstContext {
  domain: Domain;
  reason: string;
  /** The text of a file, or of standard input for `-`. Throws InputProblem. */
  readInput(path: string): Promise<string>;
  /** The bytes of a file. Throws InputProblem. */
  readBytes(path: string): Promise<Uint8Array>;
  /** Prints a line on standard error, about the progress of long work. */
  print(line: string): void;
}

export interface Context extends FirstContext {
  operator: OperatorContext;
  /** A second operator who approves at once; null: none. */
  approver: OperatorContext | null;
}

export type Values<F> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

interface Definition<F extends Record<string, Field<unknown>>>
  extends Omit<AdminCommand, 'fields' | 'run' | 'runFirst' | 'runLocal' | 'prepare'> {
  fields: F;
  run(context: Context, values: Values<F>): Promise<Answer>;
  runFirst?(context: FirstContext, values: Values<F>): Promise<Answer>;
  runLocal?(values: Values<F>): Promise<Answer>;
  prepare?(database: PreparedDatabase, print: (line: string) => void, values: Values<F>): Promise<void>;
}

/** Defines a command. Its `run` receives the values that its fields have read. */
export function defineCommand<const F extends Record<string, Field<unknown>>>(definition: Definition<F>): AdminCommand {
  return definition;
}

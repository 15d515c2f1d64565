import * as z from 'zod';

/** The documentation of a variable. docs/running/configuration.md is generated from it. */
export interface VariableFacts {
  /** One or two sentences: what it means and what it does. The unit is in the name, or here. */
  description: string;
  /**
   * If true, the value never appears in a message or a log, and can also be read from the file that `<NAME>_FILE`
   * names.
   */
  secret?: true;
  /** What happens without the variable, if the schema has no default. */
  preset?: string;
}

/**
 * Facts are attached by `schema.register(variableFacts, { … })`. A schema derived from a registered one loses them, so
 * it is registered again.
 */
export const variableFacts = z.registry<VariableFacts>();

/** The environment variables of a process, and the rules between them. */
export interface ProcessSettings<S extends z.ZodObject = z.ZodObject> {
  /** The process in messages, e.g. "the REST adapter". */
  title: string;
  schema: S;
  rules: readonly SettingsRule<z.output<S>>[];
}

/** A check that concerns several variables, or only production. */
export interface SettingsRule<Settings> {
  variable: string;
  /** Follows the variable's name in the message. Never contains a value. */
  reason: string;
  /** The rule applies only in production (decisions 9). */
  inProduction?: true;
  /** Must handle missing settings: it is called even if other variables are missing or wrong. */
  broken(settings: Partial<Settings>): boolean;
}

/** Returns its argument. It only makes the compiler check the rules against the schema. */
export function defineSettings<S extends z.ZodObject>(settings: ProcessSettings<S>): ProcessSettings<S> {
  return settings;
}

/** The names of the secrets in a schema. */
export function secretsOf(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape).flatMap(([name, form]) => (variableFacts.get(form)?.secret ? [name] : []));
}

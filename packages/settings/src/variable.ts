import * as z from 'zod';

/** The facts of a variable besides its schema. docs/running/configuration.md is generated from them. */
export interface VariableFacts {
  /** One or two sentences: its meaning and its effect. */
  description: string;
  /** The unit of a number, e.g. seconds. */
  unit?: string;
  /** Its value never appears in a message or a log. It can also be read from the file that `<NAME>_FILE` names. */
  secret?: true;
  /** The behaviour without it, in words, if the schema has no default. */
  preset?: string;
}

/**
 * Facts are registered with each schema: `schema.register(variableFacts, { … })`. A schema derived from another one is
 * registered again.
 */
export const variableFacts = z.registry<VariableFacts>();

/** The environment variables of a process, and the rules between them. */
export interface ProcessSettings<S extends z.ZodObject = z.ZodObject> {
  /** For messages: "the REST adapter". */
  title: string;
  schema: S;
  rules: readonly SettingsRule<z.output<S>>[];
}

/** A rule about several variables, or only for production. */
export interface SettingsRule<Settings> {
  variable: string;
  /** Continues after the variable's name. Never repeats a value. */
  reason: string;
  /** Decisions 9: production does not start with it. */
  inProduction?: true;
  /** Runs even if other variables are missing or wrong, so that all problems are reported at once. */
  broken(settings: Partial<Settings>): boolean;
}

/** Makes the type of the rules match the schema. */
export function defineSettings<S extends z.ZodObject>(settings: ProcessSettings<S>): ProcessSettings<S> {
  return settings;
}

/** The names of the secrets in a schema. */
export function secretsOf(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape).flatMap(([name, form]) => (variableFacts.get(form)?.secret ? [name] : []));
}

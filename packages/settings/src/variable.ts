import * as z from 'zod';

/** What people have to know of a variable besides its form; docs/running/configuration.md is made of it. */
export interface VariableFacts {
  /** One sentence or two: what it is, and what follows from it. */
  description: string;
  /** What a number counts, e.g. seconds. */
  unit?: string;
  /** Never part of a message or a log, and taken from a file too where `<NAME>_FILE` names one. */
  secret?: true;
  /** What holds without it, in words, where the form has no default of its own. */
  preset?: string;
}

/** The facts lie with each form: `form.register(variableFacts, { … })`. A form that was made of another one is registered anew. */
export const variableFacts = z.registry<VariableFacts>();

/** The environment variables of a process, and the rules between them. */
export interface ProcessSettings<S extends z.ZodObject = z.ZodObject> {
  /** For people: "the REST adapter". */
  title: string;
  schema: S;
  rules: readonly SettingsRule<z.output<S>>[];
}

/** What one variable's form cannot say: it is about several, or holds in production alone. */
export interface SettingsRule<Settings> {
  variable: string;
  /** Goes on after the variable's name, and never repeats a value. */
  reason: string;
  /** Decisions 9: what production refuses to start with. */
  inProduction?: true;
  /** Runs even if other variables are missing or wrong, so that all problems are reported at once. */
  broken(settings: Partial<Settings>): boolean;
}

/** Ties the rules' type to the schema's. */
export function defineSettings<S extends z.ZodObject>(settings: ProcessSettings<S>): ProcessSettings<S> {
  return settings;
}

/** The names of the secrets of a schema. */
export function secretsOf(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape).flatMap(([name, form]) => (variableFacts.get(form)?.secret ? [name] : []));
}

import type * as z from 'zod';
import { findUnknownNames } from './find-unknown-names.ts';
import { knownNames } from './known-names.ts';
import { readSecretFiles } from './secret-files.ts';
import { type ProcessSettings, secretsOf } from './variable.ts';

type Read<Settings> = { ok: true; settings: Settings } | { ok: false; problems: string[] };

/**
 * Reads the settings of a process. An empty variable counts as absent. A secret may be in a file that `<NAME>_FILE`
 * names. All problems are returned together, one line each, which begins with the variable's name and never contains a
 * value. Problems are: missing, wrong, unreadable, not allowed in production (decisions 9), or unknown with our prefix.
 */
export function readSettings<S extends z.ZodObject>(
  { schema, rules }: ProcessSettings<S>,
  env: NodeJS.ProcessEnv,
): Read<z.output<S>> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const { values, problems, unread } = readSecretFiles(secretsOf(schema), present);
  const settings: Record<string, unknown> = {};
  for (const [name, form] of Object.entries<z.ZodType>(schema.shape)) {
    if (unread.has(name)) continue;
    const parsed = form.safeParse(values[name]);
    if (parsed.success) settings[name] = parsed.data;
    else problems.push(...parsed.error.issues.map(({ message }) => `${name} ${message}`));
  }
  // Wrong and missing settings are absent here. Rules must allow for that.
  const read = settings as Partial<z.output<S>>;
  for (const { variable, reason, inProduction, broken } of rules)
    if ((!inProduction || settings.TIDEGATE_ENV === 'production') && !unread.has(variable) && broken(read))
      problems.push(`${variable} ${reason}`);
  problems.push(...findUnknownNames(Object.keys(present), knownNames()));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings: settings as z.output<S> };
}

/** Reads the settings at the start of a process. If there are problems, prints them and exits. */
export function settingsOrExit<S extends z.ZodObject>(process_: ProcessSettings<S>): z.output<S> {
  const read = readSettings(process_, process.env);
  if (read.ok) return read.settings;
  console.error(`The environment of ${process_.title} is invalid:\n${listed(read.problems)}`);
  console.error('docs/running/configuration.md says what each variable is.');
  process.exit(1);
}

const listed = (problems: readonly string[]) => problems.map((problem) => `  ${problem}`).join('\n');

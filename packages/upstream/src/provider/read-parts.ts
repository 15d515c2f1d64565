import { type ChannelSettings, type SettingProblem, UnusableSettings } from '@tidegate/domain/channels';
import type * as z from 'zod';
import type { UrlRule } from './read-base-url.ts';

/**
 * Reads the base URL of a channel by a rule, and its credentials by a schema. Throws `UnusableSettings` with what is
 * wrong with each of them. The messages of the schema must not contain what was entered.
 */
export function readParts<Schema extends z.ZodType>(
  { channelId, baseUrl, credentials }: ChannelSettings,
  schema: Schema,
  rule: UrlRule,
): { baseUrl: string; entered: z.output<Schema> } {
  const address = rule.read(baseUrl);
  const read = schema.safeParse(credentials);
  if (address !== null && read.success) return { baseUrl: address, entered: read.data };
  throw new UnusableSettings(channelId, [
    ...(address === null ? [{ path: 'baseUrl', reason: rule.expected }] : []),
    ...(read.success ? [] : problemsOf(read.error.issues, credentials)),
  ]);
}

/** The first problem of each credential. */
function problemsOf(issues: readonly z.core.$ZodIssue[], entered: Record<string, string>): SettingProblem[] {
  const reasons = new Map<string, string>();
  for (const { path, message, code } of issues) {
    const name = String(path[0] ?? '');
    const isMissing = entered[name] === undefined && code !== 'custom';
    if (!reasons.has(name)) reasons.set(name, isMissing ? 'is missing' : message);
  }
  return [...reasons].map(([name, reason]) => credentialProblem(name, reason));
}

/** What is wrong with a credential. */
export function credentialProblem(name: string, reason: string): SettingProblem {
  return { path: name === '' ? 'credentials' : `credentials.${name}`, reason };
}

import type { FieldProblem } from './errors.ts';

/** What is wrong with a value, for the person who typed it. By the message of `withoutValues`, which is for programmers. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^a Decimal is /, 'must be an amount such as 1250.00, with at most two decimals'],
  [/^a Percentage is /, 'must be a percentage such as 2.5, from 0 to 100'],
  [/^a DateTime is /, 'must be a time such as 2026-11-21T03:57:51Z'],
  [/^Secrets are /, 'must be texts'],
  [/^the value is none of /, 'must be one of the known values'],
  [/^the value is not of type Int$/, 'must be a whole number'],
  [/^the value is not of type (String|ID)$/, 'must be a text'],
  [/^the value is not of type Boolean$/, 'must be true or false'],
  [/^Expected non-nullable type /, 'must be given'],
  [/was not provided\.$/, 'must be given'],
  [/is not defined by type /, 'is not known'],
];

/**
 * The refused field of a message about a variable, in words for people. Null: the message is about something else. Lists
 * are written with dots: `input.countries.0`.
 */
export function variableProblem(message: string): FieldProblem | null {
  const [, variable, path, text = ''] = /^Variable "\$(\w+)"(?: at "([\w.[\]]+)")?: ([\s\S]*)$/.exec(message) ?? [];
  if (variable === undefined) return null;
  const missing = /^Field "(\w+)" (?:of required type|is not defined)/.exec(text)?.[1];
  const at = [path ?? variable, ...(missing === undefined ? [] : [missing])].join('.');
  const reason = words.find(([form]) => form.test(text))?.[1] ?? 'does not fit';
  return { path: at.replace(/\[(\d+)\]/g, '.$1'), reason };
}

import { scalarTexts } from './scalars.ts';

/**
 * Removes the values from a message of GraphQL itself. A value can be a secret, and answers are logged and shared.
 * Names of fields, types and paths stay. A message without values is not changed.
 */
export function withoutValues(message: string): string {
  const [, variable, rest = ''] = /^Variable "\$(\w+)" got invalid value ([\s\S]*)$/.exec(message) ?? [];
  if (variable === undefined) return knownReason(message) ?? message;
  // The value comes first and may contain anything, so the reason is searched from the end.
  for (let end = rest.lastIndexOf('; '); end >= 0; end = rest.lastIndexOf('; ', end - 1)) {
    const reason = rest.slice(end + 2);
    const text = scalarTexts.includes(reason) || isHarmless(reason) ? reason : knownReason(reason);
    if (text === null) continue;
    const [, path] = / at "([\w.[\]]+)"$/.exec(rest.slice(0, end)) ?? [];
    return path === undefined ? `Variable "$${variable}": ${text}` : `Variable "$${variable}" at "${path}": ${text}`;
  }
  return `Variable "$${variable}": the value does not fit`;
}

/** Messages with names and types only. */
const harmless = [
  /^Expected (?:non-nullable )?type "[\w![\]]+" (?:to be an object|not to be null)\.$/,
  /^Field "(\w+)" of required type "[\w![\]]+" was not provided\.$/,
  /^Field "(\w+)" is not defined by type "\w+"\.$/,
];

/** A field that is not in the schema has the name that the client gave: a long one may be a value. */
function isHarmless(reason: string): boolean {
  return harmless.some((form) => {
    const found = form.exec(reason);
    return found !== null && (found[1] ?? '').length <= 64;
  });
}

/** GraphQL's messages with a value at the end or in the middle, and their replacements. */
const reasons: [RegExp, (...found: string[]) => string][] = [
  [/^(String|Int|Float|Boolean|ID) cannot represent /, (type) => `the value is not of type ${type}`],
  [/^Value "[\s\S]*" does not exist in "(\w+)" enum/, (type) => `the value is none of ${type}`],
  [/^Enum "(\w+)" cannot represent /, (type) => `the value is none of ${type}, which are written without quotes`],
  [/^Expected value of type "([^"]+)", found /, (type) => `the value is not of type ${type}`],
  [/^Invalid global ID: /, () => 'this is no global id'],
  [
    /^(Syntax Error: (?:Expected [^ ]+, found |Unexpected )(?:Name|String|BlockString|Int|Float)) "/,
    (text) => `${text}.`,
  ],
];

function knownReason(message: string): string | null {
  for (const [form, say] of reasons) {
    const found = form.exec(message);
    if (found) return say(...found.slice(1));
  }
  return null;
}

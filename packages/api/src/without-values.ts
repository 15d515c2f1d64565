import { scalarTexts } from './scalars.ts';

/**
 * A message of GraphQL's own without the values that it repeats: a value can be a secret, and answers are logged and shown around. Names of fields,
 * types and paths stay. A message that repeats nothing stays as it is.
 */
export function withoutValues(message: string): string {
  const [, variable, rest = ''] = /^Variable "\$(\w+)" got invalid value ([\s\S]*)$/.exec(message) ?? [];
  if (variable === undefined) return knownReason(message) ?? message;
  // The value comes first, and may hold anything: what was wrong with it is looked for from the end.
  for (let end = rest.lastIndexOf('; '); end >= 0; end = rest.lastIndexOf('; ', end - 1)) {
    const reason = rest.slice(end + 2);
    const said = scalarTexts.includes(reason) || harmless.test(reason) ? reason : knownReason(reason);
    if (said === null) continue;
    const [, path] = / at "([\w.[\]]+)"$/.exec(rest.slice(0, end)) ?? [];
    return path === undefined ? `Variable "$${variable}": ${said}` : `Variable "$${variable}" at "${path}": ${said}`;
  }
  return `Variable "$${variable}": the value does not fit`;
}

/** What repeats no value, but names and types alone. */
const harmless =
  /^(?:Expected (?:non-nullable )?type "[\w![\]]+" (?:to be an object|not to be null)\.|Field "\w{1,64}" (?:of required type "[\w![\]]+" was not provided|is not defined by type "\w+")\.)$/;

/** What GraphQL says with a value at its end, or in its middle, and how it is said without. */
const reasons: [RegExp, (...found: string[]) => string][] = [
  [/^(String|Int|Float|Boolean|ID) cannot represent /, (type) => `the value is not of type ${type}`],
  [/^Value "[\s\S]*" does not exist in "(\w+)" enum/, (type) => `the value is none of ${type}`],
  [/^Enum "(\w+)" cannot represent /, (type) => `the value is none of ${type}, which are written without quotes`],
  [/^Expected value of type "([^"]+)", found /, (type) => `the value is not of type ${type}`],
  [/^Invalid global ID: /, () => 'this is no global id'],
  [
    /^(Syntax Error: (?:Expected [^ ]+, found |Unexpected )(?:Name|String|BlockString|Int|Float)) "/,
    (said) => `${said}.`,
  ],
];

function knownReason(message: string): string | null {
  for (const [form, say] of reasons) {
    const found = form.exec(message);
    if (found) return say(...found.slice(1));
  }
  return null;
}

import { byCodePoint } from '../content.ts';
import { type Finding, suspect, wrong } from './finding.ts';

/** Checks a signed text without its request: only its form. */
export function checkForm(text: string): Finding[] {
  const pairs = text.split('&').map((pair) => [pair, pair.indexOf('=')] as const);
  const names = pairs.map(([pair, equals]) => (equals === -1 ? pair : pair.slice(0, equals)));
  const values = pairs.map(([pair, equals]) => (equals === -1 ? '' : pair.slice(equals + 1)));
  return RULES.flatMap((rule) => (rule.isBroken({ text, names, values }) ? [rule.finding] : []));
}

interface Rule {
  isBroken(of: { text: string; names: readonly string[]; values: readonly string[] }): boolean;
  finding: Finding;
}

const EXACT = 'sign exactly the joined pairs, with nothing before or after them';

/** A last pair with a secret, as other payment services want it. */
export const KEY_PAIR = /&(?:key|secret|secret_?key|app_?key|app_?secret)=[^&\s]*$/i;

const RULES: readonly Rule[] = [
  {
    isBroken: ({ text }) => /^\s|\s$/.test(text),
    finding: suspect('white space', 'the text begins or ends with white space', EXACT),
  },
  {
    isBroken: ({ text }) => /^[{[]/.test(text.trim()),
    finding: wrong('content', 'the text is JSON', 'sign the sorted path=value pairs of the fields, not the body'),
  },
  {
    isBroken: ({ names }) => !names.includes('timestamp') || !names.includes('nonce'),
    finding: wrong(
      'stamps',
      'timestamp or nonce is missing',
      'add the pairs timestamp=… and nonce=… with the values of X-Timestamp and X-Nonce',
    ),
  },
  {
    isBroken: ({ names }) => names.some((name, at) => at > 0 && byCodePoint(names[at - 1] ?? '', name) > 0),
    finding: wrong(
      'order',
      'the pairs are not sorted',
      'sort all pairs by the unescaped path, by Unicode code points, timestamp and nonce among them',
    ),
  },
  {
    isBroken: ({ values }) => values.some((value) => value === ''),
    finding: wrong(
      'empty',
      'a pair has no value, or & and = in a value are not escaped',
      'leave out null, "", {} and []; write & as %26 and = as %3D',
    ),
  },
  {
    isBroken: ({ text }) => /%(?!25|26|3D)/.test(text),
    finding: wrong(
      'escape',
      'the text has other escapes than %25, %26 and %3D',
      'escape % & = only, in capital hex; leave everything else as it is',
    ),
  },
  {
    isBroken: ({ text }) => KEY_PAIR.test(text),
    finding: suspect(
      'content',
      'the text ends with a key (&key=…)',
      'sign no secret, unless your request has such a field',
    ),
  },
  {
    isBroken: ({ values }) => values.some((value) => /^(?:True|False|TRUE|FALSE)$/.test(value)),
    finding: suspect('boolean', 'a value is True or False', 'sign true and false in lower case, as the body has them'),
  },
  {
    isBroken: ({ values }) => values.some((value) => /^(?:null|None|nil|<nil>|NULL)$/.test(value)),
    finding: suspect('empty', 'a value is the word null, None or nil', 'leave out fields that are null'),
  },
  {
    isBroken: ({ values }) => values.some((value) => /^\{.*\}$|^\[.*\]$/.test(value)),
    finding: suspect('nesting', 'a value looks like JSON', 'flatten objects and arrays: metadata.ifsc=…, items[0]=…'),
  },
];

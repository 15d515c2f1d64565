import { byCodePoint } from '../content.ts';
import type { Value } from './fields.ts';
import { printNumber } from './print-number.ts';

/** How programs write JSON: `blanks` behind `,` and `:`, other letters than ASCII and `/` escaped, HTML's characters too. */
export type JsonPrint =
  | 'JSON'
  | 'JSON, blanks'
  | 'JSON, blanks, ASCII'
  | 'JSON, ASCII'
  | 'JSON, slashes'
  | 'JSON, ASCII, slashes'
  | 'JSON, HTML'
  | 'JSON, HTML of Gson';

/** How programs print an object or array as one text. */
export type ValuePrint =
  | JsonPrint
  | 'JSON, arrays as objects'
  | 'JSON, objects as arrays'
  | 'JSON, sorted'
  | 'JSON, sorted, HTML'
  | 'JSON, sorted, blanks'
  | 'JSON, indented'
  | 'Python'
  | 'Ruby'
  | 'Java'
  | 'Go'
  | 'PHP'
  | 'JavaScript';

/** Prints a value as one text. `number` prints a number that is written as this text in the request. */
export function printValue(value: Value, print: ValuePrint, number: (text: string) => string): string {
  return print === 'PHP'
    ? 'Array'
    : print === 'JavaScript'
      ? javaScriptText(value)
      : printed(value, STYLES[print], number, '\n');
}

/** Prints a text as JSON, with its quotes. */
export function printText(text: string, print: JsonPrint): string {
  return STYLES[print].text(text);
}

export function escapedUnicode(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, escapedUnit);
}

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** How a language prints a value. */
interface Style {
  /** What begins and ends an object or array. */
  object: readonly [string, string];
  array: readonly [string, string];
  /** What is between two members or elements, and between a name and its value. */
  comma: string;
  colon: string;
  text(text: string): string;
  null: string;
  true: string;
  false: string;
  isSorted?: true;
  isIndented?: true;
  arraysAsObjects?: true;
  emptyObject?: string;
}

function printed(value: Value, style: Style, number: (text: string) => string, line: string): string {
  const below = `${line}  `;
  const inner = (one: Value): string => printed(one, style, number, below);
  const within = ([open, close]: readonly [string, string], parts: readonly string[]): string =>
    style.isIndented
      ? `${open}${below}${parts.join(`${style.comma}${below}`)}${line}${close}`
      : `${open}${parts.join(style.comma)}${close}`;
  switch (value.kind) {
    case 'object': {
      const { members } = value;
      const sorted = style.isSorted ? members.toSorted(([a], [b]) => byCodePoint(a, b)) : members;
      return within(
        style.object,
        sorted.map(([name, member]) => `${style.text(name)}${style.colon}${inner(member)}`),
      );
    }
    case 'array':
      return style.arraysAsObjects
        ? within(
            style.object,
            value.elements.map((element, at) => `${style.text(String(at))}${style.colon}${inner(element)}`),
          )
        : within(style.array, value.elements.map(inner));
    case 'empty object':
      return style.emptyObject ?? style.object.join('');
    case 'empty array':
      return (style.arraysAsObjects ? style.object : style.array).join('');
    case 'number':
      return number(value.text);
    case 'boolean':
      return value.text === 'true' ? style.true : style.false;
    case 'null':
      return style.null;
    default:
      return style.text(value.text);
  }
}

const slashes = (text: string): string => text.replaceAll('/', '\\/');
const html = (text: string): string => text.replace(/[<>&]/g, escapedUnit);
const htmlOfGson = (text: string): string => text.replace(/[<>&'=]/g, escapedUnit);

const JSON_STYLE: Style = {
  object: ['{', '}'],
  array: ['[', ']'],
  comma: ',',
  colon: ':',
  text: (text) => JSON.stringify(text),
  null: 'null',
  true: 'true',
  false: 'false',
};
const json = (change: (text: string) => string, other: Partial<Style> = {}): Style => ({
  ...JSON_STYLE,
  text: (text) => change(JSON.stringify(text)),
  ...other,
});
const asItIs = (text: string): string => text;
const asciiAndSlashes = (text: string): string => slashes(escapedUnicode(text));
const BLANKS = { comma: ', ', colon: ': ' };

const STYLES: Record<Exclude<ValuePrint, 'PHP' | 'JavaScript'>, Style> = {
  JSON: JSON_STYLE,
  'JSON, blanks': json(asItIs, BLANKS),
  'JSON, blanks, ASCII': json(escapedUnicode, BLANKS),
  'JSON, ASCII': json(escapedUnicode),
  'JSON, slashes': json(slashes),
  'JSON, ASCII, slashes': json(asciiAndSlashes),
  'JSON, HTML': json(html),
  'JSON, HTML of Gson': json(htmlOfGson),
  'JSON, arrays as objects': json(asciiAndSlashes, { arraysAsObjects: true }),
  'JSON, objects as arrays': json(asciiAndSlashes, { emptyObject: '[]' }),
  'JSON, sorted': json(asItIs, { isSorted: true }),
  'JSON, sorted, HTML': json(html, { isSorted: true }),
  'JSON, sorted, blanks': json(escapedUnicode, { ...BLANKS, isSorted: true }),
  'JSON, indented': json(asItIs, { colon: ': ', isIndented: true }),
  Python: {
    ...JSON_STYLE,
    ...BLANKS,
    text: (text) => pythonText(text),
    null: 'None',
    true: 'True',
    false: 'False',
  },
  Ruby: { ...JSON_STYLE, comma: ', ', colon: '=>', null: 'nil' },
  Java: { ...JSON_STYLE, comma: ', ', colon: '=', text: asItIs },
  Go: { ...JSON_STYLE, object: ['map[', ']'], comma: ' ', colon: ':', text: asItIs, null: '<nil>', isSorted: true },
};

/** Python prefers single quotes. */
function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  return `${quote}${escaped.replaceAll(quote, `\\${quote}`)}${quote}`;
}

/** As `String(value)`. */
function javaScriptText(value: Value): string {
  if (value.kind === 'object' || value.kind === 'empty object') return '[object Object]';
  if (value.kind === 'array') return value.elements.map(javaScriptText).join(',');
  return value.kind === 'number' ? printNumber(value.text, 'JavaScript') : value.text;
}

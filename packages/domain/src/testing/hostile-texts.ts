import { cpuUsage } from 'node:process';
import * as z from 'zod';

/** The shapes of texts that cost much where a pattern tries the same characters again and again. */
const shapes: Readonly<Record<string, (length: number) => string>> = {
  'an e-mail address of dots': (length) => `a@${'.'.repeat(length - 3)}@`,
  'an e-mail address of @': (length) => '@'.repeat(length),
  'an e-mail address that ends with a blank': (length) => `a@${'a.'.repeat(length / 2 - 2)} `,
  dots: (length) => '.'.repeat(length),
  'blanks before a letter': (length) => `${' '.repeat(length - 1)}x`,
  'line breaks before a letter': (length) => `${'\r\n'.repeat(length / 2 - 1)}x`,
  quotes: (length) => `"'`.repeat(length / 2),
  'open brackets': (length) => '([{<'.repeat(length / 4),
  'combining characters': (length) => `e${'\u0301'.repeat(length / 2 - 1)}`,
  'characters of two code units': (length) => '\u{1F600}'.repeat(length / 4),
  'zero digits': (length) => `${'0'.repeat(length - 1)}x`,
  digits: (length) => '1'.repeat(length),
  'an amount of zeros': (length) => `1.${'0'.repeat(length - 3)}x`,
  'per cent signs': (length) => '%'.repeat(length),
  'escaped characters': (length) => '%25&='.repeat(length / 5),
  'letters and hyphens': (length) => `${'A-'.repeat(length / 2 - 1)}!`,
  'a URL of slashes': (length) => `https://${'/'.repeat(length - 9)} `,
  'a URL of names': (length) => `https://${'a.'.repeat(length / 2 - 5)}\u0000`,
  'a network of colons': (length) => ':'.repeat(length),
  'a key that does not end': (length) => `-----BEGIN ${'A '.repeat(length / 2 - 6)}`,
};

/** Hostile texts by their names. As JSON in UTF-8, each has nearly `bytes` bytes. */
export function hostileTexts(bytes: number): [name: string, text: string][] {
  return Object.entries(shapes).map(([name, make]) => {
    const size = Buffer.byteLength(JSON.stringify(make(bytes)));
    return [name, size <= bytes ? make(bytes) : make(Math.floor((bytes * bytes) / size) - 64)];
  });
}

type Path = readonly string[];

interface JsonSchema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  minimum?: number;
}

/** The paths of all text fields of a schema's input. The key `[]` is an element of a list, `*` any key of a record. */
export function textFields(schema: z.ZodType): Path[] {
  return pathsOf(jsonSchemaOf(schema));
}

/** An input of a schema whose text at `path` is `text`. Its other fields have some value of their type. */
export function inputWith(schema: z.ZodType, path: Path, text: string): unknown {
  return exampleOf(jsonSchemaOf(schema), path, text);
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
}

function pathsOf(schema: JsonSchema): Path[] {
  const below = (key: string, inner: JsonSchema): Path[] => pathsOf(inner).map((path) => [key, ...path]);
  const { properties = {}, items, additionalProperties: rest } = schema;
  const variants = variantsOf(schema).flatMap(pathsOf);
  const found = [
    ...(schema.type === 'string' && schema.enum === undefined && schema.const === undefined ? [[]] : []),
    ...variants,
    ...Object.entries(properties).flatMap(([key, inner]) => below(key, inner)),
    ...(items ? below('[]', items) : []),
    ...(typeof rest === 'object' ? below('*', rest) : []),
  ];
  return [...new Map(found.map((path) => [path.join('\u0000'), path])).values()];
}

function variantsOf({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema): readonly JsonSchema[] {
  return [...anyOf, ...oneOf, ...allOf];
}

function exampleOf(schema: JsonSchema, path: Path | null, text: string): unknown {
  const isOn = (inner: JsonSchema) =>
    path !== null && pathsOf(inner).some((one) => one.join('\u0000') === path.join('\u0000'));
  const variants = variantsOf(schema);
  if (variants.length > 0 && schema.type === undefined)
    return exampleOf(variants.find(isOn) ?? variants[0] ?? {}, path, text);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [key, ...below] = path ?? [];
  switch (schema.type) {
    case 'string':
      return path === null ? 'x' : text;
    case 'array':
      return key === '[]' && schema.items ? [exampleOf(schema.items, below, text)] : [];
    case 'object': {
      const known = Object.entries(schema.properties ?? {}).map(([name, inner]) => [
        name,
        exampleOf(inner, name === key ? below : null, text),
      ]);
      const rest = schema.additionalProperties;
      const any = key === '*' && typeof rest === 'object' ? [['x', exampleOf(rest, below, text)]] : [];
      return Object.fromEntries([...known, ...any]);
    }
    case 'number':
    case 'integer':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return schema.type === 'null' ? null : 'x';
  }
}

/** Work that takes `fixedIdleMs` of processor time on an idle machine. */
const fixedText = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => `${i}`));
const fixedIdleMs = 1.9;

/**
 * The processor time of `run` in ms: the least of several runs, because other threads of the process count too. Only a run that takes longer than
 * `enough` is repeated. Other programs make all work slower, so its time is divided by how much slower fixed work is just after it.
 */
export function processorMs(run: () => unknown, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let left = 7; left > 0 && least > enough; left -= 1) {
    const ms = timeOf(run);
    const slowness = ms > enough ? timeOf(() => JSON.stringify(JSON.parse(fixedText))) / fixedIdleMs : 1;
    least = Math.min(least, ms / Math.max(1, slowness));
  }
  return least;
}

function timeOf(run: () => unknown): number {
  const before = cpuUsage();
  run();
  const { user, system } = cpuUsage(before);
  return (user + system) / 1_000;
}

import { posix } from 'node:path';
import { parseAst } from 'vitest/node';

export interface Source {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** The facts about a source file that the rules of the architecture need. */
export interface SourceFacts {
  readonly path: string;
  readonly imports: readonly Import[];
  /** Uses of a clock, randomness, I/O or promises. */
  readonly impurities: readonly { readonly line: number; readonly what: string }[];
  /** Texts that are SQL, with the tables that they write. */
  readonly sql: readonly { readonly line: number; readonly writes: readonly string[] }[];
  /** Entities that it defines, with their tables. */
  readonly entities: readonly { readonly name: string; readonly table: string }[];
  /** Calls of `JSON.parse` and `setInterval`, and handlers of messages that are not guarded. */
  readonly rawCalls: readonly { readonly line: number; readonly what: string }[];
  /** Schemas of texts that may have any length, such as `z.string()`. */
  readonly endlessTexts: readonly { readonly line: number; readonly what: string }[];
  /** The first arguments of its calls of methods that write entities. */
  readonly entityWrites: readonly { readonly line: number; readonly entity: string }[];
}

interface Import {
  readonly line: number;
  /** A path relative to the repository, or the name of a package. */
  readonly to: string;
  /** A type such as `import('./order.ts').Order`. */
  readonly isInline: boolean;
}

/** What we look at of a node of the syntax tree (ESTree, as oxc gives it for TypeScript). */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly async?: boolean;
  readonly name?: string;
  readonly value?: unknown;
  readonly source?: Node | null;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly properties?: readonly Node[];
  readonly key?: Node;
  readonly arguments?: readonly Node[];
  /** Of a template: its texts between the values. */
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

const OUTSIDE = new Set(['process', 'performance', 'crypto', 'globalThis', 'console']);
const OUTSIDE_CALLS = new Set(['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date']);
/** Statements, and parts of them that name what is read. Ours are written in lower-case letters. */
const SQL =
  /(?:^|[\s(])(?:select\b[\s\S]*\bfrom\b|select\s+[\w*(]|insert\s+into\s|update\s+[\w?]+\s+(?:\w+\s+)?set\b|delete\s+from\s|with\s+(?:recursive\s+)?\w+(?:\([^)]*\))?\s+as\s+(?:materialized\s+)?\()/;
/** The table of each write; `?` where a value names it. Not the words of `for update`, `for no key update` and `do update`. */
const WRITES = /\b(?:insert\s+into|(?<!\b(?:for|key|do)\s+)update|delete\s+from)\s+(\w+|\?)/g;
const ENTITY_WRITES = /^(?:create|insert|insertMany|upsert|upsertMany|nativeInsert|nativeUpdate|nativeDelete)$/;
/** zod's schemas of texts. Those with a pattern may follow `.pipe(` of a text that is bounded. */
const TEXT_SCHEMAS =
  /^(?:string|email|url|httpUrl|uuid|guid|cuid2?|ulid|nanoid|ipv[46]|cidrv[46]|base64(?:url)?|e164|jwt|emoji|hostname|stringFormat|iso)$/;
const OUTSIDE_MEMBERS = new Set(['Date.now', 'Math.random']);

/** Reads the facts from a file's syntax tree, so words in comments and strings do not count. */
export function readFacts({ path, text }: Source): SourceFacts {
  const imports: Import[] = [];
  const impurities: { line: number; what: string }[] = [];
  const sql: { line: number; writes: string[] }[] = [];
  const entities: { name: string; table: string }[] = [];
  const entityWrites: { line: number; entity: string }[] = [];
  const endlessTexts: { line: number; what: string }[] = [];
  const piped = new Set<Node>();
  const rawCalls: { line: number; what: string }[] = [];
  const lineAt = lineCounter(text);
  visitNodes(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    const line = () => lineAt(node.start);
    const imported = importOf(node);
    if (imported !== undefined)
      imports.push({ line: line(), to: resolve(path, imported), isInline: node.type === 'TSImportType' });
    if (node.type === 'CallExpression' && node.callee?.property?.name === 'pipe')
      for (const argument of node.arguments ?? []) piped.add(argument);
    const endless = textSchemaOf(node);
    if (endless !== undefined && (endless === 'z.string' || !piped.has(node)))
      endlessTexts.push({ line: line(), what: endless });
    const raw = rawCallOf(node);
    if (raw !== undefined) rawCalls.push({ line: line(), what: raw });
    const what = impurityOf(node);
    if (what !== undefined) impurities.push({ line: line(), what });
    const text = textOf(node);
    if (text !== null && SQL.test(text))
      sql.push({ line: line(), writes: [...text.matchAll(WRITES)].map(([, table = '']) => table) });
    const defined = entityOf(node);
    if (defined) entities.push(defined);
    const written = writtenEntityOf(node);
    if (written !== undefined) entityWrites.push({ line: line(), entity: written });
  });
  return {
    path,
    imports,
    impurities,
    sql,
    entities,
    entityWrites,
    endlessTexts,
    rawCalls,
  };
}

/** What a node imports: of types too. */
function importOf(node: Node): string | undefined {
  const from = node.source?.value;
  return typeof from === 'string' ? from : undefined;
}

/** `z.string` of `z.string()`, `z.iso` of `z.iso.date()`. */
function textSchemaOf({ type, callee }: Node): string | undefined {
  if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return undefined;
  const member = callee.object?.type === 'MemberExpression' ? callee.object : callee;
  const name = member.object?.name === 'z' ? (member.property?.name ?? '') : '';
  return TEXT_SCHEMAS.test(name) ? `z.${name}` : undefined;
}

function impurityOf(node: Node): string | undefined {
  if (node.async === true) return 'async';
  const object = node.object?.name ?? '';
  const member = `${object}.${node.property?.name ?? ''}`;
  if (node.type === 'MemberExpression' && (OUTSIDE.has(object) || OUTSIDE_MEMBERS.has(member))) return member;
  const called = node.callee?.name ?? '';
  if (node.type === 'CallExpression' && OUTSIDE_CALLS.has(called)) return `${called}()`;
  return node.type === 'NewExpression' && called === 'Date' && node.arguments?.length === 0 ? 'new Date()' : undefined;
}

const LISTENING = /^(?:on|once|addListener)$/;

/** A call that reads JSON without a limit and a schema, or repeats or adds a handler that may throw. */
function rawCallOf({ type, callee, arguments: ofCall }: Node): string | undefined {
  if (type !== 'CallExpression') return undefined;
  if (callee?.name === 'setInterval') return 'setInterval';
  if (callee?.object?.name === 'JSON' && callee.property?.name === 'parse') return 'JSON.parse';
  const [event, handler] = ofCall ?? [];
  if (!LISTENING.test(callee?.property?.name ?? '') || event?.value !== 'message') return undefined;
  const guard = handler?.callee?.property?.name ?? handler?.callee?.name;
  return guard === 'guard' || guard === 'guarded' ? undefined : "on('message')";
}

/** What `defineEntity({ name, tableName, … })` defines. */
function entityOf({ type, callee, arguments: [first] = [] }: Node): { name: string; table: string } | null {
  if (type !== 'CallExpression' || callee?.name !== 'defineEntity') return null;
  const textOfKey = (key: string) =>
    (first?.properties?.find((one) => one.key?.name === key)?.value as Node | undefined)?.value;
  const [name, table] = [textOfKey('name'), textOfKey('tableName')];
  return typeof name === 'string' && typeof table === 'string' ? { name, table } : null;
}

/** What a call such as `em.create(Merchant, …)` may write. */
function writtenEntityOf({ type, callee, arguments: [first] = [] }: Node): string | undefined {
  if (type !== 'CallExpression' || !ENTITY_WRITES.test(callee?.property?.name ?? '')) return undefined;
  return first?.type === 'Identifier' ? first.name : undefined;
}

/** The text of a string or template, each value in it as a `?`; null for other nodes. */
function textOf({ type, value, quasis }: Node): string | null {
  if (type === 'Literal') return typeof value === 'string' ? value : null;
  return type === 'TemplateLiteral' && quasis ? quasis.map((part) => part.value.cooked ?? '').join('?') : null;
}

function resolve(path: string, from: string): string {
  return from.startsWith('.') ? posix.join(posix.dirname(path), from) : from;
}

/** The line of an offset, counted from 1. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Half a million nodes in all: generators made this walk the slowest part of the test. */
function visitNodes(value: object, visit: (node: Node) => void): void {
  if ('type' in value && 'start' in value) visit(value as Node);
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) visitNodes(child, visit);
}

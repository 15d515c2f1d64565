import { findBoundaryViolations } from './boundary-rules.ts';
import { findLayoutViolations, type WriteException } from './domain-layout.ts';
import { readFacts, type Source, type SourceFacts } from './source-facts.ts';

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 70;
const EMPTY_NAMES = /^(?:utils?|helpers?|shared|common)$/;

/** Packages that a package may use. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  signature: [],
  client: ['signature'],
  domain: ['signature', 'settings'],
  settings: [],
  queue: ['domain', 'settings'],
  upstream: ['signature', 'domain', 'settings'],
  statements: ['domain', 'settings'],
  process: ['domain', 'settings'],
  'rest-adapter': ['signature', 'domain', 'upstream', 'queue', 'settings', 'process'],
  worker: ['signature', 'domain', 'upstream', 'statements', 'queue', 'settings', 'process'],
  api: ['signature', 'domain', 'upstream', 'statements', 'queue', 'settings', 'process'],
  admin: ['signature', 'domain', 'upstream', 'statements', 'queue', 'settings', 'process'],
  sandbox: ['signature', 'domain', 'upstream', 'queue', 'settings', 'process', 'rest-adapter', 'worker', 'api'],
  bench: ['signature', 'domain', 'queue', 'statements', 'sandbox'],
  // The browser loads only what it imports of it by name, such as the reading of amounts.
  console: ['settings'],
};

/** One line for each violation in these files. */
export function findViolations(sources: readonly Source[], writeExceptions: readonly WriteException[] = []): string[] {
  const files = sources.map(readFacts);
  const running = files.filter(({ path }) => !isTest(path));
  return [
    ...files.flatMap(nameAndSize),
    ...files.flatMap(literalSpreads),
    ...running.flatMap(functionSizes),
    ...running.flatMap(endlessTexts),
    ...running.flatMap(directions),
    ...findLayoutViolations(running, writeExceptions),
    ...findBoundaryViolations(running),
    ...findCircles(running),
  ];
}

/** Tests, and contract tests, may import across packages, because they are not part of a process. */
function isTest(path: string): boolean {
  return /\.test\.ts$|[.-]contract\.ts$|^(?:packages|tools)\/[^/]+\/(test|src\/testing)\/|^tests\//.test(path);
}

function nameAndSize({ path, lines }: SourceFacts): string[] {
  if (path.endsWith('.generated.ts')) return [];
  const empty = path.split('/').filter((part) => EMPTY_NAMES.test(part.replace(/\..*$/, '')));
  return [
    ...empty.map((name) => `${path}: the name ${name} says nothing about what is in it: name it after that`),
    ...(lines > MAX_FILE_LINES ? [`${path}: ${lines} lines, at most ${MAX_FILE_LINES}: split it by what it does`] : []),
  ];
}

/** A spread literal only shortens the layout, and its reader asks why it is spread. */
function literalSpreads({ path, literalSpreads: found }: SourceFacts): string[] {
  return found.map(({ line }) => `${path}:${line}: spreads a literal: write its members in place`);
}

/** The two places that make a bounded text of `z.string()`: the console loads none of our schemas. */
const BOUNDED_TEXTS = ['packages/settings/src/bounded-text.ts', 'packages/console/src/list/filters.ts'];

/** zod goes on with patterns after a failed `max`, so every text begins with a limit that ends its checks. */
function endlessTexts({ path, endlessTexts: found }: SourceFacts): string[] {
  if (!/^(?:packages|tools)\//.test(path) || BOUNDED_TEXTS.includes(path)) return [];
  return found.map(
    ({ line, what }) =>
      `${path}:${line}: ${what}() has no limit: use boundedText or matchingText of @tidegate/settings/bounded-text${what === 'z.string' ? '' : `, and .pipe(${what}…)`}`,
  );
}

function functionSizes({ path, functions }: SourceFacts): string[] {
  return functions
    .filter(({ lines }) => lines > MAX_FUNCTION_LINES)
    .map(
      ({ line, lines }) =>
        `${path}:${line}: a function of ${lines} lines, at most ${MAX_FUNCTION_LINES}: split it into its steps`,
    );
}

function directions({ path, imports }: SourceFacts): string[] {
  const own = packageOf(path);
  return imports.flatMap(({ line, to }) => {
    const other = packageOf(to);
    if (other === '' || other === own) return [];
    if (/^(?:packages|tools)\//.test(to))
      return [`${path}:${line}: must not import ${to}: import packages by their names`];
    return PACKAGES[own]?.includes(other)
      ? []
      : [`${path}:${line}: must not import ${to}: move what both need to a package that ${own} may use`];
  });
}

/** The package that a path of the repository, or an import of one of ours by name, leads to; empty for anything else. */
function packageOf(to: string): string {
  return /^(?:packages|tools|@tidegate)\/([^/]+)/.exec(to)?.[1] ?? '';
}

/** One line for each circle of imports, type imports included. It begins with the file that sorts first. */
function findCircles(files: readonly SourceFacts[]): string[] {
  const graph = new Map(files.map(({ path, imports }) => [path, imports]));
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) {
      const circle = trail.slice(trail.indexOf(path));
      const first = circle.indexOf(circle.toSorted()[0] ?? path);
      const received = [...circle.slice(first), ...circle.slice(0, first)];
      found.add([...received, received[0]].join(' -> '));
    } else if (!done.has(path)) {
      for (const { to } of graph.get(path) ?? []) visit(to, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of graph.keys()) visit(path, []);
  return [...found].map((circle) => `import circle: ${circle}: move what both need to a file of its own`);
}

import { findBoundaryViolations } from './boundary-rules.ts';
import { findLayoutViolations, type WriteException } from './domain-layout.ts';
import { readFacts, type Source, type SourceFacts } from './source-facts.ts';

const EMPTY_NAMES = /^(?:utils?|helpers?|shared|common)$/;

/** One line for each violation in these files. */
export function findViolations(sources: readonly Source[], writeExceptions: readonly WriteException[] = []): string[] {
  const files = sources.map(readFacts);
  const running = files.filter(({ path }) => !isTest(path));
  return [
    ...files.flatMap(emptyNames),
    ...running.flatMap(inlineTypes),
    ...running.flatMap(endlessTexts),
    ...findLayoutViolations(running, writeExceptions),
    ...findBoundaryViolations(running),
  ];
}

/** Tests, and contract tests, may import across packages, because they are not part of a process. */
function isTest(path: string): boolean {
  return /\.test\.ts$|[.-]contract\.ts$|^(?:packages|tools)\/[^/]+\/(test|src\/testing)\/|^tests\//.test(path);
}

function emptyNames({ path }: SourceFacts): string[] {
  const empty = path.split('/').filter((part) => EMPTY_NAMES.test(part.replace(/\..*$/, '')));
  return empty.map((name) => `${path}: the name ${name} says nothing about what is in it: name it after that`);
}

/** The linter, which knows what a package may use, and circles, does not see them. */
function inlineTypes({ path, imports }: SourceFacts): string[] {
  return imports
    .filter(({ isInline }) => isInline)
    .map(({ line, to }) => `${path}:${line}: import('${to}') as a type: write import type at the top`);
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

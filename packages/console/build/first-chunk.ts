import type { Rolldown } from 'vite';

type Group = Rolldown.CodeSplittingGroup;

/** Libraries that every page needs as a whole. Of Mantine each screen needs other components. */
const LIBRARIES = [
  ...['react', 'react-dom', 'scheduler', 'use-sync-external-store'],
  ...['@tanstack', 'urql', '@urql', 'wonka', '@0no-co', 'zod'],
];
const library = new RegExp(`[\\\\/]node_modules[\\\\/](${LIBRARIES.join('|')})[\\\\/]`);

/**
 * Two files of what the first page needs: libraries, which change seldom, and modules of ours that need nothing else. Left
 * alone, the bundler makes a file of each set of screens that share a module: many requests, and little to compress at once.
 */
export function firstChunks(entry: string): Group[] {
  let needed: ReadonlySet<string> | null = null;
  const ours: Group = {
    debugName: 'first',
    name: (id, context) => {
      needed ??= importsOf(entry, context);
      return needed.has(id) && [...importsOf(id, context)].every(isOursOrLibrary) ? 'first' : null;
    },
  };
  return [{ name: 'libraries', test: library, priority: 1 }, ours];
}

/** Other files would be loaded in a circle: they need modules of ours as well. */
function isOursOrLibrary(id: string): boolean {
  return !id.includes('node_modules') || library.test(id);
}

/** A module with what it imports, and what that imports. Screens, which are loaded later, are not among it. */
function importsOf(entry: string, context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set([entry]);
  for (const id of found) for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

// The operators' console as static files. Plain JavaScript: an older Node reads it too.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './machine.mjs';

const CONSOLE = join(ROOT, 'packages', 'console');
const SOURCES = [
  ...['src', 'build', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => join(CONSOLE, name)),
  join(ROOT, 'packages', 'api', 'schema.graphql'),
];

/** Builds the console, about 3 s, if it is missing or older than its sources. Returns the exit code; 0: it is there. */
export async function ensureConsole(node) {
  const built = statSync(join(CONSOLE, 'dist', 'index.html'), { throwIfNoEntry: false });
  if (built && SOURCES.every((path) => newestIn(path) <= built.mtimeMs)) return 0;
  console.log('Building the operators’ console …');
  return run(node, [join(CONSOLE, 'build', 'build.ts')]);
}

/** The last time at which a file or folder, or one within it, was changed. */
function newestIn(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'generated');
  return Math.max(found.mtimeMs, ...names.map((name) => newestIn(join(path, name))));
}

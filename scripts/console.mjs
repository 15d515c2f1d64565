// Builds the operators' console as static files. This file is plain JavaScript, because the commands that import it also start on older versions of Node.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from './lock.mjs';
import { ROOT, run } from './machine.mjs';

const CONSOLE = join(ROOT, 'packages', 'console');
const SOURCES = [
  ...['src', 'build', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => join(CONSOLE, name)),
  join(ROOT, 'packages', 'api', 'schema.graphql'),
  join(ROOT, 'packages', 'settings', 'src'),
];

/**
 * Builds the console, about 3 s, if it is missing or older than its sources. Commands and test files that need it at the
 * same time wait for one build. Returns the exit code; 0: it is there.
 */
export async function ensureConsole(node) {
  if (isUpToDate()) return 0;
  const unlock = await takeLock('console', {
    waiting: 'Another command builds the operators’ console: waiting for it …',
  });
  try {
    if (isUpToDate()) return 0;
    console.log('Building the operators’ console …');
    return await run(node, [join(CONSOLE, 'build', 'build.ts')]);
  } finally {
    unlock();
  }
}

function isUpToDate() {
  const built = statSync(join(CONSOLE, 'dist', 'index.html'), { throwIfNoEntry: false });
  return built !== undefined && SOURCES.every((path) => newestIn(path) <= built.mtimeMs);
}

/** The last time at which a file or folder, or one within it, was changed. */
function newestIn(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = readdirSync(path).filter((name) => name !== 'generated');
  return Math.max(found.mtimeMs, ...names.map((name) => newestIn(join(path, name))));
}

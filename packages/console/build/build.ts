import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const PACKAGE = join(import.meta.dirname, '..');
const DIST = join(PACKAGE, 'dist');
const partial = join(PACKAGE, `dist-${process.pid}`);
const old = `${partial}-old`;

// A folder of its own first: a running API never sees half a build, and two builds do not mix.
process.env.TIDEGATE_CONSOLE_OUT = partial;
// Tests build it too, and NODE_ENV=test would build React for development.
process.env.NODE_ENV = 'production';
try {
  await build({ configFile: join(PACKAGE, 'vite.config.ts'), configLoader: 'native', logLevel: 'warn' });
  for (let tries = 0; !putInPlace(); tries += 1) if (tries === 10) throw new Error(`${DIST} is in use: try again`);
} finally {
  rmSync(partial, { recursive: true, force: true });
  rmSync(old, { recursive: true, force: true });
}

/** False if another build came in between. */
function putInPlace(): boolean {
  rmSync(old, { recursive: true, force: true });
  if (existsSync(DIST)) {
    try {
      renameSync(DIST, old);
    } catch {
      return false;
    }
  }
  try {
    renameSync(partial, DIST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false;
    throw error;
  }
  return true;
}

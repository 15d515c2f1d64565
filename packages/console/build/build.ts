import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const PACKAGE = join(import.meta.dirname, '..');
const DIST = join(PACKAGE, 'dist');
const made = join(PACKAGE, `dist-${process.pid}`);
const old = `${made}-old`;

// A folder of its own first: a running API never sees half a build, and two builds do not mix.
process.env.TIDEGATE_CONSOLE_OUT = made;
try {
  await build({ configFile: join(PACKAGE, 'vite.config.ts'), logLevel: 'warn' });
  try {
    renameSync(DIST, old);
  } catch {
    // There was no build before.
  }
  renameSync(made, DIST);
} finally {
  rmSync(made, { recursive: true, force: true });
  rmSync(old, { recursive: true, force: true });
}

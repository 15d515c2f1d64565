import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** nobody, in every Linux. */
const NOBODY = '65534';

export type Built = 'rest-adapter' | 'api' | 'worker' | 'admin';
const built: readonly Built[] = ['rest-adapter', 'api', 'worker', 'admin'];

export interface BuiltProcesses {
  /** The folder of one, as an image gets it. */
  folderOf(name: Built): string;
  /** Runs it as an image does: without a way to run TypeScript and, where this is root, as a user who may write nowhere. */
  commandOf(name: Built): readonly [string, ...string[]];
  remove(): void;
}

/** `npm run build`, and each result on its own outside the repository, where nothing but what is in it can be found. */
export async function buildProcesses(): Promise<BuiltProcesses> {
  await run('npm', ['run', 'build'], { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  const place = mkdtempSync(join(tmpdir(), 'tidegate-built-'));
  chmodSync(place, 0o755);
  // Where the repository lies is perhaps not for everybody.
  const node = join(place, 'node');
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  for (const name of built) await run('cp', ['-a', join(ROOT, 'packages', name, 'dist'), join(place, name)]);
  const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  return {
    folderOf: (name) => join(place, name),
    commandOf: (name) => {
      const main = join(place, name, 'packages', name, 'src', 'main.js');
      const [command = '', ...args] = [
        ...(process.getuid?.() === 0 ? asNobody : []),
        ...[node, '--no-strip-types', '--enable-source-maps', main],
      ];
      return [command, ...args];
    },
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

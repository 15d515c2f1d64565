// promtool for the tests, extracted from Debian's package of Prometheus. The package is not installed, because that
// would start a server.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.tidegate-promtool');

export function isPromtoolUnpacked() {
  return existsSync(join(FOLDER, 'promtool'));
}

/** Puts `promtool` into node_modules/.tidegate-promtool. Returns whether that succeeded. A download of 20 MB, once; needs root only where the package lists are missing. */
export function fetchPromtool() {
  console.log('Fetching promtool for the tests …');
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-promtool-'));
  const run = (command, ...args) => spawnSync(command, args, { cwd: folder, stdio: 'ignore' }).status === 0;
  try {
    const download = () => run('apt-get', 'download', '-qq', 'prometheus');
    if (!download() && !(run('apt-get', 'update', '-qq') && download())) return false;
    const file = readdirSync(folder).find((name) => name.endsWith('.deb'));
    if (file === undefined || !run('dpkg-deb', '-x', file, '.')) return false;
    mkdirSync(FOLDER, { recursive: true });
    copyFileSync(join(folder, 'usr', 'bin', 'promtool'), join(FOLDER, 'promtool'));
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

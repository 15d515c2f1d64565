import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyReadable, movedFolder } from '../../tools/sandbox/src/moved-folder.ts';
import { findPostgresPlace } from '../../tools/sandbox/src/postgres-place.ts';
import type { RunFolder } from '../../tools/sandbox/src/run-folder.ts';
import { type SpawnedProcess, spawnProcess } from '../../tools/sandbox/src/spawn-process.ts';
import { fillTemplate } from './fill-template.ts';

const unpacked = fileURLToPath(new URL('../../node_modules/.tidegate-patroni', import.meta.url));

/** Debian's programs, started as PostgreSQL's user, and recorded so that a later run ends what a killed one has left. */
export interface OwnPrograms {
  readonly dir: string;
  /** The folder of PostgreSQL's programs. */
  readonly postgresBin: string;
  /** A folder that PostgreSQL's user owns. */
  ownFolder(name: string): string;
  /** Writes a file of ops/high-availability with these values into the folder, and returns its path. */
  fill(template: string, to: string, values: Readonly<Record<string, string | number>>): string;
  start(
    name: string,
    program: 'etcd' | 'haproxy' | 'patroni',
    args: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): SpawnedProcess;
}

const commands = {
  etcd: ['usr/bin/etcd'],
  haproxy: ['usr/sbin/haproxy'],
  patroni: ['usr/bin/python3.13', '-m', 'patroni'],
} as const;

export function openPrograms(folder: RunFolder): OwnPrograms {
  if (!existsSync(unpacked)) throw new Error('Patroni is missing: npm test fetches it, once, into node_modules');
  const { user } = findPostgresPlace(join(folder.dir, 'place'), () => {});
  // PostgreSQL's user may not be able to enter the folder for temporary files or the repository. And a path of PostgreSQL's Unix socket
  // has at most 107 bytes. Removed with the run's folder.
  const dir = movedFolder(folder.dir);
  const programs = join(dir, 'programs');
  copyReadable(unpacked, programs);
  const postgresBin = join(programs, 'usr/lib/postgresql/17/bin');
  return {
    dir,
    postgresBin,
    ownFolder: (name) => {
      const own = join(dir, name);
      mkdirSync(own, { recursive: true, mode: 0o700 });
      if (user) chownSync(own, user.uid, user.gid);
      return own;
    },
    fill: (template, to, values) => {
      const file = join(dir, to);
      writeFileSync(file, fillTemplate(template, values));
      chmodSync(file, 0o644);
      return file;
    },
    start: (name, program, args, env = {}) => {
      const [path, ...first] = commands[program];
      return spawnProcess({
        name,
        command: join(programs, path),
        args: [...first, ...args],
        user,
        cwd: '/',
        env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: '/', ...env },
        logFile: join(dir, `${name}.log`),
        onSpawn: (identity) => folder.record.add(name, identity),
      });
    },
  };
}

import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openOwnServers } from '../../tools/sandbox/test/own-postgres.ts';
import { ROOT } from '../shipping/dockerfile.ts';

const run = promisify(execFile);

/** A PostgreSQL of its own whose roles the scripts that we ship have made. */
export interface OwnRoles {
  superuserUrl: string;
  /** The database with the role of this file of secrets: owner, rest, rest-ledger, api, api-ledger, worker, worker-ledger, audit. */
  urlOf(role: string): string;
  /** Runs ops/postgres/make-roles.sh. */
  makeRoles(database?: string): Promise<void>;
  /** Another database on the same server. */
  createDatabase(name: string): Promise<string>;
  /** The statements that the server refused for a missing right since the last call. */
  refusals(): string[];
  remove(): Promise<void>;
}

/** A server with an empty database `tidegate` and no roles yet. */
export async function openOwnRoles(): Promise<OwnRoles> {
  const servers = await openOwnServers();
  const primary = await servers.start('primary');
  const superuserUrl = await primary.createDatabase('tidegate');
  const at = new URL(superuserUrl);
  const folder = join(servers.dir, 'docker');
  mkdirSync(folder);
  cpSync(join(ROOT, 'ops/docker/make-secrets.sh'), join(folder, 'make-secrets.sh'));
  const MAKE_KEYS = `${process.execPath} ${join(ROOT, 'packages/admin/src/main.ts')}`;
  await run('sh', [join(folder, 'make-secrets.sh')], { env: { ...process.env, MAKE_KEYS } });
  const secretOf = (role: string) => readFileSync(join(folder, 'secrets', `database-url-${role}`), 'utf8').trim();
  let seen = 0;
  return {
    superuserUrl,
    urlOf: (role) => secretOf(role).replace('postgres:5432', at.host),
    createDatabase: (name) => primary.createDatabase(name),
    makeRoles: async (database = 'tidegate') => {
      const connection = { PGHOST: at.hostname, PGPORT: at.port, PGUSER: at.username, PGPASSWORD: at.password };
      const env = { PATH: process.env.PATH, ...connection, PGDATABASE: database };
      await run(join(ROOT, 'ops/postgres/make-roles.sh'), [join(folder, 'secrets')], { env });
    },
    refusals: () => {
      const lines = readFileSync(join(servers.dir, 'primary.log'), 'utf8').split('\n');
      const found = lines.slice(seen).flatMap((line, i) => {
        const isRefusal = /permission denied|must be (owner|superuser)|does not exist/.test(line);
        return isRefusal ? [lines.slice(seen + i, seen + i + 3).join(' ')] : [];
      });
      seen = lines.length;
      return found;
    },
    remove: () => servers.remove(),
  };
}

/** Runs a command of the operators' command line as a process; gives its standard output. */
export async function admin(args: readonly string[], env: Record<string, string>): Promise<string> {
  const main = join(ROOT, 'packages/admin/src/main.ts');
  const { stdout } = await run(process.execPath, [main, ...args], { env: { PATH: process.env.PATH, ...env } });
  return stdout;
}

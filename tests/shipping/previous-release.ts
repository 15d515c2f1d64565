import { execFile } from 'node:child_process';
import { globSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrations } from '../../packages/domain/src/database/migrations/index.ts';
import { ROOT } from './dockerfile.ts';

const run = promisify(execFile);
/** The newest migration, whatever folder a version keeps its migrations in. */
const newestMigration = `packages/domain/src/*/migrations/${migrations.at(-1)?.name}.ts`;
const processes = ['rest-adapter', 'api', 'worker'];

export interface PreviousRelease {
  commit: string;
  /** The source of that release, with its packages installed. */
  folder: string;
  remove(): Promise<void>;
}

/** A single commit may not work by itself; a release does. */
const MAX_STEPS = 20;

/**
 * The versions that did not know this version's newest migration, the last first: the last release (a tag v…) without it, or else the last
 * commits. None where the history is not there to be asked, as in a shallow clone.
 */
export async function findPreviousVersions(): Promise<string[]> {
  try {
    // The first of them: a move to another folder adds the file once more.
    const commits = await git('log', '--diff-filter=A', '--format=%H', '--', `:(glob)${newestMigration}`);
    const added = commits.split('\n').at(-1) ?? '';
    // Not committed yet: what is committed is the version before.
    const before = added === '' ? 'HEAD' : `${added}^`;
    const release = await git('describe', '--tags', '--abbrev=0', '--match=v*', before).catch(() => null);
    if (release !== null) return [release];
    return (await git('rev-list', `--max-count=${MAX_STEPS}`, before)).split('\n');
  } catch {
    return [];
  }
}

/** Checks out the first of these versions that works, and installs its packages. */
export async function takePreviousRelease(versions: readonly string[]): Promise<PreviousRelease> {
  for (const commit of versions) {
    const folder = mkdtempSync(join(tmpdir(), 'tidegate-previous-'));
    const remove = () => rm(folder, { recursive: true, force: true });
    if (await lay(commit, folder)) return { commit, folder, remove };
    await remove();
  }
  throw new Error(`none of these versions is whole: ${versions.join(', ')}`);
}

/** Whether every process of that version can be installed and starts: without an environment it prints the missing settings. */
async function lay(commit: string, folder: string): Promise<boolean> {
  const tarball = join(folder, 'source.tar');
  await git('archive', `--output=${tarball}`, commit);
  await run('tar', ['-xf', tarball, '-C', folder]);
  if (globSync(newestMigration, { cwd: folder }).length > 0)
    throw new Error(`${commit} has the newest migration already: it is no version before it`);
  const filters = processes.map((name) => `--filter=@tidegate/${name}...`);
  const how = ['--prod', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts'];
  try {
    await run('npx', ['--yes', '--prefer-offline', 'pnpm@12.21.0', 'install', ...how, ...filters], { cwd: folder });
  } catch (error) {
    if (String(error).includes('OUTDATED_LOCKFILE')) return false;
    throw error;
  }
  const children = processes.map((name) =>
    run(process.execPath, [join(folder, 'packages', name, 'src/main.ts')], { env: {} }).catch((error) => error.stderr),
  );
  return (await Promise.all(children)).every((output) => String(output).includes('DATABASE_URL is missing'));
}

async function git(...args: string[]): Promise<string> {
  return (await run('git', args, { cwd: ROOT })).stdout.trim();
}

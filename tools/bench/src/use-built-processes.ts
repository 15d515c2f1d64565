import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Builds the processes, and lets all that start later run them as an image does: the bundles, with the options of the
 * Dockerfile for Node and malloc, and the caller's for Node. Throws if the build fails, or the Dockerfile has no such
 * options.
 */
export function useBuiltProcesses(): void {
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) throw new Error(`npm run build ended with ${status}`);
  process.env.TIDEGATE_TEST_PROCESSES = 'built';
  const dockerfile = readFileSync(`${root}Dockerfile`, 'utf8');
  const [, options, arenas] =
    /NODE_OPTIONS=([\w-]{1,200}=?[\w-]{0,20}) MALLOC_ARENA_MAX=(\d{1,4})/.exec(dockerfile) ?? [];
  const entries = dockerfile.split('\n').filter((line) => line.startsWith('ENTRYPOINT ["node", '));
  const args = entries.map((line) => {
    const parts = JSON.parse(line.slice('ENTRYPOINT '.length)) as string[];
    const main = parts.findIndex((part) => part.startsWith('packages/'));
    return [parts[main]?.split('/')[1], parts.slice(1, main)];
  });
  const named = args.map(([name]) => name);
  if (!['rest-adapter', 'api', 'worker'].every((name) => named.includes(name)))
    throw new Error(`the Dockerfile has no entry point for all processes, only for ${named.join(', ')}`);
  if (options === undefined) throw new Error('the Dockerfile does not set NODE_OPTIONS and MALLOC_ARENA_MAX');
  process.env.TIDEGATE_TEST_NODE_ARGS = JSON.stringify(Object.fromEntries(args));
  process.env.NODE_ENV = 'production';
  process.env.MALLOC_ARENA_MAX = arenas;
  process.env.BENCH_NODE_OPTIONS = [options, process.env.BENCH_NODE_OPTIONS].filter(Boolean).join(' ');
}

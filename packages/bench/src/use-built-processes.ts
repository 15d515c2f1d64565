import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Builds the processes, and lets all that start later run them as an image does: the bundles, with the Node options of
 * the Dockerfile and those of the caller. Throws if the build fails, or the Dockerfile has no such options.
 */
export function useBuiltProcesses(): void {
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 2, 'inherit'] });
  if (status !== 0) throw new Error(`npm run build ended with ${status}`);
  process.env.TIDEGATE_TEST_PROCESSES = 'built';
  const [, options] = /NODE_OPTIONS="([^"]+)"/.exec(readFileSync(`${root}Dockerfile`, 'utf8')) ?? [];
  if (options === undefined) throw new Error('the Dockerfile sets no NODE_OPTIONS');
  process.env.NODE_ENV = 'production';
  process.env.BENCH_NODE_OPTIONS = [options, process.env.BENCH_NODE_OPTIONS].filter(Boolean).join(' ');
}

import { fileURLToPath } from 'node:url';

/** The script of each process, by its path in the repository. */
export const SERVICE_SCRIPTS = [
  'packages/admin/src/main.ts',
  'packages/api/src/main.ts',
  'packages/rest-adapter/src/main.ts',
  'tools/sandbox/src/main.ts',
  'tools/sandbox/src/receiver/main.ts',
  'packages/upstream/src/fakes/main.ts',
  'packages/upstream/src/sandbox-server/main.ts',
  'packages/worker/src/main.ts',
] as const;

export type ServiceScript = (typeof SERVICE_SCRIPTS)[number];

const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/**
 * The file to run. Tests and benchmarks choose it by `TIDEGATE_TEST_PROCESSES`:
 * - `bundles`: tests bundled every process. A bundle starts in half the processor time
 *   (tests/run-services/bundle-processes.ts).
 * - `built`: `npm run build` made the processes that are shipped, as they are in an image.
 */
export function scriptOf(script: ServiceScript): string {
  const kind = process.env.TIDEGATE_TEST_PROCESSES;
  if (kind === 'bundles') return bundleOf(script);
  return kind === 'built' && isShipped(script) ? builtOf(script) : sourceOf(script);
}

/** The TypeScript file, which Node runs as it is. */
export const sourceOf = (script: ServiceScript) => inRepository(script);

/** Where a process's bundle is: in its own package, so that it finds the packages that are not in the bundle. */
export function bundleOf(script: ServiceScript): string {
  const [folder = '', name = '', ...path] = script.split('/');
  return inRepository(`${folder}/${name}/node_modules/.cache/tidegate-bundles/${path.join('-')}.mjs`);
}

/** Node's arguments for a built process, as its image has them: `TIDEGATE_TEST_NODE_ARGS`, JSON by the name of its package. */
export function nodeArgsOf(file: string): readonly string[] {
  const name = /\/packages\/([^/]+)\/dist\//.exec(file)?.[1] ?? '';
  const args: Readonly<Record<string, readonly string[]>> = JSON.parse(process.env.TIDEGATE_TEST_NODE_ARGS ?? '{}');
  return args[name] ?? [];
}

/** Not the sandbox's own processes. */
const isShipped = (script: ServiceScript) => /^packages\/(api|rest-adapter|worker)\//.test(script);

function builtOf(script: ServiceScript): string {
  const [, name = ''] = script.split('/');
  return inRepository(`packages/${name}/dist/${script.replace(/\.ts$/, '.js')}`);
}

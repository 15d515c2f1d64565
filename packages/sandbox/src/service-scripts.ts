import { fileURLToPath } from 'node:url';

/** The script of each process, by its path below `packages/`. */
export const SERVICE_SCRIPTS = [
  'api/src/main.ts',
  'rest-adapter/src/main.ts',
  'sandbox/src/main.ts',
  'sandbox/src/receiver/main.ts',
  'upstream/src/fakes/main.ts',
  'upstream/src/sandbox-server/main.ts',
  'worker/src/main.ts',
] as const;

export type ServiceScript = (typeof SERVICE_SCRIPTS)[number];

const inPackages = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * The file to run. Tests set `TIDEGATE_TEST_BUNDLES=yes` after they bundled every process: a bundle starts in half the
 * processor time (tests/run-services/bundle-processes.ts).
 */
export function scriptOf(script: ServiceScript): string {
  return process.env.TIDEGATE_TEST_BUNDLES === 'yes' ? bundleOf(script) : sourceOf(script);
}

/** The TypeScript file, which Node runs as it is. */
export const sourceOf = (script: ServiceScript) => inPackages(script);

/** Where a process's bundle is: in its own package, so that it finds the packages that are not in the bundle. */
export function bundleOf(script: ServiceScript): string {
  const [name = '', ...path] = script.split('/');
  return inPackages(`${name}/node_modules/.cache/tidegate-bundles/${path.join('-')}.mjs`);
}

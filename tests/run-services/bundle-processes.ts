import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { bundleOf, SERVICE_SCRIPTS, type ServiceScript, sourceOf } from '../../packages/sandbox/src/service-scripts.ts';
import { writeAtomically } from '../../packages/sandbox/src/write-atomically.ts';

/** The queue board finds its page by a `require.resolve` that no bundler can see. GraphiQL is 9 MB that few tests load. */
const LEFT_OUT = [/^@bull-board\//, /^@graphql-yoga\/render-graphiql$/];

/** Some modules read files of their own folder. In a bundle they have to find them too. */
const ownPlace: Plugin = {
  name: 'own-place',
  transform: {
    filter: { code: /import\.meta\.(url|dirname|filename)|\b__(dirname|filename)\b/ },
    handler: (code, id) => {
      const texts: Record<string, string> = {
        url: pathToFileURL(id).href,
        dirname: dirname(id),
        filename: id,
      };
      return code.replace(
        /\bimport\.meta\.(url|dirname|filename)\b|\b__(dirname|filename)\b/g,
        (_, ofModule, ofScript) => JSON.stringify(texts[ofModule ?? ofScript]),
      );
    },
  },
};

/**
 * Bundles each process that tests start, with all packages that it uses. Most of a start is the loading of about 2,000
 * modules. A run of the system tests starts over a hundred processes.
 */
export async function bundleProcesses(): Promise<void> {
  await Promise.all(SERVICE_SCRIPTS.map(bundle));
}

async function bundle(script: ServiceScript): Promise<void> {
  const build = await rolldown({
    input: sourceOf(script),
    platform: 'node',
    external: LEFT_OUT,
    plugins: [ownPlace],
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  const file = bundleOf(script);
  mkdirSync(dirname(file), { recursive: true });
  // Another run may be starting the same process from the same file.
  writeAtomically(file, output[0].code);
}

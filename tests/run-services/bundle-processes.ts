import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundleProcess, COMMON_OUTPUT } from '../../scripts/bundle-process.mjs';
import { bundleOf, SERVICE_SCRIPTS, type ServiceScript, sourceOf } from '../../tools/sandbox/src/service-scripts.ts';
import { writeAtomically } from '../../tools/sandbox/src/write-atomically.ts';

// Bundles each process that tests start, with all packages that it uses. Most of a start is the loading of about 2,000
// modules. A run of all tests starts hundreds of processes. They are bundled one after the other: side by side takes
// nearly twice the processor time.
for (const script of SERVICE_SCRIPTS) await bundle(script);

async function bundle(script: ServiceScript): Promise<void> {
  const file = bundleOf(script);
  const build = await bundleProcess(sourceOf(script), dirname(file));
  const { output } = await build.generate({ ...COMMON_OUTPUT, codeSplitting: false });
  await build.close();
  mkdirSync(dirname(file), { recursive: true });
  // Another run may be starting the same process from the same file.
  writeAtomically(file, output[0].code);
}

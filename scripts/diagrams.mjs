// npm run diagrams: draws the diagrams of ARCHITECTURE.md as docs/images/*.svg, with Mermaid in Chromium.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { handOver, prepareMachine, ROOT, run } from './machine.mjs';

const MERMAID = 'mermaid@11.12.1';
const folder = join(ROOT, 'node_modules', '.cache', MERMAID);
const script = join(folder, 'node_modules', 'mermaid', 'dist', 'mermaid.min.js');

const node = await prepareMachine({ redis: false, browser: true });
// Large, and needed only here: so it is not a dependency of the project.
if (!existsSync(script)) {
  const code = await run('npm', [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--prefix',
    folder,
    MERMAID,
  ]);
  if (code !== 0) process.exit(code);
}
await handOver(node, [join(ROOT, 'tests', 'pictures', 'draw-diagrams.ts'), script]);

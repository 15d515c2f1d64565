import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { closeBrowser, openPage } from '../browser.ts';
import { readDiagrams, sourceMark } from './diagrams.ts';

// npm run diagrams -- <mermaid.min.js>: draws the diagrams of ARCHITECTURE.md in Chromium.

const root = fileURLToPath(new URL('../..', import.meta.url));
const [mermaid = ''] = process.argv.slice(2);

const diagrams = readDiagrams(readFileSync(`${root}/ARCHITECTURE.md`, 'utf8'));
const { page } = await openPage();
await page.setContent('<!doctype html><body></body>');
await page.addScriptTag({ path: mermaid });
for (const { source, svgPath } of diagrams) {
  const svg = await page.evaluate(draw, source);
  writeFileSync(`${root}/${svgPath}`, `${svg}\n${sourceMark(source)}\n`);
  console.log(svgPath);
}
await closeBrowser();

/** Runs in the page. */
async function draw(source: string): Promise<string> {
  interface Mermaid {
    initialize(options: object): void;
    render(id: string, source: string): Promise<{ svg: string }>;
  }
  const { mermaid } = globalThis as unknown as { mermaid: Mermaid };
  mermaid.initialize({ startOnLoad: false, theme: 'neutral', htmlLabels: false, flowchart: { htmlLabels: false } });
  const { svg } = await mermaid.render('diagram', source);
  return svg;
}

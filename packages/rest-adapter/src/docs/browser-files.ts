import { readFileSync } from 'node:fs';

/** The pages' own styles and scripts: files of the folder `browser`, served unchanged. */
export function readBrowserFile(name: string): string {
  return readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');
}

/** MiniSearch as an ES module. Its source map is not served. */
export function readSearchLibrary(): string {
  const text = readFileSync(new URL(import.meta.resolve('minisearch')), 'utf8');
  const map = text.lastIndexOf('//# sourceMappingURL=');
  return map === -1 ? text : text.slice(0, map);
}

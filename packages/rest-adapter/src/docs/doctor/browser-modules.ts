import { readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PACKAGES = new URL('../../../../', import.meta.url);
/** The page's script. All other modules are imported from it. */
const ENTRY = new URL('./page.js', import.meta.url);
const FOLDER = '/docs/doctor/';
const MOST = 100;

export const entryPath = pathOf(ENTRY);

/**
 * The doctor's modules for a browser, by URL path: without types, as Node runs them, and with imports by path. Throws
 * if one needs something that browsers lack.
 */
export function readBrowserModules(): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const waiting = [ENTRY];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const path = pathOf(next);
    if (modules.has(path)) continue;
    if (modules.size >= MOST) throw new Error(`the doctor is more than ${MOST} modules`);
    const { text, imported } = readModule(next);
    modules.set(path, text);
    waiting.push(...imported);
  }
  return modules;
}

function readModule(file: URL): { text: string; imported: URL[] } {
  const imported: URL[] = [];
  const source = readFileSync(file, 'utf8');
  const code = file.pathname.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  const text = code.replaceAll(/\b(from|import) '([^']+)'/g, (_, word, name) => {
    if (name.startsWith('node:')) throw new Error(`${fileURLToPath(file)} needs ${name}, which a browser has not`);
    const target = pathToFileURL(createRequire(file).resolve(name));
    imported.push(target);
    return `${word} '${pathOf(target)}'`;
  });
  return { text, imported };
}

function pathOf(file: URL): string {
  return FOLDER + file.href.slice(PACKAGES.href.length).replace(/\.ts$/, '.js');
}

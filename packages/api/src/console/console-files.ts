import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { makeStaticFile, type StaticFile } from '@tidegate/process';
import { type PersistedOperations, readPersistedOperations } from '../graphql/persisted-operations.ts';
import { consoleHeaders } from './console-headers.ts';

/**
 * The files of the console, by their paths below `/console/`. Only these paths are served, so no path leads to another
 * file.
 */
export interface ConsoleFiles {
  /** The page that answers every path of the console; null if the console was not built. */
  page(): StaticFile | null;
  /** The file of this path; null if there is none. */
  file(path: string): StaticFile | null;
  /** The GraphQL operations of the console's pages, by their hashes. They are not served as files. */
  operations(): PersistedOperations;
}

interface Build {
  files: ReadonlyMap<string, StaticFile>;
  operations: PersistedOperations;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
/** The folder of files with a hash in their names. */
export const hashedFolder = 'assets/';
const forEver = 'public, max-age=31536000, immutable';
const pageFile = 'index.html';
const operationsFile = 'documents.json';
const maxFiles = 2_000;
const maxBytes = 64 * 1024 * 1024;
/** The interval in which a folder that may change is checked, in milliseconds. */
const lookAgainMs = 1_000;

/**
 * Reads the folder once. `mayChange`: reads it again when its `index.html` is another one, so that a developer sees a new
 * build without a restart. Throws if it holds more than a console can.
 */
export function openConsoleFiles(folder: string, { mayChange }: { mayChange: boolean }): ConsoleFiles {
  let build = readBuild(folder);
  let builtAt = timeOf(folder);
  let lookedAt = performance.now();
  const current = (): Build => {
    if (!mayChange || performance.now() - lookedAt < lookAgainMs) return build;
    lookedAt = performance.now();
    const time = timeOf(folder);
    if (time !== builtAt) build = readBuild(folder);
    builtAt = time;
    return build;
  };
  return {
    page: () => current().files.get(pageFile) ?? null,
    file: (path) => (path === pageFile ? null : (current().files.get(path) ?? null)),
    operations: () => current().operations,
  };
}

function readBuild(folder: string): Build {
  const file = join(folder, operationsFile);
  return { files: readFolder(folder), operations: existsSync(file) ? readPersistedOperations(file) : new Map() };
}

function timeOf(folder: string): number | null {
  return statSync(join(folder, pageFile), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function readFolder(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  if (timeOf(folder) === null) return files;
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    // A symbolic link could lead to a file outside the folder.
    if (!entry.isFile() || type === undefined) continue;
    const whole = join(entry.parentPath, entry.name);
    const path = relative(folder, whole).replaceAll(sep, '/');
    if (path === operationsFile) continue;
    const content = readFileSync(whole);
    bytes += content.length;
    if (files.size >= maxFiles || bytes > maxBytes)
      throw new Error(`${folder} has more than ${maxFiles} files or ${maxBytes} bytes: it is no console`);
    files.set(path, makeStaticFile(type, headersOf(path), content));
  }
  return files;
}

function headersOf(path: string): Readonly<Record<string, string>> {
  const cacheControl = path.startsWith(hashedFolder) ? forEver : path === pageFile ? 'no-store' : 'no-cache';
  return { ...consoleHeaders, 'cache-control': cacheControl };
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Repository } from './references.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders that are not part of the repository, because tools write them. */
const NOT_KEPT = /^(node_modules|dist(-\d+(-old)?)?|test-output|coverage|\.git|\.turbo|\.vitest|\.data.*|secrets)$/;

function walk(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_KEPT.test(entry.name)) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? [path, ...walk(path)] : [path];
  });
}

/** The repository's files on the disk, with or without git. */
export function openRepository(): Repository {
  const texts = new Map<string, string>();
  return {
    paths: new Set(walk('')),
    read(path) {
      const text = texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
      texts.set(path, text);
      return text;
    },
  };
}

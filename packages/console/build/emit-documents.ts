import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { generateDocuments } from './generate-documents.ts';

/** Generates the documents before a build, and adds `documents.json`, from which the API knows them. */
export function emitDocuments(): Plugin {
  return {
    name: 'emit-documents',
    buildStart: generateDocuments,
    generateBundle() {
      const source = readFileSync(join(import.meta.dirname, '..', 'src', 'generated', 'documents.json'), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'documents.json', source });
    },
  };
}

import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addTypenameSelectionDocumentTransform, preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildASTSchema, type DefinitionNode, type DocumentNode, Kind, parse, Source } from 'graphql';
import { describeOperations } from './describe-operations.ts';

const PACKAGE = join(import.meta.dirname, '..');
const SCHEMA = join(PACKAGE, '..', 'api', 'schema.graphql');
const OUT = join(PACKAGE, 'src', 'generated');

/**
 * Makes src/generated out of every .graphql file below src and the schema of the API:
 * - `documents.generated.ts`: types, and each operation as a stub that holds its name and hash
 * - `documents.json`: the texts by their SHA-256, which the API reads
 * - `operations.generated.ts`: what the schema says about each mutation
 */
export async function generateDocuments(): Promise<void> {
  const schema = parse(new Source(readFileSync(SCHEMA, 'utf8'), SCHEMA));
  const documents = readDocuments();
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: `${OUT}/`,
    schema,
    schemaAst: buildASTSchema(schema),
    documents,
    documentTransforms: [{ name: 'typename', transformObject: addTypenameSelectionDocumentTransform, config: {} }],
    config: {
      useTypeImports: true,
      enumType: 'string-literal',
      scalars: { DateTime: 'string', Decimal: 'string', Percentage: 'string', Secrets: 'Record<string, string>' },
      importExtension: '.ts',
      avoidOptionals: false,
    },
    presetConfig: {
      fragmentMasking: false,
      persistedDocuments: { hashAlgorithm: (text: string) => createHash('sha256').update(text).digest('hex') },
    },
    plugins: [],
    pluginMap: {},
  });
  const written = new Map<string, string>();
  await Promise.all(
    sections
      .filter(({ filename }) => !/\/(gql|index)\.ts$/.test(filename))
      .map(async (section) => written.set(section.filename, await codegen(section))),
  );
  mkdirSync(OUT, { recursive: true });
  writeIfChanged('documents.generated.ts', withStubs(written.get(`${OUT}/graphql.ts`) ?? ''));
  writeIfChanged('documents.json', `${written.get(`${OUT}/persisted-documents.json`)}\n`);
  writeIfChanged('operations.generated.ts', describeOperations(schema));
}

interface DocumentFile {
  location: string;
  document: DocumentNode;
  rawSDL: string;
}

function readDocuments(): DocumentFile[] {
  const files = globSync('src/**/*.graphql', { cwd: PACKAGE }).toSorted();
  const names = new Set<string>();
  return files.map((file) => {
    const location = join(PACKAGE, file);
    const rawSDL = readFileSync(location, 'utf8');
    const document = parse(new Source(rawSDL, file));
    for (const definition of document.definitions) {
      const name = nameOf(definition);
      if (name === undefined) throw new Error(`${file}: every operation needs a name`);
      if (names.has(name)) throw new Error(`${file}: the name ${name} is used twice`);
      names.add(name);
    }
    return { location, document, rawSDL };
  });
}

function nameOf(definition: DefinitionNode): string | undefined {
  return 'name' in definition ? definition.name?.value : undefined;
}

/** Replaces each operation by a document without fields: urql needs its kind and name, the API its hash. */
function withStubs(code: string): string {
  const lines = code.split('\n').flatMap((line) => {
    const found = /^export const (\w+) = (\{.*\}) as unknown as (DocumentNode<.*>);$/.exec(line);
    if (!found) return [line];
    const [, name, json = '', type] = found;
    const document = JSON.parse(json) as DocumentNode & { __meta__?: { hash: string } };
    const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    if (!operation || !document.__meta__) return [];
    const stub = [operation.operation, operation.name?.value, document.__meta__.hash].map((text) => `'${text}'`);
    return [`export const ${name} = /* @__PURE__ */ stub<${type}>(${stub.join(', ')});`];
  });
  return ["import { stub } from '../graphql/stub.ts';", ...lines].join('\n');
}

/** An unchanged file keeps its time, so that the development server does not reload. */
function writeIfChanged(name: string, text: string): void {
  const file = join(OUT, name);
  try {
    if (readFileSync(file, 'utf8') === text) return;
  } catch {
    // It is new.
  }
  // Whole or not at all: another build may read it meanwhile.
  const written = `${file}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, file);
}

if (import.meta.main) await generateDocuments();

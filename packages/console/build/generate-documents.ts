import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { addTypenameSelectionDocumentTransform, preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildASTSchema, type DefinitionNode, type DocumentNode, Kind, parse, Source } from 'graphql';
import { describeOperations } from './describe-operations.ts';

const PACKAGE = join(import.meta.dirname, '..');
const SCHEMA = join(PACKAGE, '..', 'api', 'schema.graphql');
const OUT = join(PACKAGE, 'src', 'generated');

/**
 * Makes src/generated out of every .graphql file below src and the schema of the API:
 * - `types.generated.ts`: the types of all documents
 * - `documents.generated.ts`: types and documents of all screens
 * - `stubs/<folder>.generated.ts`: each operation of a screen as a stub that holds its name and hash, so that it is loaded with the screen
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
  const { types, stubs } = divide(written.get(`${OUT}/graphql.ts`) ?? '', foldersOf(documents));
  mkdirSync(join(OUT, 'stubs'), { recursive: true });
  for (const [folder, lines] of stubs) writeIfChanged(join('stubs', `${folder}.generated.ts`), stubFile(lines));
  const all = [...stubs.keys()].map((folder) => `export * from './stubs/${folder}.generated.ts';`);
  writeIfChanged('types.generated.ts', types.join('\n'));
  writeIfChanged('documents.generated.ts', ["export type * from './types.generated.ts';", ...all, ''].join('\n'));
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

/** The folder below src of each operation, by its name. */
function foldersOf(documents: readonly DocumentFile[]): Map<string, string> {
  const folders = new Map<string, string>();
  for (const { location, document } of documents)
    for (const definition of document.definitions)
      folders.set(nameOf(definition) ?? '', relative(join(PACKAGE, 'src'), location).split(sep)[0] ?? '');
  return folders;
}

interface Divided {
  /** Lines with the types. */
  types: string[];
  /** Lines with stubs, by the folder of their screens. */
  stubs: Map<string, string[]>;
}

/** Takes the operations out of the code, each as a document without fields: urql needs its kind and name, the API its hash. */
function divide(code: string, folders: ReadonlyMap<string, string>): Divided {
  const stubs = new Map<string, string[]>();
  const types = code.split('\n').filter((line) => {
    if (line.startsWith('import type { TypedDocumentNode')) return false;
    const name = /^export const (\w+) = \{/.exec(line)?.[1];
    const [start, end] = [line.indexOf('{'), line.lastIndexOf(' as unknown as DocumentNode<')];
    if (name === undefined || end === -1) return true;
    const json = line.slice(start, end);
    const type = line.slice(end + ' as unknown as '.length, -1);
    const document = JSON.parse(json) as DocumentNode & { __meta__?: { hash: string } };
    const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    if (!operation || !document.__meta__) return false;
    const stub = [operation.operation, operation.name?.value, document.__meta__.hash].map((text) => `'${text}'`);
    const folder = folders.get(operation.name?.value ?? '') ?? 'app';
    const statement = `export const ${name} = /* @__PURE__ */ stub<${type}>(${stub.join(', ')});`;
    stubs.set(folder, [...(stubs.get(folder) ?? []), statement]);
    return false;
  });
  return { types, stubs };
}

/** A module with the stubs of a folder. It imports the types that they name. */
function stubFile(stubs: readonly string[]): string {
  const names = stubs.flatMap((line) => /DocumentNode<(\w+), (\w+)>/.exec(line)?.slice(1) ?? []);
  return [
    "import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';",
    "import { stub } from '../../state/stub.ts';",
    `import type { ${names.join(', ')} } from '../types.generated.ts';`,
    ...stubs,
    '',
  ].join('\n');
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

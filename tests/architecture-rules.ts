import { readFacts, type Source, type SourceFacts } from './source-facts.ts';

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 70;
const EMPTY_NAMES = /^(?:utils?|helpers?|shared|common)$/;

/** Which packages a package may use. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  signature: [],
  client: ['signature'],
  domain: ['signature'],
  settings: [],
  queue: ['domain', 'settings'],
  upstream: ['signature', 'domain', 'settings'],
  process: ['domain', 'settings'],
  // Its documentation shows the client's doctor.
  'rest-adapter': ['signature', 'client', 'domain', 'upstream', 'queue', 'settings', 'process'],
  worker: ['signature', 'domain', 'upstream', 'queue', 'settings', 'process'],
  api: ['signature', 'domain', 'upstream', 'queue', 'settings', 'process'],
  admin: ['signature', 'domain', 'upstream', 'queue', 'settings', 'process'],
  sandbox: ['signature', 'domain', 'upstream', 'queue', 'settings', 'process', 'rest-adapter', 'worker', 'api'],
  bench: ['signature', 'domain', 'sandbox'],
};

interface FolderRule {
  /** Other folders of the domain that it may use. */
  readonly folders: readonly string[];
  /** Packages and modules of Node that it may use; any where this is left out. */
  readonly packages?: readonly string[];
}

/** What is not named here, `testing` and the entry, may use all of the domain. */
const DOMAIN_FOLDERS: Readonly<Record<string, FolderRule>> = {
  // A hash is as pure as a sum, and so is asking which network an address lies in.
  core: { folders: [], packages: ['decimal.js', 'node:crypto', 'node:net'] },
  countries: { folders: ['core'], packages: ['zod', 'node:net', '@tidegate/signature'] },
  ports: { folders: ['core'], packages: [] },
  store: { folders: ['core', 'countries', 'ports'] },
  reads: { folders: ['core', 'countries', 'ports', 'store'] },
  usecases: { folders: ['core', 'countries', 'ports', 'store'] },
};

/** A line for everything in these files that breaks a rule; none when all is well. */
export function findViolations(sources: readonly Source[]): string[] {
  const files = sources.map(readFacts);
  const running = files.filter(({ path }) => !isTest(path));
  return [
    ...files.flatMap(nameAndSize),
    ...running.flatMap(functionSizes),
    ...running.flatMap(directions),
    ...running.filter(({ path }) => path.startsWith('packages/domain/src/core/')).flatMap(impurities),
    ...findCircles(running),
  ];
}

/** Tests, and contracts that tests run, are no part of what runs: they may reach across. */
function isTest(path: string): boolean {
  return /\.test\.ts$|[.-]contract\.ts$|^packages\/[^/]+\/(test|src\/testing)\/|^tests\//.test(path);
}

function nameAndSize({ path, lines }: SourceFacts): string[] {
  const empty = path.split('/').filter((part) => EMPTY_NAMES.test(part.replace(/\..*$/, '')));
  return [
    ...empty.map((name) => `${path}: the name ${name} says nothing about what is in it`),
    ...(lines > MAX_FILE_LINES ? [`${path}: ${lines} lines, at most ${MAX_FILE_LINES}`] : []),
  ];
}

function functionSizes({ path, functions }: SourceFacts): string[] {
  return functions
    .filter(({ lines }) => lines > MAX_FUNCTION_LINES)
    .map(({ line, lines }) => `${path}:${line}: a function of ${lines} lines, at most ${MAX_FUNCTION_LINES}`);
}

function directions({ path, imports }: SourceFacts): string[] {
  return imports
    .filter(({ to }) => !mayImport(path, to))
    .map(({ line, to }) => `${path}:${line}: must not import ${to}`);
}

function mayImport(path: string, to: string): boolean {
  const from = placeOf(path);
  const target = placeOf(to);
  const rule = from.package === 'domain' ? DOMAIN_FOLDERS[from.folder] : undefined;
  if (target.package !== '') {
    if (target.package !== from.package) return false;
    return rule === undefined || target.folder === from.folder || rule.folders.includes(target.folder);
  }
  const ours = /^@tidegate\/([^/]+)/.exec(to)?.[1];
  if (ours !== undefined && !PACKAGES[from.package]?.includes(ours)) return false;
  return rule?.packages?.includes(to) ?? true;
}

/** The package, and the folder below its `src`, that a path of the repository lies in; empty for what lies elsewhere. */
function placeOf(path: string): { package: string; folder: string } {
  const [, owner = '', folder = ''] = /^packages\/([^/]+)\/(?:src\/([^/]+)\/)?/.exec(path) ?? [];
  return { package: owner, folder };
}

function impurities(facts: SourceFacts): string[] {
  return facts.impurities.map(({ line, what }) => `${facts.path}:${line}: core is pure, ${what} is not`);
}

/** A line for each circle of imports, told from the file that comes first by name. */
function findCircles(files: readonly SourceFacts[]): string[] {
  const graph = new Map(files.map(({ path, imports }) => [path, imports.filter(({ typeOnly }) => !typeOnly)]));
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) {
      const circle = trail.slice(trail.indexOf(path));
      const first = circle.indexOf(circle.toSorted()[0] ?? path);
      const told = [...circle.slice(first), ...circle.slice(0, first)];
      found.add([...told, told[0]].join(' -> '));
    } else if (!done.has(path)) {
      for (const { to } of graph.get(path) ?? []) visit(to, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of graph.keys()) visit(path, []);
  return [...found].map((circle) => `import circle: ${circle}`);
}

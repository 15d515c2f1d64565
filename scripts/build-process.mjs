// The `build` of a process's package, run in its folder. It fills dist with:
//
// - The process, bundled. main.js has our code, packages.js that of the production packages. What is loaded later has files of its own.
// - A pnpm workspace of its package and of our packages that it uses. It has the files that these read.
// - The production packages of the one lockfile, for what is not in the bundle.
//
// Files keep their paths in the repository, so that lookups by path work.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { bundleProcess, COMMON_OUTPUT } from './bundle-process.mjs';
import { PNPM, ROOT } from './machine.mjs';

/** The file of the bundle with the code of all packages that are not ours. */
const PACKAGES = 'packages';

const name = basename(process.cwd());
const dist = join(ROOT, 'packages', name, 'dist');
const pruned = mkdtempSync(join(tmpdir(), 'tidegate-prune-'));

try {
  rmSync(dist, { recursive: true, force: true });
  run('turbo', ['prune', `@tidegate/${name}`, '--out-dir', pruned]);
  const parts = readdirSync(join(pruned, 'packages')).map((part) => join('packages', part));
  const { modulesForBrowsers = [], threads = [] } = readJson('package.json');
  await writeBundle(threads);
  for (const thread of threads) await writeThread(thread);
  if (modulesForBrowsers.length > 0) compile(modulesForBrowsers);
  cpSync(join(pruned, 'pnpm-workspace.yaml'), join(dist, 'pnpm-workspace.yaml'));
  for (const part of parts) copyPart(part);
  if (name === 'api') copyConsole();
  install();
} finally {
  rmSync(pruned, { recursive: true, force: true });
}

/**
 * Writes what `main.ts` reaches, and nothing else: no tests, no sandbox. Errors name the TypeScript of our own code by a source map. It
 * starts the bundles of `threads` instead of their sources.
 */
async function writeBundle(threads) {
  const src = join('packages', name, 'src');
  const main = join(ROOT, src, 'main.ts');
  const bundle = await bundleProcess(main, join(ROOT, src));
  const { output } = await bundle.generate({
    ...COMMON_OUTPUT,
    dir: join(ROOT, src),
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: packagesAtStart(main), debugName: PACKAGES, test: /node_modules/ }] },
    sourcemap: 'hidden',
  });
  await bundle.close();
  const sources = threads.map((path) => `./${basename(path)}`);
  const unused = sources.filter((path) => !output.some(({ code }) => code?.includes(path)));
  if (unused.length > 0) throw new Error(`${name} starts no thread of ${unused.join(', ')}`);
  for (const { type, name: chunk, fileName, code: text, map } of output) {
    if (type !== 'chunk') continue;
    const code = sources.reduce((before, path) => before.replaceAll(path, path.replace(/\.ts$/, '.js')), text);
    // Node reads a whole source map into memory. That of all packages takes over 100 MB.
    const isMapped = chunk !== PACKAGES && map !== null;
    const file = join(dist, src, fileName);
    if (isMapped) writeMapped(file, code, map);
    else write(file, code);
  }
}

/** Bundles the code of a thread into one file, at its place in the repository. It has only what the thread needs. */
async function writeThread(path) {
  const file = join(process.cwd(), path);
  const bundle = await bundleProcess(file, dirname(file));
  const { output } = await bundle.generate({ ...COMMON_OUTPUT, codeSplitting: false, sourcemap: 'hidden' });
  await bundle.close();
  const [{ code, map }] = output;
  writeMapped(join(dist, relative(ROOT, file).replace(/\.ts$/, '.js')), code, map);
}

function writeMapped(file, code, map) {
  write(file, `${code}\n//# sourceMappingURL=${basename(file)}.map\n`);
  write(`${file}.map`, JSON.stringify(withLinesOnly(map)));
}

/** Gives the modules of packages that `main` loads at its start one file. What is loaded later, by an `import()`, gets files of its own. */
function packagesAtStart(main) {
  let loaded;
  return (id, bundle) => {
    if (!loaded) {
      loaded = new Set([main]);
      for (const one of loaded)
        for (const imported of bundle.getModuleInfo(one)?.importedIds ?? []) loaded.add(imported);
    }
    return loaded.has(id) ? PACKAGES : null;
  };
}

/** A source map that knows the origin of each line, but not of each word: Node keeps about 120 bytes for each position. */
function withLinesOnly({ version, sources, mappings }) {
  const lines = decode(mappings).map((positions) => {
    const [, source, line] = positions.find((position) => position.length > 1) ?? [];
    return source === undefined ? [] : [[0, source, line, 0]];
  });
  return { version, sources, names: [], mappings: encode(lines) };
}

/** Compiles modules that the process does not run but serves to browsers, and all that these import. */
function compile(modules) {
  const emit = { noEmit: false, rootDir: ROOT, outDir: dist };
  const config = join(dist, 'tsconfig.json');
  const files = modules.map((path) => join(process.cwd(), path));
  writeJson(config, { extends: join(ROOT, 'tsconfig.json'), compilerOptions: emit, files, include: [] });
  run('tsc', ['-p', config]);
  rmSync(config);
}

/** A package.json for the built package, with only what is needed at run time, so without its scripts. */
function copyPart(part) {
  const {
    exports,
    assets = [],
    modulesForBrowsers,
    scripts,
    threads,
    ...manifest
  } = readJson(join(ROOT, part, 'package.json'));
  const compiled = exports && JSON.parse(JSON.stringify(exports).replaceAll('.ts"', '.js"'));
  writeJson(join(dist, part, 'package.json'), { ...manifest, ...(compiled && { exports: compiled }) });
  for (const asset of assets) {
    const copy = join(dist, part, asset);
    if (existsSync(copy))
      throw new Error(`${asset} of ${part} has the name of a file of the bundle: call it differently`);
    cpSync(join(ROOT, part, asset), copy, { recursive: true });
  }
}

/** The API serves the console's files, which turbo.json has built before, from the same place as in the checkout. */
function copyConsole() {
  const built = join('packages', 'console', 'dist');
  cpSync(join(ROOT, built), join(dist, built), { recursive: true });
}

/** Packages of the repository's root are build tools, so none of them is installed. */
function install() {
  const { version, license, type } = readJson(join(ROOT, 'package.json'));
  // The compiler keeps new syntax, and the built code is tested on no older Node.
  const engines = { node: '>=24' };
  writeJson(join(dist, 'package.json'), { name: `tidegate-${name}`, version, private: true, license, type, engines });
  const lock = readFileSync(join(pruned, 'pnpm-lock.yaml'), 'utf8');
  writeFileSync(join(dist, 'pnpm-lock.yaml'), lock.replace(/^ {2}\.:\n(?: {4}.*\n)+/m, '  .: {}\n'));
  const how = ['--prod', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts', '--reporter=append-only'];
  run('npx', ['--yes', '--prefer-offline', PNPM, 'install', ...how], dist);
}

function run(command, args, cwd = ROOT) {
  const path = `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}`;
  const { status, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, PATH: path, CI: 'true' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status ?? error?.message}`);
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeJson(file, value) {
  write(file, `${JSON.stringify(value, null, 2)}\n`);
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

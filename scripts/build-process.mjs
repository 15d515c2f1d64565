// The `build` of a process's package, run in its folder. It fills dist with a pnpm workspace of that package and its dependencies:
// our own packages as JavaScript, and the production packages of the one lockfile. Files keep their paths in the repository,
// so that lookups by path work.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { PNPM, ROOT } from './machine.mjs';

const name = basename(process.cwd());
const dist = join(ROOT, 'packages', name, 'dist');
const pruned = mkdtempSync(join(tmpdir(), 'tidegate-prune-'));

try {
  rmSync(dist, { recursive: true, force: true });
  run('turbo', ['prune', `@tidegate/${name}`, '--out-dir', pruned]);
  const parts = readdirSync(join(pruned, 'packages')).map((part) => join('packages', part));
  compile(parts);
  cpSync(join(pruned, 'pnpm-workspace.yaml'), join(dist, 'pnpm-workspace.yaml'));
  for (const part of parts) copyPart(part);
  if (name === 'api') copyConsole();
  install();
} finally {
  rmSync(pruned, { recursive: true, force: true });
}

/** Compiles what `main.ts` reaches, and nothing else: no tests, no sandbox. Our packages are given by path, because TypeScript skips them as packages. */
function compile(parts) {
  const paths = parts.flatMap((part) => {
    const { name, exports = {} } = readJson(join(ROOT, part, 'package.json'));
    return Object.entries(exports).map(([entryPoint, file]) => [
      entryPoint.replace('.', name),
      [join(ROOT, part, file)],
    ]);
  });
  const emit = { noEmit: false, rootDir: ROOT, outDir: dist, sourceMap: true, paths: Object.fromEntries(paths) };
  const config = join(dist, 'tsconfig.json');
  const files = [join(ROOT, 'packages', name, 'src', 'main.ts')];
  writeJson(config, { extends: join(ROOT, 'tsconfig.json'), compilerOptions: emit, files, include: [] });
  run('tsc', ['-p', config]);
  rmSync(config);
}

/** A package.json for the built package: JavaScript in place of TypeScript, and only what is needed at run time, so without its scripts. */
function copyPart(part) {
  const { exports, assets = [], scripts, ...manifest } = readJson(join(ROOT, part, 'package.json'));
  const compiled = exports && JSON.parse(JSON.stringify(exports).replaceAll('.ts"', '.js"'));
  writeJson(join(dist, part, 'package.json'), { ...manifest, ...(compiled && { exports: compiled }) });
  for (const asset of assets) {
    const copy = join(dist, part, asset);
    if (existsSync(copy))
      throw new Error(`${asset} of ${part} has the name of something compiled: call it differently`);
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
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

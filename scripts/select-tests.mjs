// Which test files a command line of npm test selects, and which programs these need. Plain JavaScript: an older Node reads it too.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './machine.mjs';

/** A test needs a program if its text, or the text of its helpers, matches this. */
const NEEDS = {
  browser: /\/browser\.ts'/,
  php: /'php'/,
  postgres: /own-pgbouncer|ops\/postgres|'psql'/,
  promtool: /promtool/,
  patroni: /own-patroni/,
};

const TIERS = ['architecture', 'unit', 'integration', 'system', 'nightly', 'measured'];
const BY_DEFAULT = ['unit', 'integration', 'system'];

/** Reads the command line (`--except` leaves a folder out): the selected files, the tiers to run in their order, and vitest's own flags. Ends the process if nothing is selected. */
export function readSelection(args) {
  const all = listTestFiles();
  const wanted = [];
  const flags = [];
  const except = [];
  let tiers = null;
  const rest = [...args];
  while (rest.length > 0) {
    const arg = rest.shift();
    if (arg === '--tier') tiers = (rest.shift() ?? '').split(',');
    else if (arg.startsWith('--tier=')) tiers = arg.slice('--tier='.length).split(',');
    else if (arg === '--except') except.push(`${cleanPath(rest.shift() ?? '')}/`);
    else if (arg === '-t') wanted.push(rest.shift() ?? '');
    else (arg.startsWith('-') ? flags : wanted).push(arg);
  }
  const wrong = tiers?.find((tier) => !TIERS.includes(tier));
  if (wrong !== undefined) stop(`There is no tier "${wrong}". The tiers are ${TIERS.join(', ')}.`);
  const paths = wanted.filter((part) => all.some((file) => file.includes(cleanPath(part)))).map(cleanPath);
  const names = wanted.filter((part) => !paths.includes(cleanPath(part)));
  const noPath = names.find((part) => part.endsWith('.ts') || (part.includes('/') && /^[\w./-]+$/.test(part)));
  if (noPath !== undefined) stop(`No test file has "${noPath}" in its path. Pure tests are called *.unit.test.ts.`);
  const named = names.length === 0 ? all : all.filter((file) => hasName(file, names));
  const files = named.filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)));
  if (names.length > 0) flags.push('-t', names.map(asPattern).join('|'));
  // A selection can be in any tier. Without a selection the nightly tests do not run.
  const selected = tiers ?? (wanted.length > 0 ? TIERS : BY_DEFAULT);
  const within = files.filter(
    (file) => selected.includes(tierOf(file)) && !except.some((folder) => file.startsWith(folder)),
  );
  if (within.length === 0) stop(`No test has "${wanted.join(' ')}" in its path or name.`);
  return { files: within, tiers: selected, flags, isWhole: wanted.length === 0 && except.length === 0 };
}

const cleanPath = (path) => path.replace(/^\.\//, '').replace(/\/$/, '');
const asPattern = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function hasName(file, names) {
  const text = readFileSync(join(ROOT, file), 'utf8').toLowerCase();
  return names.some((name) => text.includes(name.toLowerCase()));
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

/** Every test file of the repository, as paths from its root. */
function listTestFiles() {
  return ['packages', 'tools', 'tests']
    .flatMap((folder) => walk(join(ROOT, folder)))
    .map((file) => relative(ROOT, file));
}

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return walk(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/**
 * The tier of a test file: `unit` is pure code, `nightly` takes long, `measured` compares times and sizes, `system` starts real processes, `integration` is the rest;
 * `architecture` is part of npm run check.
 */
export function tierOf(file) {
  if (file === 'tests/architecture.test.ts' || file.startsWith('tests/repository/')) return 'architecture';
  if (file.endsWith('.unit.test.ts')) return 'unit';
  if (file.startsWith('tests/measured/') || file.endsWith('.measured.test.ts')) return 'measured';
  if (file.startsWith('tests/nightly/') || file.endsWith('.nightly.test.ts')) return 'nightly';
  return file.startsWith('tests/') ? 'system' : 'integration';
}

/** The programs that prepareMachine has to install for these files. */
export function needsOf(files) {
  const seen = new Set();
  const texts = files.flatMap((file) => textsOf(join(ROOT, file), seen));
  const needs = { redis: files.some((file) => !['architecture', 'unit'].includes(tierOf(file))) };
  for (const [name, pattern] of Object.entries(NEEDS)) needs[name] = texts.some((text) => pattern.test(text));
  return needs;
}

/** The text of a test and of the helpers that it imports by a relative path, but not of what is tested. */
function textsOf(file, seen) {
  if (seen.has(file) || !existsSync(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const helpers = [...text.matchAll(/from '(\.[^']+\.ts)'/g)]
    .map(([, path]) => join(dirname(file), path))
    .filter((path) => /\/(tests?|testing)\//.test(relative(ROOT, path)) || path.startsWith(join(ROOT, 'tests')));
  return [text, ...helpers.flatMap((helper) => textsOf(helper, seen))];
}

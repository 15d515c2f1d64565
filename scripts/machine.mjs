// Sets the machine up for everything that the commands of package.json run. Plain JavaScript: an older Node than the
// one that runs Tidegate itself has to be able to read it.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUnpacked, unpackFromDebian } from './debian.mjs';
import { describeLog, runInstaller } from './installer.mjs';
import { takeLock } from './lock.mjs';
import { BROWSERS, findBrowser, findOnPath } from './programs.mjs';
import { fetchPromtool, isPromtoolUnpacked } from './promtool.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const PNPM = 'pnpm@12.21.0';
const OLDEST_NODE = 20;
const WANTED_NODE = 24;
const STAMP = join(ROOT, 'node_modules', '.tidegate-installed');
/** What apt-get and pnpm print. */
const INSTALL_LOG = join(ROOT, 'install.log');

/**
 * Makes sure of Node, the packages and, if `redis`, `browser`, `php`, `postgres` and `promtool` say so, redis-server, Chromium, PHP, psql and PgBouncer, and
 * promtool; if `patroni` says so, Patroni with what belongs to it; prints nothing when all of them are installed. Returns the Node that runs Tidegate. Ends the process with a message if Node, the packages or redis-server cannot be installed.
 * Without one of the others it goes on: tests that need it are skipped or fail.
 */
export async function prepareMachine({
  redis,
  browser = false,
  php = false,
  postgres = false,
  promtool = false,
  patroni = false,
}) {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    stop(`This needs Node ${OLDEST_NODE} or later; the one that runs it is ${process.versions.node}.`);
  }
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
    stop(`Tidegate's local sandbox runs on Linux on x64 or arm64; this is ${process.platform} on ${process.arch}.`);
  }
  const isThere = (wanted, program) => !wanted || findOnPath(program);
  const hasBrowser = () => !browser || findBrowser() !== undefined;
  if (isInstalled() && isThere(redis, 'redis-server') && hasBrowser() && isThere(php, 'php'))
    if (isThere(postgres, 'psql') && (!postgres || isUnpacked('pgbouncer')) && (!promtool || isPromtoolUnpacked()))
      if (!patroni || isUnpacked('patroni')) return findNode();
  const unlock = await lockInstallation();
  rmSync(INSTALL_LOG, { force: true });
  try {
    if (!isInstalled()) await installPackages();
    if (!isThere(redis, 'redis-server')) await installRedis();
    if (!hasBrowser()) await installBrowser();
    if (!isThere(php, 'php')) await installPhp();
    if (!isThere(postgres, 'psql')) await installPsql();
    if (postgres && !isUnpacked('pgbouncer') && !unpackFromDebian('pgbouncer'))
      console.log('PgBouncer 1.24 cannot be fetched here: tests/nightly/pgbouncer.test.ts fails.');
    if (patroni && !isUnpacked('patroni') && !unpackFromDebian('patroni'))
      console.log('Patroni 4.0 cannot be fetched here: tests/nightly/failover.test.ts fails.');
    if (promtool && !isPromtoolUnpacked() && !fetchPromtool())
      console.log('promtool cannot be fetched here: the alert rules are not tried.');
  } finally {
    unlock();
  }
  return findNode();
}

/** Runs a program with our terminal, passes signals on, and exits with its exit code. */
export async function handOver(command, args, options = {}) {
  process.exit(await run(command, args, options));
}

/** Runs turbo with the arguments of the command. turbo wants pnpm on the PATH: npx puts it there. */
export async function runTasks(...tasks) {
  await prepareMachine({ redis: false });
  const turbo = ['turbo', 'run', ...tasks, '--ui=stream', ...process.argv.slice(2)];
  await handOver('npx', ['--yes', '--prefer-offline', PNPM, 'exec', ...turbo], {
    env: { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' },
  });
}

/** Folder for Node's compiled code, so that it starts in about half the time from the second start on. */
const COMPILED = join(ROOT, 'node_modules', '.cache', 'tidegate-compiled');

/** Runs a program with our terminal and passes signals on; returns its exit code. */
export function run(command, args, { env = {}, ipc = false } = {}) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit', ...(ipc ? ['ipc'] : [])],
  });
  const onTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  // A terminal's Ctrl-C reaches the program anyway. A second one would interrupt its shutdown.
  process.on('SIGINT', () => onTerminal || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  endWithNpm(child);
  return new Promise((resolve) => {
    child.on('error', (error) => stop(`${command} cannot be run: ${error.message}`));
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/** npm may be killed, or its shell may not pass the signal on. Then the program that it started has to end too. */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    // Only once: a second signal would interrupt the shutdown.
    clearInterval(watching);
    child.kill('SIGTERM');
  }, 1_000);
  watching.unref();
}

/** The Node that runs TypeScript as it is: the one that runs this if it is new enough, else the one from npm. */
function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= WANTED_NODE) return process.execPath;
  const name = `node-linux-${process.arch}`;
  const node = join(dirname(createRequire(join(ROOT, 'package.json')).resolve(`${name}/package.json`)), 'bin', 'node');
  if (!existsSync(node)) stop(`${node} is missing: remove the folder node_modules and try again.`);
  return node;
}

function isInstalled() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wantedStamp();
}

/** Changes whenever the packages to be installed do. */
function wantedStamp() {
  const hash = createHash('sha256').update(process.arch);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

async function installPackages() {
  console.log(`Installing the packages with ${PNPM} (the first time this takes a minute or two) …`);
  rmSync(STAMP, { force: true });
  const args = [
    '--yes',
    '--prefer-offline',
    PNPM,
    'install',
    '--frozen-lockfile',
    '--config.confirmModulesPurge=false',
  ];
  const began = Date.now();
  const code = await runInstaller('npx', args, INSTALL_LOG);
  if (code !== 0)
    stop(
      `The packages could not be installed. Check that the npm registry can be reached.\n${describeLog(INSTALL_LOG)}`,
    );
  writeFileSync(STAMP, wantedStamp());
  console.log(`The packages are installed (${Math.round((Date.now() - began) / 1000)} s).`);
}

async function installRedis() {
  const byHand = 'Install redis-server (version 6.2 or later), or set REDIS_URL to a Redis of yours.';
  if (!(await installByApt('redis-server')))
    stop(`redis-server is missing, and apt-get cannot install it here. ${byHand}\n${describeLog(INSTALL_LOG)}`);
}

async function installBrowser() {
  for (const program of BROWSERS) if (await installByApt(program)) return;
  console.log(
    `Chromium is missing, and apt-get cannot install it here: tests in a browser are skipped. ${describeLog(INSTALL_LOG, 0)}`,
  );
}

/** 3 MiB, for the signing snippet in PHP. */
async function installPhp() {
  if (!(await installByApt('php', 'php-cli')))
    console.log(
      `php is missing, and apt-get cannot install it here: docs/signing/sign.php is not run. ${describeLog(INSTALL_LOG, 0)}`,
    );
}

/** For the scripts of ops/postgres. */
async function installPsql() {
  if (!(await installByApt('psql', 'postgresql-client')))
    console.log(
      `psql is missing, and apt-get cannot install it here: tests/nightly/point-in-time.test.ts fails. ${describeLog(INSTALL_LOG, 0)}`,
    );
}

/** Installs a program's Debian package, as root or by sudo without a password. Returns whether the program is installed then. */
async function installByApt(program, debianPackage = program) {
  const asRoot = rootPrefix();
  if (!findOnPath('apt-get') || asRoot === undefined) return false;
  console.log(`${program} is missing: installing it with apt-get …`);
  const install = [
    ...asRoot,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    debianPackage,
  ];
  const update = [...asRoot, 'apt-get', 'update', '-qq'];
  // The package lists may be missing, as in most images, or old.
  for (const [command, ...args] of [install, update, install]) {
    const code = await runInstaller(command, args, INSTALL_LOG);
    if (findOnPath(program)) {
      console.log(`${program} is installed.`);
      return true;
    }
    if (code !== 0 && command !== install[0]) return false;
  }
  return false;
}

/** The words before a command that make it run as root; undefined if that is impossible. */
function rootPrefix() {
  if (process.getuid() === 0) return [];
  const result = findOnPath('sudo') ? spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }) : { status: 1 };
  return result.status === 0 ? ['sudo', '-n'] : undefined;
}

/** `npm start` and `npm test` may set the same clone up at the same time: one waits for the other. */
async function lockInstallation() {
  try {
    return await takeLock('install', { waiting: 'Another command is setting this clone up: waiting for it …' });
  } catch (error) {
    return stop(error.message);
  }
}

function stop(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}

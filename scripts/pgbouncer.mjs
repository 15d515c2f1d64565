// PgBouncer for the tests. It is unpacked and not installed, so no service starts and the machine stays as it is. Debian 12's version is
// too old for prepared statements in transaction mode. So this takes Debian 13's version, with the libraries that it was built for.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', '.tidegate-pgbouncer');
const SUITE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const PACKAGES = [
  'pgbouncer',
  'libc6',
  'libcares2',
  'libevent-2.1-7t64',
  'libssl3t64',
  'libsystemd0',
  'libpam0g',
  'libaudit1',
  'libcap-ng0',
  'libcap2',
  'libzstd1',
  'zlib1g',
];

export function isPgbouncerUnpacked() {
  return existsSync(join(FOLDER, 'pgbouncer'));
}

/** Puts a `pgbouncer` into node_modules/.tidegate-pgbouncer. Returns whether that succeeded. Takes about 20 s and 30 MB, once. */
export function unpackPgbouncer() {
  const mirror = debianMirror();
  if (mirror === undefined) return false;
  console.log('Fetching PgBouncer for the tests …');
  const partial = `${FOLDER}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  try {
    for (const folder of ['lists/partial', 'cache/archives/partial', 'debs'])
      mkdirSync(join(partial, folder), { recursive: true });
    const signed = existsSync(KEYRING) ? `[signed-by=${KEYRING}] ` : '';
    writeFileSync(join(partial, 'sources.list'), `deb ${signed}${mirror} ${SUITE} main\n`);
    if (!download(partial) || !unpack(partial)) return false;
    for (const left of ['lists', 'cache', 'debs', 'sources.list']) rmSync(join(partial, left), { recursive: true });
    rmSync(FOLDER, { recursive: true, force: true });
    renameSync(partial, FOLDER);
    return true;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** URL from which this machine takes Debian's packages; undefined if it is no Debian. */
function debianMirror() {
  const targets = spawnSync(
    'apt-get',
    ['indextargets', '--format', '$(REPO_URI) $(LABEL) $(COMPONENT)', 'Created-By: Packages'],
    { encoding: 'utf8' },
  );
  const line = (targets.stdout ?? '').split('\n').find((one) => / Debian main$/.test(one));
  return line?.split(' ')[0];
}

function download(partial) {
  const options = [
    '-o',
    `Dir::Etc::sourcelist=${partial}/sources.list`,
    '-o',
    'Dir::Etc::sourceparts=-',
    '-o',
    `Dir::State::lists=${partial}/lists`,
    '-o',
    `Dir::Cache=${partial}/cache`,
    '-o',
    'APT::Sandbox::User=root',
  ];
  const apt = (...args) => run('apt-get', ['-qq', ...options, ...args], join(partial, 'debs'));
  return apt('update') && apt('download', ...PACKAGES);
}

function unpack(partial) {
  const debs = readdirSync(join(partial, 'debs'));
  if (!debs.every((deb) => run('dpkg-deb', ['-x', join(partial, 'debs', deb), partial], partial))) return false;
  const libraries = readdirSync(join(partial, 'usr', 'lib')).find((name) => /-linux-gnu$/.test(name)) ?? '';
  const loader = readdirSync(join(partial, 'usr', 'lib', libraries)).find((name) => /^ld-linux-.*\.so\.\d$/.test(name));
  // Finds its own libraries wherever the folder is copied to.
  const script = `#!/bin/sh
here=$(dirname "$0")
libraries=$here/usr/lib/${libraries}
exec "$libraries/${loader}" --library-path "$libraries" "$here/usr/sbin/pgbouncer" "$@"
`;
  writeFileSync(join(partial, 'pgbouncer'), script, { mode: 0o755 });
  return run(join(partial, 'pgbouncer'), ['--version'], partial);
}

function run(command, args, cwd) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 300_000 });
  if (status !== 0) console.log(stderr);
  return status === 0;
}

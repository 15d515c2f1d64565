import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPayin, createPayout, type Order, type OrderKind } from '@tidegate/domain';
import { openTestDomain, type TestDomain, takeKeyPair, testKeys } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { runAdmin } from '../src/run-admin.ts';

/** The result of one command line. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface Given {
  env?: Record<string, string>;
  stdin?: string;
}

/** A database of its own with three operators, and the program. */
export interface AdminFixture extends TestDomain {
  env: Record<string, string>;
  tokens: { alice: string; bob: string; vera: string };
  /** Runs a command line as alice, who has every role. A reason is added if the command needs one. */
  run(args: string[], given?: Given): Promise<Ran>;
  /** The same with --json. The exit code has to be 0. Returns the document. */
  json<T>(args: string[], given?: Given): Promise<T>;
  file(name: string, text: string): string;
  /** A free path in the fixture's own folder. */
  path(name: string): string;
  /** Makes an empty folder there. Returns its path. */
  folder(name: string): string;
  publicKeyPem: string;
  order(merchantId: string, kind: OrderKind, amount: string, bankCode?: string): Promise<Order>;
}

export async function openAdminFixture(): Promise<AdminFixture> {
  const database = await createTestDatabase();
  const test = await openTestDomain(database.url);
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-admin-'));
  const env: Record<string, string> = {
    TIDEGATE_ENV: 'sandbox',
    DATABASE_URL: database.url,
    TIDEGATE_KEYS: testKeys,
    NOTIFY_ALLOW_CIDRS: '127.0.0.0/8',
    CHANNEL_ALLOW_CIDRS: '127.0.0.0/8',
  };
  const run = (args: string[], given?: Given): Promise<Ran> => runWith(args, { ...env, ...given?.env }, given?.stdin);
  const json = async <T>(args: string[], given?: Given): Promise<T> => {
    const ran = await run([...args, '--json'], given);
    if (ran.code !== 0) throw new Error(`${args.join(' ')} ended with ${ran.code}: ${ran.err}`);
    return JSON.parse(ran.out);
  };
  const why = ['--reason', 'a test'];
  const roles = 'admin,finance,operator';
  const first = await json<{ token: string }>([
    'create-operator',
    'alice',
    '--name',
    'Alice',
    '--roles',
    roles,
    ...why,
  ]);
  env.TIDEGATE_OPERATOR_TOKEN = first.token;
  const second = await json<{ token: string }>(['create-operator', 'bob', '--name', 'Bob', '--roles', roles, ...why]);
  const both = { env: { TIDEGATE_APPROVER_TOKEN: second.token } };
  await json(['create-operator', 'vera', '--name', 'Vera', '--roles', 'viewer', ...why], both);
  const veras = await comeIn(json, join(folder, 'vera.code'), 'vera', second.token);
  const tokens = { alice: first.token, bob: second.token, vera: veras.token };
  const { publicKey } = takeKeyPair();
  return {
    ...test,
    env,
    tokens,
    run,
    json,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    file: (name, text) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    path: (name) => join(folder, name),
    folder: (name) => mkdirSync(join(folder, name), { recursive: true }) ?? join(folder, name),
    order: (merchantId, kind, amount, bankCode) => placeOrder(database.url, merchantId, kind, amount, bankCode ?? null),
    close: async () => {
      rmSync(folder, { recursive: true });
      await test.close();
      await database.drop();
    },
  };
}

/** A person makes a code, two operators invite them, and they redeem it. Returns their token. */
export async function comeIn(
  json: AdminFixture['json'],
  file: string,
  operatorId: string,
  approverToken: string,
  options: string[] = [],
): Promise<{ token: string; tokenId: string }> {
  const { fingerprint } = await json<{ fingerprint: string }>(['make-code', file]);
  const invite = ['invite-operator', operatorId, '--fingerprint', fingerprint, ...options, '--reason', 'a test'];
  await json(invite, { env: { TIDEGATE_APPROVER_TOKEN: approverToken } });
  return json(['redeem-code', file], { env: { TIDEGATE_OPERATOR_TOKEN: '' } });
}

/** Reads as a merchant's request would, through a new domain, so that the latest change is seen. */
async function placeOrder(
  url: string,
  merchantId: string,
  kind: OrderKind,
  amount: string,
  bankCode: string | null,
): Promise<Order> {
  const { domain, close } = await openTestDomain(url);
  try {
    const merchant = await domain.directory.merchant(merchantId);
    if (!merchant) throw new Error(`no merchant ${merchantId}`);
    const details = { party: { name: 'Zoya', account: 'PK1234' } };
    const request = { merchantOrderNo: `M-${crypto.randomUUID()}`, amount, bankCode, notifyUrl: null, details };
    const created = await (kind === 'payin' ? createPayin : createPayout)(domain, merchant, request);
    if (!created.ok) throw new Error(`${kind} of ${merchantId}: ${created.rejection}`);
    return created.value;
  } finally {
    await close();
  }
}

async function runWith(args: string[], env: Record<string, string>, stdin = ''): Promise<Ran> {
  const output = { out: '', err: '' };
  const code = await runAdmin(args, {
    env,
    readStdin: async () => stdin,
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
    },
    keepDetails: () => null,
  });
  return { code, ...output };
}

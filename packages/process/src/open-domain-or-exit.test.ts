import { openTestDomain, testKeysOf } from '@tidegate/domain/testing';
import { createTestDatabase } from '@tidegate/sandbox/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type BreakableLink, linkTo } from '../../rest-adapter/test/breakable-link.ts';
import { openDomainOrExit } from './open-domain-or-exit.ts';

class Exit extends Error {
  readonly code: number | string | null | undefined;
  constructor(code: number | string | null | undefined) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** Starts like a process, and returns its log and its exit code. `warned` is called for every warning. */
async function start(
  databaseUrl: string,
  warned: (count: number) => void = () => {},
  timeoutMs = 20_000,
  change: Partial<Record<'TIDEGATE_KEYS' | 'DATABASE_LEDGER_URL' | 'DATABASE_READ_URL', string>> = {},
) {
  const lines: { level: 'warn' | 'error'; text: string }[] = [];
  const record = (level: 'warn' | 'error') => (_: object, text: string) => {
    lines.push({ level, text });
    if (level === 'warn') warned(lines.length);
  };
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: record('warn'), error: record('error') };
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Exit(code);
  });
  const settings = {
    TIDEGATE_ENV: 'sandbox' as const,
    DATABASE_URL: databaseUrl,
    TIDEGATE_KEYS: testKeysOf('api'),
    PUBLIC_BASE_URL: 'http://localhost',
    TIDEGATE_SCHEDULE_SCALE: 1,
    NOTIFY_ALLOW_CIDRS: [],
    CHANNEL_ALLOW_CIDRS: [],
    ...change,
  };
  try {
    const domain = await openDomainOrExit(
      settings,
      { process: 'api' },
      { log, adapters: {}, wakeUp: () => {}, timeoutMs },
    );
    await domain.ready();
    await domain.close();
    return { lines, end: 'opened' };
  } catch (error) {
    if (error instanceof Exit) return { lines, end: `exit ${error.code}` };
    throw error;
  } finally {
    exit.mockRestore();
  }
}

/** The URL of a migrated database that refuses connections. */
async function cutLink(): Promise<BreakableLink> {
  const link = await linkTo((await createTestDatabase()).url);
  onTestFinished(() => link.close());
  link.cut();
  return link;
}

const notYet = { level: 'warn', text: 'the database does not answer yet' };

test('a database that answers at the fifth attempt is opened', async () => {
  const link = await cutLink();
  const { lines, end } = await start(link.url, (count) => {
    if (count === 4) link.repair();
  });
  expect(end).toBe('opened');
  expect(lines).toEqual([notYet, notYet, notYet, notYet]);
});

test('a database that accepts connections, but is slow, is tried more often', async () => {
  const link = await linkTo((await createTestDatabase()).url);
  onTestFinished(() => link.close());
  link.stall();
  const repairAt = (count: number): void => {
    if (count === 5) link.repair();
  };
  const { lines, end } = await start(link.url, repairAt, 250);
  expect(end).toBe('opened');
  expect(lines.length).toBeGreaterThanOrEqual(5);
});

test('a database that refuses five connections ends the process with exit code 1 and a line that says what to do', async () => {
  const link = await cutLink();
  const { lines, end } = await start(link.url);
  expect(end).toBe('exit 1');
  expect(lines).toEqual([
    notYet,
    notYet,
    notYet,
    notYet,
    { level: 'error', text: 'The database does not answer. Start it, or correct DATABASE_URL.' },
  ]);
});

test('a database that refuses the password is not tried again', async () => {
  const url = new URL((await createTestDatabase()).url);
  url.username = 'nobody_of_this_name';
  let warnings = 0;
  await expect(
    start(url.href, (count) => {
      warnings = count;
    }),
  ).rejects.toMatchObject({ code: expect.stringMatching(/^28/) });
  expect(warnings).toBe(0);
});

test.each([
  ['one role', []],
  ['a role for the ledger and a replica', ['DATABASE_LEDGER_URL', 'DATABASE_READ_URL']],
])('a schema that is too old ends the process of %s with exit code 1 at once', async (_, more) => {
  const { url } = await createTestDatabase();
  const { domain, close } = await openTestDomain(url);
  await domain.database.pool.query('delete from migration where name = (select max(name) from migration)');
  await close();
  const change = Object.fromEntries(more.map((name) => [name, url]));
  const { lines, end } = await start(url, undefined, undefined, change);
  expect(end).toBe('exit 1');
  expect(lines).toEqual([{ level: 'error', text: expect.stringMatching(/migrate/) }]);
});

test('keys of another process end the process with exit code 1 before it connects, without a key in the log', async () => {
  const { lines, end } = await start('postgres://127.0.0.1:1/d', undefined, undefined, {
    TIDEGATE_KEYS: testKeysOf('rest'),
  });
  expect(end).toBe('exit 1');
  const text = lines.map((line) => line.text).join('\n');
  expect(text).toMatch(/TIDEGATE_KEYS has a key that api must not have: payin \(credentials of channels for payins\)/);
  expect(text).toMatch(/TIDEGATE_KEYS has no current key to open console/);
  const keys = testKeysOf('rest')
    .split('\n')
    .flatMap((line) => line.split(' ')[4] ?? [])
    .filter((key) => key.length >= 43);
  expect(keys.length).toBeGreaterThan(2);
  expect(keys.filter((key) => text.includes(key))).toEqual([]);
});

import { aMerchant } from '@tidegate/domain/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AdminFixture, Ran } from '../test/admin-fixture.ts';
import { type CommandTries, notForPeople, openTries } from '../test/command-tries.ts';
import { configuration } from '../test/configuration-tries.ts';
import { decisions, money, people, type Try, tasks } from '../test/tries.ts';
import { commands } from './commands/index.ts';
import { runAdmin } from './run-admin.ts';

// Whatever goes wrong, the person at the command line reads words, and the exit code is not 0.

const why = ['--reason', 'a test'];
let tries: CommandTries;
let fixture: AdminFixture;
beforeAll(async () => {
  tries = await openTries();
  ({ fixture } = tries);
});
afterAll(() => fixture.close());

function expectWords(ran: Ran, code: number, words: RegExp | string): void {
  expect(ran).toMatchObject({ code, out: '', err: expect.stringMatching(words) });
  expect(ran.err).not.toMatch(notForPeople);
}

test('amounts are read as people type them, and what can mean two amounts is refused with a sentence', async () => {
  const { merchantId } = await aMerchant(fixture.domain, 'PK');
  const adjust = (amount: string, bookingNo: string) => {
    const booking = ['--amount', amount, '--booking-no', bookingNo, '--remark', 'r', '--kind', 'fee'];
    return ['adjust', merchantId, ...booking, ...why];
  };
  expect(await fixture.json(adjust('1,500.00', 'A-1'))).toMatchObject({ change: '1500.00' });
  expect(await fixture.json(adjust('1,000.5', 'A-2'))).toMatchObject({ change: '1000.50' });
  expect(await fixture.json(adjust('-1,500', 'A-3'))).toMatchObject({ change: '-1500.00' });
  expect(await fixture.json(['show-wallet', merchantId])).toMatchObject({ available: '1000.50' });
  expectWords(await fixture.run(adjust('1.500', 'A-4')), 2, '1.500 can mean 1,500 or 1.500');
  expectWords(await fixture.run(adjust('15,00', 'A-4')), 2, 'The commas in 15,00 are not between groups of digits');
  expectWords(await fixture.run(adjust('INR 5', 'A-4')), 2, 'Write an amount in digits');
  expectWords(await fixture.run(adjust('0', 'A-4')), 2, 'It must be an amount such as 1000 or -99.50');
});

test('an unknown option of any command is named', async () => {
  for (const { name } of commands)
    expectWords(await fixture.run([name, '--colour', 'red']), 2, /--colour|missing|required/);
});

describe('without a database', () => {
  const all = [...configuration, ...people, ...money, ...tasks, ...decisions];
  const ofCommand = Map.groupBy(
    all.filter(({ gives }) => gives !== undefined),
    ({ args }) => args[0] ?? '',
  );
  const local = new Set(commands.filter(({ kind }) => kind === 'local').map(({ name }) => name));

  test.each([...ofCommand].filter(([name]) => !local.has(name)))(
    '%s says that it cannot be reached',
    async (name, own) => {
      const { args, stdin = '' } = own[0] as Try;
      const known: Record<string, string> = {
        manual: 'PI1',
        stuck: 'PO1',
        task: 'PO1',
        approval: 'AP1',
        ...tries.known,
      };
      const line = args.map((word) =>
        word.replace(/\$(\w+)/g, (_, key: string) => known[key] ?? (key === 'keyId' ? 'k' : 'PO1')),
      );
      const reason = commands.find((command) => command.name === name)?.kind === 'change' ? why : [];
      const env = { DATABASE_URL: 'postgres://u:hush@127.0.0.1:1/d' };
      const ran = await fixture.run([...line, ...reason], { env, stdin });
      // Arguments that only other tries have made are refused before.
      if (ran.code === 2) return expectWords(ran, 2, /./);
      expectWords(ran, 3, 'the database cannot be reached');
      expect(ran.err).not.toContain('hush');
    },
  );
});

test('files that cannot be used, and a user of the database without rights, are said in words', async () => {
  const nowhere = fixture.path('nowhere/x');
  expectWords(await fixture.run(['list-cases', '--token-file', nowhere]), 2, 'cannot be read: it does not exist');
  expectWords(
    await fixture.run(['list-cases', '--token-file', fixture.folder('a-folder')]),
    2,
    'cannot be read: it is a folder',
  );
  expectWords(await fixture.run(['make-code', nowhere]), 1, 'cannot be written: it does not exist');
  expectWords(await fixture.run(['make-keys', fixture.file('a-file', 'x')]), 1, 'cannot be used');
  expectWords(await fixture.run(['redeem-code', nowhere]), 2, 'cannot be read: it does not exist');
  const profile = fixture.file('profile.json', '{"name": 7}');
  expectWords(await fixture.run(['set-csv-profile', '--file', profile, ...why]), 1, 'not a CSV profile: ');
  const seals = ['verify-seals', '--files', nowhere];
  expect((await fixture.run(seals)).err).not.toMatch(notForPeople);
});

test('an error that nobody foresaw is kept for developers, and never printed', async () => {
  const { pool } = fixture.domain.database;
  let [out, err, kept] = ['', '', ''];
  const world = {
    env: fixture.env,
    readStdin: async () => '',
    out: (text: string) => (out += text),
    err: (text: string) => (err += text),
    keepDetails: (text: string) => {
      kept += text;
      return '/tmp/details';
    },
  };
  await pool.query('alter table money_case rename column state to state_of_before');
  const code = await runAdmin(['list-cases'], world);
  await pool.query('alter table money_case rename column state_of_before to state');
  expectWords({ code, out, err }, 3, 'something went wrong that nobody foresaw. Look what was done .* /tmp/details');
  expect(kept).toContain('state');
  await pool.query('alter table money_case rename to money_case_of_before');
  const missing = await fixture.run(['list-cases']);
  await pool.query('alter table money_case_of_before rename to money_case');
  expectWords(missing, 3, 'a table is missing: migrate the database first');
});

import { aMerchant } from '@tidegate/domain/testing';
import { expect } from 'vitest';
import { commands } from '../src/commands/index.ts';
import { type AdminFixture, openAdminFixture } from './admin-fixture.ts';
import type { Try } from './tries.ts';

/** Tries of commands on a database of their own. Each leaves what the next ones need. */
export interface CommandTries {
  readonly fixture: AdminFixture;
  /** The test's values. In a try, `$name` is replaced by the value of this name. */
  readonly known: Record<string, string>;
  /** The commands that were run with success, and with a refusal. */
  readonly tried: { readonly well: Set<string>; readonly badly: Set<string> };
  /** Runs one command line, and compares its result with the expected one. */
  attempt(one: Try): Promise<void>;
}

/**
 * Commands whose tries need more than command lines: changed rows, a worker, a channel. Their tries are in
 * commands-with-steps.test.ts, those of all others in commands.test.ts.
 */
export const COMMANDS_WITH_STEPS: readonly string[] = [
  'approve-settlement',
  'audit',
  'change-secret',
  'charge-case',
  'check-channel',
  'close-day',
  'close-finding',
  'confirm-settlement',
  'copy-seals',
  'create-settlement-file',
  'draft-settlements',
  'examine-callback',
  'fail-settlement',
  'fetch-statement',
  'import-statement',
  'list-csv-profiles',
  'list-findings',
  'pay-settlement',
  'preview-statement',
  'remove-settlement-cycle',
  'release-payouts',
  'release-withheld',
  'reopen-day',
  'confirm-statement',
  'request-export',
  'resolve-break',
  'resolve-refund',
  'save-export',
  'save-settlement-file',
  'send-settlement',
  'set-csv-profile',
  'set-reconciliation',
  'set-settlement-cycle',
  'verify-seals',
  'withdraw-declaration',
  'write-off-case',
];

/** What no error shows to a person: a stack, a code of the system or of PostgreSQL, a value that was not formatted. */
export const notForPeople =
  /\n\s+at |\w*Error\b|\bE(?:NOENT|ACCES|PERM|EXIST|ISDIR|NOTDIR|CONN\w+|PIPE|TIMEDOUT)\b|SQLSTATE|node:|undefined|\[object|\u2716/;

const why = ['--reason', 'a test'];

export async function openTries(): Promise<CommandTries> {
  const fixture = await openAdminFixture();
  const known = await firstValues(fixture);
  const tried = { well: new Set<string>(), badly: new Set<string>() };
  const fill = (text: string): string => text.replace(/\$(\w+)/g, (_, name) => known[name] ?? `?${name}`);
  const attempt = async ({ args, stdin = '', env = {}, gives, waits, refused, usage }: Try): Promise<void> => {
    const given = { stdin, env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])) };
    const line = args.map(fill);
    const [name = ''] = line;
    const wantsReason = commands.find((command) => command.name === name)?.kind === 'change';
    const ran = await fixture.run([...line, ...(wantsReason ? why : []), '--json'], given);
    if (gives !== undefined) {
      expect({ ...ran, err: withoutProgress(ran.err) }, line.join(' ')).toMatchObject({ code: waits ? 4 : 0, err: '' });
      const document = JSON.parse(ran.out);
      expect(document, line.join(' ')).toMatchObject(waits ? gives : filledIn(gives, fill));
      keepValues(known, document);
      tried.well.add(name);
      return;
    }
    expect(ran.out).toBe('');
    expect(ran.err, line.join(' ')).not.toMatch(notForPeople);
    expect({ code: ran.code, err: ran.err }, line.join(' ')).toEqual({
      code: refused ? 1 : 2,
      err: expect.stringMatching(refused ?? usage ?? /never/),
    });
    tried.badly.add(name);
  };
  return { fixture, known, tried, attempt };
}

/** A merchant of each country, and what the tries give to commands. */
async function firstValues(fixture: AdminFixture): Promise<Record<string, string>> {
  const { domain } = fixture;
  const merchants: Record<string, string> = {};
  for (const country of ['TH', 'IN', 'PK'] as const) merchants[country] = (await aMerchant(domain, country)).merchantId;
  return {
    ...merchants,
    pem: fixture.file('key.pem', fixture.publicKeyPem),
    code: fixture.path('carl.code'),
    keyFolder: fixture.path('made-keys'),
    noKey: fixture.file('no-key.pem', 'hush'),
    bob: fixture.tokens.bob,
    bobFile: fixture.file('bob.token', `${fixture.tokens.bob}\n`),
  };
}

/** What a command printed and later ones need. */
function keepValues(known: Record<string, string>, document: Record<string, unknown>): void {
  if (typeof document.approvalId === 'string') known.approval = document.approvalId;
  for (const name of ['keyId', 'fingerprint', 'tokenId'])
    if (typeof document[name] === 'string') known[name] = document[name];
}

/** The expected result, with the test's values in place of `$name`. */
function filledIn(gives: object, fill: (text: string) => string): object {
  const text = JSON.stringify(gives);
  return text.includes('"$') ? JSON.parse(fill(text)) : gives;
}

/** A long audit and the partitioning of tables print their progress on standard error. */
function withoutProgress(err: string): string {
  return err.replace(/^(checked: .* …|\w+: \d+ rows in \d+ partitions, \d+ ms)\n/gm, '');
}

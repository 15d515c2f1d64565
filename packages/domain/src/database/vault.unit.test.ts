import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { changeKeys, nextStep } from './keys/change-keys.ts';
import { type KeyRing, keysOf, makeKeyRing, readKeys, writeKeys } from './keys/key-ring.ts';
import { places } from './keys/places.ts';
import { mayUse, type ProcessKind, processKinds, purposes } from './keys/purposes.ts';
import { problemsOfKeys } from './keys/require-keys.ts';
import { openVault } from './vault.ts';

const ring = makeKeyRing();
const all = openVault(ring);
const vaultOf = (process: ProcessKind, of: KeyRing = ring) => openVault(keysOf(process, of));

test.each(places)('%s: what is sealed opens in its place, and in no other place, row or purpose', (place) => {
  const sealed = all.seal(place, 'acme', 'a secret');
  expect(all.open(place, 'acme', sealed)).toBe('a secret');
  expect(() => all.open(place, 'other', sealed)).toThrow();
  for (const other of places.filter((one) => one !== place)) expect(() => all.open(other, 'acme', sealed)).toThrow();
});

test.each(places)('%s: a text that was changed or shortened anywhere does not open', (place) => {
  const sealed = all.seal(place, 'acme', 'a secret');
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => all.open(place, 'acme', changed)).toThrow();
    expect(() => all.open(place, 'acme', sealed.subarray(0, at))).toThrow();
  }
});

test.each(['payin', 'callback', 'payout', 'statement'] as const)(
  'the API seals credentials for %s and opens none',
  (purpose) => {
    const place = `${purpose}Credential` as const;
    const sealed = vaultOf('api').seal(place, 'acme/secret', 'hush');
    expect(vaultOf('worker').open(place, 'acme/secret', sealed)).toBe('hush');
    expect(() => vaultOf('api').open(place, 'acme/secret', sealed)).toThrow(`has no key`);
  },
);

test('the REST adapter opens credentials for payins and callbacks, and nothing else', () => {
  const opened = places.filter((place) => {
    const sealed = all.seal(place, 'acme', 'hush');
    try {
      return vaultOf('rest').open(place, 'acme', sealed) === 'hush';
    } catch {
      return false;
    }
  });
  expect(opened).toEqual(['payinCredential', 'callbackCredential']);
});

test.each(processKinds)('the key file of %s has what the table says, and no more', (process) => {
  const keys = readKeys(writeKeys(keysOf(process, ring), 'a test'));
  expect(Object.fromEntries(keys.map(({ purpose, use }) => [purpose, use]))).toEqual(
    Object.fromEntries(
      purposes.flatMap((purpose) => (mayUse(process, purpose) ? [[purpose, mayUse(process, purpose)]] : [])),
    ),
  );
  expect(problemsOfKeys(writeKeys(keys, 'a test'), { process })).toEqual([]);
});

test('without a key of the service no text can be sealed that a process opens, although the public key is known', () => {
  const other = makeKeyRing();
  const payout = ring.find(({ purpose }) => purpose === 'payout');
  const forged = other.map((key) =>
    // The right public key and id, with another pre-shared key.
    key.purpose === 'payout'
      ? {
          ...key,
          id: payout?.id ?? '',
          use: 'seal' as const,
          material: Buffer.concat([
            keysOf('api', ring)
              .find(({ purpose }) => purpose === 'payout')
              ?.material.subarray(0, 32) ?? Buffer.alloc(0),
            randomBytes(32),
          ]),
        }
      : key,
  );
  const sealed = openVault(forged).seal('payoutCredential', 'acme/key', 'mine');
  expect(() => all.open('payoutCredential', 'acme/key', sealed)).toThrow(/authenticate/);
});

test('a missing key is named by purpose, and the message has nothing of the file', () => {
  const text = writeKeys(keysOf('rest', ring), 'a test');
  const without = text.replace(/^payin .*$/m, '');
  expect(problemsOfKeys(without, { process: 'rest' })).toEqual([
    expect.stringMatching(
      /^TIDEGATE_KEYS has no current key to open payin \(credentials of channels for payins\): rest needs it/,
    ),
  ]);
  const [first] = problemsOfKeys(text.replace('payin current', 'payin curent'), { process: 'rest' });
  expect(first).toMatch(/^TIDEGATE_KEYS is not a key file: line \d+ is not a key/);
  const shown = [...problemsOfKeys(without, { process: 'rest' }), first].join();
  for (const { material } of ring) expect(shown).not.toContain(material.toString('base64url'));
});

test.each([
  ['rest', 'worker'],
  ['rest', 'admin'],
  ['api', 'worker'],
  ['worker', 'admin'],
] as const)('%s does not start with the keys of %s', (process, other) => {
  const problems = problemsOfKeys(writeKeys(keysOf(other, ring), 'a test'), { process });
  expect(problems).toContainEqual(
    expect.stringMatching(/^TIDEGATE_KEYS has a key that (rest|api|worker) must not have: /),
  );
});

test('a worker needs keys only for what it serves', () => {
  const text = writeKeys(keysOf('worker-notifications', ring), 'a test');
  expect(problemsOfKeys(text, { process: 'worker', needs: ['notification'] })).toEqual([]);
  expect(problemsOfKeys(text, { process: 'worker', needs: ['payout'] })).toEqual([
    expect.stringContaining('open payout'),
  ]);
});

test('in each step of a change, what any process seals is opened by those with the files before or after', () => {
  const added = changeKeys(ring, 'add', purposes);
  const used = changeKeys(added, 'use', purposes);
  const dropped = changeKeys(used, 'drop', purposes);
  const steps = [
    [ring, added],
    [added, used],
    // The last step only begins when nothing is sealed with the old key any more.
    [used, dropped],
  ] as const;
  const cases = [
    ['payoutCredential', 'api', 'worker'],
    ['serviceKey', 'api', 'worker-notifications'],
    ['account', 'api', 'worker'],
  ] as const;
  for (const [one, other] of steps)
    for (const [place, sealer, opener] of cases) {
      const files = [one, other].map((each) => [vaultOf(sealer, each), vaultOf(opener, each)] as const);
      for (const [sealing] of files)
        for (const [, opening] of files)
          expect(opening.open(place, 'x', sealing.seal(place, 'x', 'hush'))).toBe('hush');
      const pages = [one, other].map((each) => vaultOf('rest', each));
      for (const page of pages)
        expect(pages.every((each) => each.isTokenOf('checkout', 'PI1', page.tokenOf('checkout', 'PI1')))).toBe(true);
    }
  expect([ring, added, used, dropped].map((one) => nextStep(one, 'payout'))).toEqual(['add', 'use', 'drop', 'add']);
  const old = all.seal('payoutCredential', 'x', 'hush');
  expect(() => vaultOf('worker', dropped).open('payoutCredential', 'x', old)).toThrow(
    /has no key [0-9a-f]{8} to open payout/,
  );
  // What was left behind can still be opened by the command line.
  expect(openVault(dropped).open('payoutCredential', 'x', old)).toBe('hush');
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashOf } from './fake/hash.ts';
import { isAuthentic, secureHash, signed } from './signing.ts';
import { readFields } from './wire.ts';

interface Vector {
  name: string;
  integritySalt: string;
  fields: Record<string, string | null>;
  hash: string;
}
const file = new URL('../../vectors/jazzcash.json', import.meta.url);
const { hashes } = JSON.parse(readFileSync(file, 'utf8')) as { hashes: Vector[] };
const key = { integritySalt: 'salt', hashesEmptyValues: false };

test('there are at least three independent test vectors', () => expect(hashes.length).toBeGreaterThanOrEqual(3));

test.each(hashes)('the test vector is signed and verified: $name', ({ integritySalt, fields, hash }) => {
  const read = readFields(fields) ?? {};
  const own = { integritySalt, hashesEmptyValues: false };
  expect(secureHash(read, own)).toBe(hash.toUpperCase());
  expect(isAuthentic({ ...read, pp_SecureHash: hash }, [own])).toBe(true);
  expect(isAuthentic({ ...read, pp_TxnRefNo: 'T1', pp_SecureHash: hash }, [own])).toBe(false);
});

test('the second variant of the hash includes empty values, and each variant refuses the hash of the other', () => {
  const all = { ...key, hashesEmptyValues: true };
  const fields = { pp_Amount: '100', pp_BankID: '', pp_MerchantID: 'MC1' };
  // printf 'salt&100&&MC1' | openssl dgst -sha256 -hmac salt
  expect(secureHash(fields, all)).toBe('23D1AF8EB562D9380768049C6FA336808A8B2F94F613FA052CC07E3A86F7CB28');
  expect(isAuthentic(signed(fields, all), [key])).toBe(false);
  expect(isAuthentic(signed(fields, key), [all])).toBe(false);
});

test('only fields that begin with pp are hashed, and never the hash itself', () => {
  const fields = { pp_Amount: '100', ppmpf_3: 'PI1' };
  const more = { ...fields, pp_SecureHash: 'x', csrf: 'y' };
  expect(secureHash(more, key)).toBe(secureHash(fields, key));
});

test('an unknown object or list is left out of the hash, so an answer with a new field is still trusted', () => {
  const answer = signed({ pp_Amount: '100', pp_ResponseCode: '000' }, key);
  const read = readFields({ ...answer, meta: { version: 3 }, links: ['x'] }) ?? {};
  expect(read).toEqual(answer);
  expect(isAuthentic(read, [key])).toBe(true);
  // What the hash covers has to be text.
  expect(readFields({ ...answer, pp_Extra: {} })).toBeNull();
});

test.each([
  ['with capitals changed', (hash: string) => hash.toLowerCase(), true],
  ['with another digit', (hash: string) => (hash.startsWith('0') ? '1' : '0') + hash.slice(1), false],
  ['cut short', (hash: string) => hash.slice(1), false],
  ['empty', () => '', false],
])('a changed hash is checked: %s', (_how, change, expected) => {
  const fields = signed({ pp_Amount: '100' }, key);
  expect(isAuthentic({ ...fields, pp_SecureHash: change(fields.pp_SecureHash ?? '') }, [key])).toBe(expected);
});

test('during a change of the salt the old and the new salt are trusted', () => {
  const old = { ...key, integritySalt: 'old' };
  expect(isAuthentic(signed({ pp_Amount: '1' }, old), [key, old])).toBe(true);
  expect(isAuthentic(signed({ pp_Amount: '1' }, old), [key])).toBe(false);
});

test('the fake, which has its own code for the hash, computes the same hash for any values', () => {
  const names = fc.constantFrom('pp_Amount', 'pp_BankID', 'pp_TxnRefNo', 'ppmpf_3', 'pp_ResponseMessage', 'other');
  const values = fc.dictionary(names, fc.string({ unit: 'grapheme', maxLength: 20 }));
  fc.assert(
    fc.property(values, fc.string({ minLength: 1, maxLength: 20 }), (fields, integritySalt) => {
      expect(secureHash(fields, { integritySalt, hashesEmptyValues: false })).toBe(hashOf(fields, integritySalt));
    }),
    { numRuns: 100 },
  );
});

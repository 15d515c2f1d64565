import { expect, test } from 'vitest';
import {
  BODY,
  headersOf,
  nonce,
  pair,
  RIGHT,
  seeWith,
  signText,
  stepsOf,
  timestamp,
  unknownKey,
  wrongs,
} from '../../test/doctor-fixture.ts';
import type { DoctorInput, Step } from './diagnose.ts';

test.each<[Step, string, Partial<DoctorInput>]>([
  ['body', 'encoded twice', { body: JSON.stringify(BODY) }],
  ['body', 'byte order mark', { body: `\ufeff${BODY}` }],
  ['body', 'not UTF-8', { body: Buffer.from('{"a":"\xe9"}', 'latin1') }],
  ['body', 'a form', { body: 'amount=1&currency=INR' }],
  ['body', 'single quotes', { body: "{'amount': '1'}" }],
  ['body', 'dot or a bracket', { body: '{"extJson.accountNo":"1"}' }],
  ['body', 'called timestamp', { body: '{"timestamp":"1"}' }],
  ['body', 'twice', { body: '{"a":1,"a":2}' }],
  ['body', 'an array', { body: '[{"a":1}]' }],
  ['body', 'empty', { body: ' ' }],
  ['body', 'bytes', { body: `{"a":"${'x'.repeat(70_000)}"}` }],
  ['body', 'not valid JSON', { body: '{"a":1,}' }],
  ['query', 'percent-encode', { body: undefined, query: 'merchantOrderNo=é' }],
  ['query', 'a parameter appears twice', { body: undefined, query: 'page=1&page=2' }],
  ['key', 'certificate', { publicKey: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----' }],
  ['key', '1024 bits', { publicKey: pair(1024).pem }],
  ['key', 'does not belong', { privateKey: unknownKey.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString() }],
  ['key', 'not an RSA key', { publicKey: 'hello' }],
])('a mistake in the step "%s" is explained: %s', async (step, what, input) => {
  const findings = wrongs(await seeWith(input));
  expect(findings[0]).toMatchObject({ step, fix: expect.any(String) });
  expect(`${findings[0]?.what} ${findings[0]?.fix}`).toContain(what);
});

test('a body that was encoded twice is diagnosed', async () => {
  const findings = await seeWith({ body: JSON.stringify(BODY), headers: headersOf(signText(`${RIGHT}\n`)) });
  expect(stepsOf(findings)).toEqual(['body', 'white space']);
});

test.each<[Step, string, object]>([
  ['headers', 'X-Merchant-No is missing', { 'X-Merchant-No': undefined }],
  ['headers', 'X-Sign is missing', { 'X-Sign': '' }],
  ['headers', 'X-Nonce is there 2 times', { 'X-Nonce': [nonce, nonce] }],
  ['headers', 'not a merchant number', { 'X-Merchant-No': ' in10001' }],
  ['headers', 'text/plain', { 'Content-Type': 'text/plain' }],
  ['timestamp', 'milliseconds', { 'X-Timestamp': `${timestamp}123` }],
  ['timestamp', 'decimals', { 'X-Timestamp': `${timestamp}.123` }],
  ['timestamp', '10 digits', { 'X-Timestamp': '2026-09-21T14:13:20Z' }],
  ['nonce', 'wrong form', { 'X-Nonce': `{${nonce}}` }],
])('a mistake in the step "%s" is explained: %s', async (step, what, change) => {
  const findings = wrongs(await seeWith({ headers: { ...headersOf(signText(RIGHT)), ...change } }));
  expect(findings[0]).toMatchObject({ step, what: expect.stringContaining(what) });
});

test.each<[number, string | null]>([
  [300, null],
  [-300, null],
  [301, 'set the clock'],
  [-86_400 * 30, 'signed again'],
  [19_800, 'time zones'],
  [-28_795, 'time zones'],
])('a clock difference of %i s is diagnosed', async (seconds, finding) => {
  const now = (Number(timestamp) - seconds) * 1_000;
  const findings = await seeWith({ headers: headersOf(signText(RIGHT)), now });
  const [found] = findings.filter(({ step }) => step === 'timestamp');
  if (finding === null) expect(found).toBeUndefined();
  else expect([found?.severity, `${found?.what} ${found?.fix}`]).toEqual(['suspect', expect.stringContaining(finding)]);
});

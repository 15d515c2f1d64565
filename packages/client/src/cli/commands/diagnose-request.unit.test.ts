import { sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { file, ownFolder, run } from '../../../test/command-line-fixture.ts';
import { privateKey, publicKey } from '../../../test/scripted-service.ts';

ownFolder();

const body = '{"merchantOrderNo":"M-1","amount":100.50}';
const right = 'amount=100.50&merchantOrderNo=M-1&nonce=abcdefgh&timestamp=1790000000';
const requestOf = async (text: string, prefix = '') => {
  const signature = sign('sha256', Buffer.from(text), privateKey).toString('base64');
  const lines = [
    'POST /api/v1/merchant/payin/create HTTP/1.1',
    'Content-Type: application/json',
    'X-Merchant-No: IN10001',
    'X-Timestamp: 1790000000',
    'X-Nonce: abcdefgh',
    `X-Sign: ${signature}`,
  ];
  return `${lines.map((line) => `${prefix}${line}`).join('\r\n')}\r\n${prefix}\r\n${body}`;
};
const publicPem = () => file('public.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());

test.each(['', '> '])('a request is read as %j prints it', async (prefix) => {
  const good = await run([
    'doctor',
    '--request',
    file('a', await requestOf(right, prefix)),
    '--public-key',
    publicPem(),
  ]);
  expect([good.code, good.out]).toEqual([0, expect.stringContaining('✓ signature')]);
  const bad = await run([
    'doctor',
    '--request',
    file('b', await requestOf(right.replace('100.50', '100.5'), prefix)),
    '--public-key',
    publicPem(),
  ]);
  expect(bad.code).toBe(1);
  for (const part of ['✗ number', 'do: ', `should be: ${right}`]) expect(bad.out).toContain(part);
});

test('a signed text whose file ends with a line break is recognised', async () => {
  const args = [
    'doctor',
    '--body',
    file('body.json', body),
    '--header',
    'X-Timestamp: 1790000000',
    '--header',
    'X-Nonce: abcdefgh',
    '--header',
    'X-Merchant-No: IN10001',
    '--header',
    'Content-Type: application/json',
    '--json',
  ];
  const stepsOf = async (text: string, ...more: string[]) =>
    JSON.parse((await run([...args, ...more, '--text', '-'], { stdin: text })).out).flatMap(
      (one: { severity: string; step: string }) => (one.severity === 'wrong' ? [one.step] : []),
    );
  expect(await stepsOf(`${right}\n`)).toEqual(['headers']);
  expect(await stepsOf(`${right}\n`, '--exact-text')).toEqual(['headers', 'white space']);
});

test('a text that is not a request is reported', async () => {
  expect((await run(['doctor', '--request', file('a', body)])).err).toContain('this is no header line');
});

import { spawnSync } from 'node:child_process';
import { sign } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { takeKeyPair } from '@tidegate/domain/testing';
import { expect, test } from 'vitest';
import { makeLog } from './log.ts';

const { publicKey, privateKey } = takeKeyPair();
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const signature = sign('sha256', Buffer.from('x'), privateKey).toString('base64');

function logged(fields: object, level = 'debug'): string {
  const lines: string[] = [];
  makeLog('test', 'debug', { destination: { write: (line) => void lines.push(line) } })[level as 'debug'](
    fields,
    'something',
  );
  return lines.join('');
}

test('ids and outcomes are logged unchanged, at every level', () => {
  const fields = {
    requestId: 'abcd-1234',
    merchantNo: 'CN10001',
    orderNo: 'PI1M7Y9XBYV6RVMN69QPWNHTKZ5',
    code: 40101,
    ms: 1.5,
  };
  for (const level of ['debug', 'info', 'warn', 'error']) {
    expect(JSON.parse(logged(fields, level))).toMatchObject({ name: 'test', msg: 'something', ...fields });
  }
});

test.each([
  ['signature', signature],
  ['X-Sign', signature],
  ['privateKeyPem', privatePem],
  ['publicKeyPem', publicPem],
  ['token', 'tg_0123456789abcdef'],
  ['authorization', 'Bearer tg_0123456789abcdef'],
  ['secret', 'ab'.repeat(32)],
  ['receiverAccount', '50100098765432'],
  ['payee_account', 'PK36SCBL0000001123456702'],
  ['payee_realname', 'Zebulon Quatermain'],
  ['payer_mobile', '03127654321'],
  ['payer_email', 'zebulon@example.org'],
  ['payer_id_no', '4210198765432'],
  ['notifyUrl', 'https://shop.example/notify?key=sesame'],
])('a field %s is not logged, at any depth', (name, value) => {
  const places = [{ [name]: value }, { request: { [name]: value } }, { orders: [{ of: { [name]: value } }] }];
  for (const fields of places) {
    expect(logged(fields)).not.toContain(value.slice(0, 30));
    expect(logged(fields)).toContain('[redacted]');
  }
});

const row = { detail: 'Failing row contains (Zebulon Quatermain, 03127654321).', where: 'portal "Zebulon Quatermain"' };
const named = (message: string, more: object = {}) => Object.assign(new Error(message), more);
const errors: [name: string, error: unknown, kept: RegExp][] = [
  [
    'a row in its detail',
    named('new row violates check constraint "c"', { code: '23514', ...row }),
    /check constraint \\"c\\"/,
  ],
  [
    'a value in quotes',
    named('invalid input syntax for type numeric: "Zebulon Quatermain"', { code: '22P02' }),
    /type numeric/,
  ],
  ['a piece of JSON', attempt(() => JSON.parse('{"a":Zebulon Quatermain}')), /not valid JSON/],
  [
    'a command with its arguments',
    named('READONLY', { command: { name: 'set', args: ['03127654321', signature] } }),
    /READONLY/,
  ],
  ['a signature', named(`cannot verify ${signature}`), /cannot verify \[long text\]/],
  ['a key', named(`bad key ${privatePem}`), /bad key \[key\]/],
  ['a secret', named(`bad secret ${'ab'.repeat(32)}`), /bad secret \[long text\]/],
  ['a mobile number', named('no such payee 03127654321'), /no such payee \[number\]/],
  ['an account with blanks', named('no such account 5010 0098 7654 32'), /no such account/],
  ['an e-mail address', named('no such payer zebulon@example.org!'), /no such payer \[address\]/],
  [
    'a password in an address',
    named('cannot reach postgres://tidegate:sesame@db.example/t'),
    /cannot reach \[address\]/,
  ],
  [
    'all that in its cause',
    new Error('failed', { cause: named('no payee 03127654321 zebulon@example.org', row) }),
    /failed/,
  ],
  ['no error at all', 'no such payee 03127654321', /no such payee \[number\]/],
  ['no error, but an object', { payee: 'Zebulon Quatermain' }, /no error/],
];
test.each(errors)('an error that carries %s is logged without it', (_, err, kept) => {
  const line = logged({ err, requestId: 'abcd-1234' }, 'error');
  expect(line).toMatch(kept);
  const base64 = [signature, ...privatePem.split('\n').filter((text) => !text.startsWith('-----') && text.length > 20)];
  const needles = ['Zebulon', 'Quatermain', '03127654321', '7654 32', 'zebulon@', 'sesame', 'abababab', ...base64];
  expect(needles.filter((needle) => line.includes(needle))).toEqual([]);
});

test('an error anywhere in a line is redacted too, and deep fields are left out', () => {
  const line = logged({ tried: [named('failed', row)], a: { b: { c: { d: { e: 'Zebulon' } } } } });
  expect(line).toContain('"message":"failed"');
  expect(line).toContain('[deeper]');
  expect(line).not.toMatch(/Zebulon|0312/);
});

test('a hostile text takes no longer to log than a normal text', () => {
  const from = performance.now();
  for (const piece of ['!', '0-', 'a@', '-----BEGIN ', '"', '\n    at ']) {
    logged({ err: new Error(piece.repeat(500_000)) }, 'error');
  }
  expect(performance.now() - from).toBeLessThan(2_000);
});

test('the stack of an error stays readable', () => {
  const { err } = JSON.parse(logged({ err: new TypeError('x is not a function') }, 'error'));
  expect(err).toMatchObject({ type: 'TypeError', message: 'x is not a function' });
  expect(err.stack).toMatch(/packages\/process\/src\/log\.test\.ts\S*:\d+:\d+/);
});

function attempt(what: () => unknown): unknown {
  try {
    return what();
  } catch (error) {
    return error;
  }
}

test.each(['nothing', 'exit', 'throw', 'rejection'])('no line is lost when a process ends by %s', (end) => {
  const script = fileURLToPath(new URL('../test/logging-process.ts', import.meta.url));
  const { stdout } = spawnSync(process.execPath, [script, end], { encoding: 'utf8' });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ line, msg }) => [line, msg])).toEqual([1, 2, 3].map((line) => [line, 'logged']));
});

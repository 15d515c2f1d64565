import { constants, createHash, sign as rsaSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  BODY,
  headersOf,
  nonce,
  pair,
  pem,
  privateKey,
  RIGHT,
  type Signer,
  seeWith,
  signText,
  stepsOf,
  timestamp,
  unknownKey,
  wrongs,
} from '../../test/doctor-fixture.ts';
import { diagnose, type Step } from './diagnose.ts';
import { MISTAKES } from './mistakes.ts';

test('a correct request has no findings about errors', async () => {
  const findings = await seeWith({ headers: headersOf(signText(RIGHT)) });
  expect(findings).toEqual([{ step: 'signature', severity: 'right', what: expect.stringContaining('is valid') }]);
});

/** A wrong text to sign, and the steps that differ. */
const signedInstead: [Step[], string][] = [
  [
    ['order'],
    `merchantOrderNo=M-1&amount=100.50&currency=INR&Remark=50%25 %26 é&metadata.ifsc=HDFC0001234&metadata.tags[0]=a&metadata.tags[1]=b&timestamp=${timestamp}&nonce=${nonce}`,
  ],
  [
    ['number', 'order'],
    `merchantOrderNo=M-1&amount=100.5&currency=INR&Remark=50%25 %26 é&metadata.ifsc=HDFC0001234&metadata.tags[0]=a&metadata.tags[1]=b&nonce=${nonce}&timestamp=${timestamp}`,
  ],
  [['order'], `${RIGHT.replace(/&nonce=.*/, '')}&timestamp=${timestamp}&nonce=${nonce}`],
  [
    ['order'],
    `amount=100.50&currency=INR&merchantOrderNo=M-1&metadata.ifsc=HDFC0001234&metadata.tags[0]=a&metadata.tags[1]=b&nonce=${nonce}&Remark=50%25 %26 é&timestamp=${timestamp}`,
  ],
  [['escape'], RIGHT.replace('50%25 %26 é', '50% & é')],
  [['escape'], RIGHT.replace('50%25 %26 é', '50%25%20%26%20%C3%A9')],
  [['escape'], RIGHT.replace('50%25 %26 é', '50%25+%26+%C3%A9')],
  [['number'], RIGHT.replace('100.50', '100.5')],
  [['empty'], RIGHT.replace('currency=INR&', 'currency=INR&empty=&')],
  [
    ['nesting'],
    RIGHT.replace(
      'metadata.ifsc=HDFC0001234&metadata.tags[0]=a&metadata.tags[1]=b',
      'metadata={"ifsc":"HDFC0001234","tags":["a","b"]}',
    ),
  ],
  [
    ['nesting'],
    RIGHT.replace('metadata.ifsc', 'metadata[ifsc]').replace(
      'metadata.tags[0]=a&metadata.tags[1]=b',
      'metadata[tags][0]=a&metadata[tags][1]=b',
    ),
  ],
  [['nesting'], RIGHT.replace('tags[0]', 'tags.0').replace('tags[1]', 'tags.1')],
  [['stamps'], RIGHT.replace(/&timestamp=.*/, '')],
  [['stamps'], RIGHT.replace(/&nonce=[^&]*/, '')],
  [['stamps'], `${RIGHT}000`],
  [['separator'], RIGHT.replaceAll(/(?<!%2[0-9])&/g, '')],
  [['white space'], `${RIGHT}\n`],
  [['white space'], `${RIGHT}&`],
  [['content'], BODY],
  [['content'], `${BODY}${timestamp}${nonce}`],
  [['encoding'], RIGHT.replace('é', '\\u00e9')],
  [['encoding'], RIGHT.normalize('NFD')],
  [['number', 'white space'], `${RIGHT.replace('100.50', '100.5')}\n`],
  [
    ['escape', 'empty', 'white space'],
    `${RIGHT.replace('50%25 %26 é', '50% & é').replace('currency=INR&', 'currency=INR&empty=&')}\n`,
  ],
];

test.each(signedInstead)(
  'the mistake %j is recognised by the signature alone, and by the signed text',
  async (steps, text) => {
    const bySignature = await seeWith({ headers: headersOf(signText(text)) });
    expect(stepsOf(bySignature).toSorted()).toEqual(steps.toSorted());
    for (const { fix, expected } of wrongs(bySignature)) expect([typeof fix, expected]).toEqual(['string', RIGHT]);
    const byText = await seeWith({ headers: headersOf(signText(text)), signedText: text });
    expect(stepsOf(byText).toSorted()).toEqual(steps.toSorted());
    expect(bySignature.at(-1)?.what).toContain(
      steps.length === 1 ? '1 thing is wrong' : `${steps.length} things are wrong`,
    );
  },
);

/** A wrong way to sign the right text. */
const signedOtherwise: [Step, string, Signer][] = [
  ['digest', 'SHA-1', (text) => rsaSign('sha1', Buffer.from(text), privateKey).toString('base64')],
  ['digest', 'SHA-512', (text) => rsaSign('sha512', Buffer.from(text), privateKey).toString('base64')],
  ['digest', 'MD5', (text) => rsaSign('md5', Buffer.from(text), privateKey).toString('base64')],
  ['digest', 'hashed twice: its SHA-256 in hex', (text) => signText(createHash('sha256').update(text).digest('hex'))],
  [
    'digest',
    'hashed twice: its SHA-256 was',
    (text) => rsaSign('sha256', createHash('sha256').update(text).digest(), privateKey).toString('base64'),
  ],
  [
    'padding',
    'PSS',
    (text) =>
      rsaSign('sha256', Buffer.from(text), { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }).toString(
        'base64',
      ),
  ],
  [
    'key',
    'not made with this key',
    (text) => rsaSign('sha256', Buffer.from(text), unknownKey.privateKey).toString('base64'),
  ],
  ['key', '384 bytes', (text) => rsaSign('sha256', Buffer.from(text), pair(3072).privateKey).toString('base64')],
  ['base64', 'hexadecimal', (text) => Buffer.from(signText(text), 'base64').toString('hex')],
  ['base64', 'padding', (text) => signText(text).replace(/=+$/, '')],
  ['base64', 'lines', (text) => signText(text).replace(/.{64}/g, '$&\n')],
  ['base64', 'base64 of base64', (text) => Buffer.from(signText(text)).toString('base64')],
  ['base64', 'percent-encoded', (text) => encodeURIComponent(signText(text))],
  ['base64', 'quotes', (text) => `"${signText(text)}"`],
  ['base64', 'not base64', () => 'äöü'],
];

test.each(signedOtherwise)('a mistake in the step "%s" is explained: %s', async (step, what, sign) => {
  const findings = wrongs(await seeWith({ headers: headersOf(sign(RIGHT)) }));
  expect(findings).toEqual([
    expect.objectContaining({ step, what: expect.stringContaining(what), fix: expect.any(String) }),
  ]);
});

test('a signature in the URL-safe alphabet, or with blanks for +, is recognised', async () => {
  let text = RIGHT;
  let signature = signText(text);
  for (let tries = 0; !(signature.includes('+') && signature.includes('/')) && tries < 50; tries += 1) {
    text = RIGHT.replace('M-1', `M-${tries}`);
    signature = signText(text);
  }
  const body = BODY.replace('M-1', /M-\d+/.exec(text)?.[0] ?? '');
  for (const [what, spelled] of [
    ['url-safe', signature.replaceAll('+', '-').replaceAll('/', '_')],
    ['blanks in the place of +', signature.replaceAll('+', ' ')],
  ])
    expect(wrongs(await seeWith({ body, headers: headersOf(spelled ?? '') }))).toEqual([
      expect.objectContaining({ step: 'base64', what: expect.stringContaining(what ?? '') }),
    ]);
});

test('a query that was signed with its percent-encoding is recognised', async () => {
  const query = 'https://x.example/api/v1/merchant/payin/query?merchantOrderNo=M%2F1+2';
  const right = `merchantOrderNo=M/1 2&nonce=${nonce}&timestamp=${timestamp}`;
  const see = (text: string) => diagnose({ query, publicKey: pem, headers: headersOf(signText(text)) });
  expect(stepsOf(await see(right))).toEqual([]);
  expect(stepsOf(await see(right.replace('M/1 2', 'M%2F1+2')))).toEqual(['escape']);
});

test('an unexplained text is compared pair by pair', async () => {
  const text = RIGHT.replace('merchantOrderNo=M-1', 'merchantOrderNo=M-2').replace('&currency=INR', '&extra=1');
  const findings = wrongs(await seeWith({ signedText: text, headers: headersOf(signText(text)) }));
  expect(findings.map(({ what }) => what)).toEqual([
    'the pair currency is missing',
    'merchantOrderNo has another value',
    'the pair extra does not belong there',
  ]);
  const unknown = wrongs(await seeWith({ headers: headersOf(signText(text)) }));
  expect(unknown).toEqual([expect.objectContaining({ step: 'content', expected: RIGHT })]);
});

test('the text that the service derived is compared with the given text, and a text that was not signed is reported', async () => {
  const serverContent = RIGHT.replace('100.50', '100.5');
  const findings = wrongs(await seeWith({ serverContent, headers: headersOf(signText(RIGHT)) }));
  expect(findings[0]).toMatchObject({ step: 'body', what: expect.stringContaining('received other fields') });
  const other = wrongs(await seeWith({ signedText: RIGHT, headers: headersOf(signText(`${RIGHT} `)) }));
  expect(other).toEqual([expect.objectContaining({ what: expect.stringContaining('was not made over the text') })]);
});

test.each(['-----BEGIN RSA PRIVATE KEY', '-----BEGIN PRIVATE KEY'])(
  '%s: the private key is checked by its public half, and never shown',
  async (begin) => {
    const type = begin.includes('RSA') ? 'pkcs1' : 'pkcs8';
    const key = privateKey.export({ type, format: 'pem' }).toString();
    expect(key).toContain(begin);
    const findings = await diagnose({ body: BODY, privateKey: key, headers: headersOf(signText(`${RIGHT}\n`)) });
    expect(stepsOf(findings)).toEqual(['white space']);
    expect(JSON.stringify(findings)).not.toContain(key.slice(200, 240));
  },
);

test('every mistake has an explanation and advice', () => {
  expect(MISTAKES.length).toBeGreaterThan(50);
  for (const { what, fix, change } of MISTAKES)
    expect([what.length > 10, fix.length > 20, Object.keys(change).length]).toEqual([true, true, 1]);
});

test('a signed text and its body are compared without headers', async () => {
  expect(stepsOf(await diagnose({ body: BODY, signedText: RIGHT }))).toEqual([]);
  expect(stepsOf(await diagnose({ body: BODY, signedText: `${RIGHT}\n` }))).toEqual(['white space']);
});

test.each<[Step[], string]>([
  [[], RIGHT],
  [['stamps'], 'amount=1'],
  [['order'], 'nonce=n&amount=1&timestamp=1'],
  [['empty'], 'a=&nonce=n&timestamp=1'],
  [['empty'], 'a=1&b&nonce=n&timestamp=1'],
  [['escape'], 'a=1%202&nonce=n&timestamp=1'],
  [['content', 'stamps'], '{"a":1}'],
])('the findings %j come from the signed text %j alone', async (steps, signedText) => {
  const findings = await diagnose({ signedText });
  expect(stepsOf(findings).filter((step) => steps.includes(step))).toEqual(steps);
  expect(findings.at(-1)?.severity).toBe(steps.length === 0 ? 'right' : 'hint');
});

test('a diagnosis with too little input says what is missing', async () => {
  expect(await diagnose({ body: '{}' })).toEqual([
    { step: 'signature', severity: 'hint', what: expect.stringContaining('without the public key') },
  ]);
});

test('the doctor uses no module of Node, so that it runs in a browser', () => {
  const seen = new Set<string>();
  const visit = (url: URL): void => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    const text = readFileSync(url, 'utf8');
    expect(text).not.toMatch(/\bBuffer\b|\bprocess\./);
    for (const [, from = ''] of text.matchAll(/from '([^']+)'/g)) {
      expect(from, url.href).toMatch(/^\.\.?\//);
      visit(new URL(from, url));
    }
  };
  visit(new URL('diagnose.ts', import.meta.url));
  expect(seen.size).toBeGreaterThan(15);
});

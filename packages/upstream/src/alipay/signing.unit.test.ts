import { createPublicKey, createSign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { takeKeyPair } from '@tidegate/domain/testing';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readCertificates, rootSerialOf, serialOf } from './certificates.ts';
import { beijingTime, readBeijingTime } from './gateway.ts';
import {
  isUnambiguous,
  notificationContent,
  readForm,
  splitReply,
  verifyContent,
  verifyNotification,
} from './signing.ts';

const vectors = z
  .object({
    notifications: z.array(
      z.object({ signTypeIsCovered: z.boolean(), publicKey: z.string(), form: z.record(z.string(), z.string()) }),
    ),
    replies: z.array(z.object({ method: z.string(), publicKey: z.string(), text: z.string() })),
    certificates: z.array(z.object({ kind: z.enum(['single', 'root']), pem: z.string(), serial: z.string() })),
  })
  .parse(JSON.parse(readFileSync(new URL('../../vectors/alipay.json', import.meta.url), 'utf8')));

const publicKeyOf = (base64: string) =>
  createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' });
const formOf = (fields: Record<string, string>) => readForm(Buffer.from(new URLSearchParams(fields).toString()));

test.each(vectors.notifications)(
  'a notification that Alipay signed is verified (sign_type covered: $signTypeIsCovered)',
  (vector) => {
    const keys = [publicKeyOf(vector.publicKey)];
    const form = formOf(vector.form) ?? new Map();
    expect(verifyNotification(form, keys)).toBe(true);
    const content = notificationContent(form, vector.signTypeIsCovered);
    expect(verifyContent(content, vector.form.sign ?? '', keys)).toBe(true);
    expect(verifyContent(notificationContent(form, !vector.signTypeIsCovered), vector.form.sign ?? '', keys)).toBe(
      false,
    );
    for (const name of ['total_amount', 'app_id', 'notify_id', 'version']) {
      if (name in vector.form) expect(verifyNotification(new Map([...form, [name, '9']]), keys)).toBe(false);
    }
    expect(verifyNotification(new Map([...form, ['sign_type', 'RSA']]), keys)).toBe(false);
  },
);

test.each(vectors.replies)('a reply of $method that the gateway signed is verified', ({ method, publicKey, text }) => {
  const reply = splitReply(Buffer.from(text), 'utf-8', method);
  const keys = [publicKeyOf(publicKey)];
  const node = reply?.node ?? Buffer.alloc(0);
  expect(verifyContent(node, reply?.signature ?? '', keys)).toBe(true);
  expect(verifyContent(Buffer.concat([node, Buffer.from(' ')]), reply?.signature ?? '', keys)).toBe(false);
  expect(splitReply(Buffer.from(text), 'utf-8', 'alipay.trade.query')).toBeNull();
});

test.each(vectors.certificates)('a certificate ($kind) has the serial number $serial', ({ kind, pem, serial }) => {
  const certificates = readCertificates(pem);
  expect(kind === 'root' ? rootSerialOf(certificates) : certificates.map(serialOf).join()).toBe(serial);
});

test('the signed part of an answer is cut out of the text unchanged', () => {
  const node = '{"code" : "10000","list":[{"a":"}\\",{"}],"url":"http:\\/\\/x","sign":"inside"}';
  const text = ` {"before":[1,{"sign":"x"}], "alipay_trade_query_response": ${node} ,"alipay_cert_sn":"c1","sign":"AAAA"}`;
  const split = (whole: string, method: string) => {
    const reply = splitReply(Buffer.from(whole), 'utf-8', method);
    return reply && { ...reply, node: Buffer.from(reply.node).toString() };
  };
  expect(split(text, 'alipay.trade.query')).toEqual({ node, signature: 'AAAA', certificateSerial: 'c1' });
  expect(split('{"error_response":{"code":"20000"},"sign":"AA=="}', 'x')?.node).toBe('{"code":"20000"}');
});

test('the signed part of an answer in GBK is cut out by its bytes, also after a byte like a backslash', () => {
  // The second byte of this character in GBK is that of a backslash, and a quote follows.
  const node = iconv.encode('{"code":"40004","sub_msg":"系统异常","msg":"乗"}', 'gbk');
  const raw = Buffer.concat([Buffer.from('{"x_response":'), node, Buffer.from(',"sign":"AA=="}')]);
  expect(node.includes(0x5c)).toBe(true);
  expect(Buffer.from(splitReply(raw, 'gb18030', 'x')?.node ?? []).equals(node)).toBe(true);
});

test.each([
  ['no object', '[]'],
  ['no signature', '{"x_response":{}}'],
  ['a duplicate name', '{"x_response":{},"x_response":{},"sign":"AA=="}'],
  ['an answer that breaks off', '{"x_response":{"a":'],
  ['a signature that is no text', '{"x_response":{},"sign":1}'],
])('a reply with %s is not parsed', (_what, text) => {
  expect(splitReply(Buffer.from(text), 'utf-8', 'x')).toBeNull();
});

test.each(['a', 'a=1&a=2', '=1', 'a=%zz', 'a=%2', Array.from({ length: 201 }, (_, i) => `a${i}=1`).join('&')])(
  'a body that is not a form is refused: %.20s',
  (text) => {
    expect(readForm(Buffer.from(text))).toBeNull();
  },
);

test('a notification in another charset is verified over its bytes', () => {
  const { privateKey, publicKey } = takeKeyPair();
  // 订单 in GBK.
  const subject = '\xb6\xa9\xb5\xa5';
  const content = Buffer.from(`charset=GBK&subject=${subject}&total_amount=1.00`, 'latin1');
  const sign = createSign('RSA-SHA256').update(content).sign(privateKey, 'base64');
  const body = `subject=%B6%A9%B5%A5&total_amount=1.00&charset=GBK&sign_type=RSA2&sign=${encodeURIComponent(sign)}`;
  expect(verifyNotification(readForm(Buffer.from(body)) ?? new Map(), [publicKey])).toBe(true);
});

test('times are read and written in the time zone of China', () => {
  const noon = Date.UTC(2026, 10, 22, 16, 30, 5);
  expect(beijingTime(noon)).toBe('2026-11-23 00:30:05');
  expect(readBeijingTime('2026-11-23 00:30:05')).toBe(noon);
  expect(readBeijingTime('2026-11-23T00:30:05')).toBeNaN();
});

test.each([
  [{ a_1: '1', b: '订=2' }, true],
  [{ a: '1&b=2' }, false],
  [{ 'a=1': '2' }, false],
  [{ 'a&b': '1' }, false],
])('whether the signed text of %j can be parsed in one way only: %s', (fields, expected) => {
  expect(isUnambiguous(new Map(Object.entries(fields)))).toBe(expected);
});

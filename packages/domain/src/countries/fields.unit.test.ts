import { readBody } from '@tidegate/signature';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { networks } from '../core/address.ts';
import { email, knownText, matching, notifyUrl, ownObject, ownObjectWith, read, text, textOf } from './fields.ts';

/** A body as parsed by the signature package: without null and empty values, numbers as their text. */
const bodyOf = (json: string) => readBody(Buffer.from(json)).value;
/** A field as shown in the reference. */
const shown = (field: z.ZodType): unknown => {
  const { $schema: _, ...schema } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  return schema;
};

describe('the schema of a field in the API reference', () => {
  const own = {
    type: 'object',
    description: "An object of the merchant's own: at most 4 levels and 4 KiB, stored unchanged.",
    additionalProperties: true,
  };

  test('a free object without known keys', () => {
    expect(shown(ownObject)).toEqual(own);
  });

  test('a free object with known keys has their schemas and the required keys', () => {
    expect(shown(ownObjectWith({ payerName: knownText, accountNo: text(64) }))).toEqual({
      ...own,
      properties: { payerName: { type: 'string', maxLength: 512 }, accountNo: { type: 'string', maxLength: 64 } },
      required: ['accountNo'],
    });
    expect(shown(ownObjectWith({ payerName: knownText }))).toEqual({
      ...own,
      properties: { payerName: { type: 'string', maxLength: 512 } },
    });
  });

  test('texts, patterns, e-mail addresses and notification URLs have their schemas', () => {
    expect(shown(text(7))).toEqual({ type: 'string', maxLength: 7 });
    expect(shown(matching(1, /^a$/, 'must be a'))).toEqual({ type: 'string', maxLength: 1, pattern: '^a$' });
    expect(shown(email)).toEqual({ type: 'string', maxLength: 254, format: 'email' });
    expect(shown(notifyUrl)).toEqual({
      type: 'string',
      format: 'uri',
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
      maxLength: 512,
      description: expect.stringMatching(/an absolute http or https URL of a public address, without credentials/),
    });
  });
});

describe('free objects', () => {
  const schema = z.object({ own: ownObjectWith({ name: z.string('must be a string').optional() }) });
  const ownOf = (json: string) => read(schema, bodyOf(`{"own":${json}}`), networks([]));

  test.each(['{"a":1.50}', '{"a":[1.50,{"b":"c"}]}'])('the object %s is stored with numbers as their text', (json) => {
    expect(ownOf(json)).toEqual({ ok: true, request: { own: JSON.parse(json.replaceAll('1.50', '"1.50"')) } });
  });

  test.each<[string, string]>([
    ['"text"', 'must be an object'],
    ['5', 'must be an object'],
    ['true', 'must be an object'],
    ['[1]', 'must be an object'],
    ['null', 'is required'],
    ['{"a":{"b":{"c":{"d":{"e":true}}}}}', 'must have at most 4 levels'],
    ['{"a":{"b":"\\u0000"}}', 'must not hold the character U+0000'],
  ])('the value %s is refused: %s', (json, reason) => {
    expect(ownOf(json)).toEqual({ ok: false, problems: [{ path: 'own', reason }] });
  });

  test.each(['{"a":true}', '{"a":[[["b"]]]}', '{"a":{"b":{"c":{"d":true}}}}', '{"a":{"b":{"c":{"d":2.0}}}}'])(
    'the object %s is accepted',
    (json) => {
      expect(ownOf(json)).toMatchObject({ ok: true });
    },
  );

  test('null is refused by the schema too, although a body never contains it', () => {
    expect(ownObject.safeParse(null).success).toBe(false);
  });

  test('a known key is named by its path', () => {
    expect(ownOf('{"name":5}')).toEqual({ ok: false, problems: [{ path: 'own.name', reason: 'must be a string' }] });
  });
});

test('of several problems with one field the first is named', () => {
  const schema = z.object({
    a: z.string().min(3, 'is short').regex(/^x/, 'must begin with x'),
    b: z.string('is required'),
  });
  expect(read(schema, bodyOf('{"a":"y"}'), networks([]))).toEqual({
    ok: false,
    problems: [
      { path: 'a', reason: 'is short' },
      { path: 'b', reason: 'is required' },
    ],
  });
});

test('only text values of an object are returned', () => {
  expect([textOf({ a: 'b' }, 'a'), textOf({ a: 1 }, 'a'), textOf({}, 'a'), textOf(undefined, 'a')]).toEqual([
    'b',
    undefined,
    undefined,
    undefined,
  ]);
});

import { GraphQLScalarType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../schema/schema.ts';
import { readDateTime } from './scalars.ts';

function scalar(name: string): GraphQLScalarType {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLScalarType)) throw new Error(`no scalar ${name}`);
  return type;
}

describe('DateTime', () => {
  test.each([
    ['2026-11-21T03:57:51Z', '2026-11-21T03:57:51.000Z'],
    ['2026-11-21t03:57:51.5z', '2026-11-21T03:57:51.500Z'],
    ['2026-11-21T03:57:51.123999Z', '2026-11-21T03:57:51.123Z'],
    ['2026-11-21T05:27:51+05:30', '2026-11-20T23:57:51.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(scalar('DateTime').serialize(readDateTime(text))).toBe(moment);
    expect(scalar('DateTime').parseValue(text)).toBe(Date.parse(moment));
  });

  test.each([
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:59:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00+24:00',
    '',
    ' 2026-01-01T00:00:00Z',
  ])('%j is refused', (text) => {
    expect(readDateTime(text)).toBeNull();
    expect(() => scalar('DateTime').parseValue(text)).toThrow(/RFC 3339/);
  });

  test('a number is refused as input, and a text as output', () => {
    expect(() => scalar('DateTime').parseValue(1_800_000_000)).toThrow(/RFC 3339/);
    expect(() => scalar('DateTime').serialize('2026-11-21T03:57:51Z')).toThrow(/not Unix milliseconds/);
  });
});

describe('Decimal', () => {
  test.each(['0', '0.01', '5', '5.5', '-12.30', '999999999999999999.99'])('%s is accepted unchanged', (text) => {
    expect(scalar('Decimal').parseValue(text)).toBe(text);
    expect(scalar('Decimal').serialize(text)).toBe(text);
  });

  test.each([1.1, 5, '1.234', '1e2', '01', '.5', '5.', '+1', '1,000', ' 1', '', '١', true, null, ['1']])(
    '%j is refused',
    (value) => {
      expect(() => scalar('Decimal').parseValue(value)).toThrow(/a Decimal is text/);
      expect(() => scalar('Decimal').serialize(value)).toThrow(/not a decimal/);
    },
  );
});

/** The largest body, in bytes. */
const largest = 64 * 1024;

const list = (count: number, element: string): string => Array(count).fill(element).join(',');
const keys = (count: number, start: string): string =>
  Array.from({ length: count }, (_, i) => `"${start}${((i * 7919) % 65_536).toString(36)}":1`).join(',');

/** Fills a body up to the limit with one more field. */
const filled = (body: string): string => {
  const rest = largest - Buffer.byteLength(body) - 7;
  return rest < 0 ? body : `${body.slice(0, -1)},"p":"${'x'.repeat(rest)}"}`;
};

/**
 * Bodies that take the most time to read and to sign, of at most 64 KiB: each uses another limit up, or a part of the
 * reader that costs much for each byte.
 */
export const worstBodies: Readonly<Record<string, string>> = {
  'as many elements as fit': `{"a":[${list(32_700, '1')}]}`,
  'as many elements as allowed': filled(`{"a":[${list(2_040, '12345678.5e3')}]}`),
  'as many fields as allowed': filled(`{${keys(550, '')}}`),
  'fields with long names': `{${keys(550, 'a'.repeat(90))}}`,
  'fields with names that have to be escaped': `{${keys(550, '%'.repeat(72))}}`,
  'fields with names outside the basic plane': `{${keys(550, '\u{1f600}'.repeat(22))}}`,
  'a long name above many elements': filled(`{"${'k'.repeat(3_000)}":[${list(40, '1')}]}`),
  'short texts that have to be escaped': filled(`{"a":[${list(2_040, '"%&=%&="')}]}`),
  'a long text that has to be escaped': `{"a":"${'%&='.repeat(14_000)}"}`,
  'a text of escapes': `{"a":"${'\\u0041'.repeat(10_900)}"}`,
  'a text of short escapes': `{"a":"${'\\n'.repeat(32_700)}"}`,
  'a text outside ASCII': `{"a":"${'\u0e01'.repeat(21_800)}"}`,
  'objects in a list': filled(`{"a":[${list(550, '{"b":1}')}]}`),
  'lists in lists': filled(`{"a":[${list(63, `${'['.repeat(30)}1${']'.repeat(30)}`)}]}`),
  'absent elements': filled(`{"a":[${list(2_040, 'null')}]}`),
  'white space': `{${' '.repeat(65_500)}}`,
};

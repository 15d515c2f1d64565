import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byCodePoint, orderOf } from './code-point-order.ts';
import { JsonNumber, type JsonValue, MalformedRequest, readBody } from './index.ts';

type Plain = null | boolean | number | string | JsonNumber | Plain[] | { [key: string]: Plain };

/** Texts made to collide: everything that the content gives a meaning to. */
const tricky = fc.string({
  unit: fc.constantFrom('a', 'b', '%', '&', '=', '2', '5', '6', '\ue000', '😀'),
  maxLength: 4,
});
const names = tricky.filter((key) => key !== '');
// As fc.string({ unit: 'binary' }), which takes half a second to be made.
const anyText = fc
  .array(fc.nat(0x10ffff))
  .map((points) => String.fromCodePoint(...points))
  .filter((text) => text.isWellFormed());
const safeNames = anyText.filter(
  (key) => /^[^.[\]\p{Cc}]+$/u.test(key) && !['__proto__', 'timestamp', 'nonce', 'sign'].includes(key),
);

const trees = (key: fc.Arbitrary<string>, text: fc.Arbitrary<string>) => {
  const { root } = fc.letrec<{ value: Plain; root: { [key: string]: Plain } }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(
        text,
        fc.constant(null),
        fc.boolean(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
    root: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
  }));
  return root;
};

const trickyBodies = trees(names, tricky);
const anyBodies = trees(safeNames, anyText);
const read = (text: string) => readBody(Buffer.from(text));
const content = (body: Plain) => read(JSON.stringify(body)).content('T', 'N');

/** The expected leaves, computed independently: the path of each leaf as JSON, and its text. */
function leavesOf(value: Plain, steps: (string | number)[] = []): [string, string][] {
  if (value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((element, i) => leavesOf(element, [...steps, i]));
  if (typeof value === 'object') return Object.entries(value).flatMap(([key, v]) => leavesOf(v, [...steps, key]));
  return [[JSON.stringify(steps), typeof value === 'string' ? value : JSON.stringify(value)]];
}

/** Reads a content back. That this can be done, for every body, is what makes it injective. */
function leavesIn(text: string): [string, string][] {
  const plain = (s = '') => s.replaceAll('%26', '&').replaceAll('%3D', '=').replaceAll('%25', '%');
  return text.split('&').map((pair) => {
    const [path, value, ...rest] = pair.split('=');
    expect(rest).toEqual([]);
    const steps = plain(path)
      .split('.')
      .flatMap((part) => part.split(/(?=\[)/).map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step)));
    return [JSON.stringify(steps), plain(value)];
  });
}

/** How many times as many random cases the nightly run tries. */
const depth = Number(process.env.TIDEGATE_TEST_DEPTH ?? 1);

const sorted = (leaves: [string, string][]) => leaves.map((leaf) => leaf.join('\0')).sort();

test.each([
  ['tricky', trickyBodies],
  ['any', anyBodies],
])('signed content can be read back to exactly the leaves of the body, for %s texts', (_, bodies) => {
  fc.assert(
    fc.property(bodies, (body) => {
      const headers: [string, string][] = [
        ['["timestamp"]', 'T'],
        ['["nonce"]', 'N'],
      ];
      expect(sorted(leavesIn(content(body)))).toEqual(sorted([...leavesOf(body), ...headers]));
    }),
    { numRuns: 200 * depth },
  );
});

test('two bodies with the same content have the same leaves and the same value', () => {
  const few = fc.constantFrom('a', 'a&', '%', '%26');
  const small = fc.dictionary(
    few,
    fc.oneof(few, fc.constant(null), fc.array(fc.oneof(few, fc.constant('')), { maxLength: 2 })),
    {
      maxKeys: 2,
    },
  );
  let same = 0;
  fc.assert(
    fc.property(small, small, (a, b) => {
      if (content(a) === content(b)) {
        same += 1;
        expect(sorted(leavesOf(a))).toEqual(sorted(leavesOf(b)));
        expect(read(JSON.stringify(a)).value).toEqual(read(JSON.stringify(b)).value);
      } else {
        expect(sorted(leavesOf(a))).not.toEqual(sorted(leavesOf(b)));
      }
    }),
    { numRuns: 500 * depth },
  );
  expect(same).toBeGreaterThan(10);
});

/** The same JSON in another order of keys, with white space, and with every character of a string as an escape. */
function respelled(value: Plain): string {
  if (Array.isArray(value)) return `[ ${value.map(respelled).join('\n,')}\t]`;
  if (typeof value === 'string')
    return `"${value.replace(/[\s\S]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).reverse();
  return `\r\n{ ${members.map(([key, member]) => `${respelled(key)} : ${respelled(member)}`).join(' , ')} } `;
}

test('order of keys, white space and escapes do not matter', () => {
  fc.assert(fc.property(anyBodies, (body) => read(respelled(body)).content('T', 'N') === content(body)));
});

test('the pairs of a body are in the order of the UTF-8 bytes of their unescaped paths', () => {
  const plain = (text = '') => text.replaceAll('%26', '&').replaceAll('%3D', '=').replaceAll('%25', '%');
  // Elements above ten, and keys around the characters that follow a key in a path.
  const near = fc.string({
    unit: fc.constantFrom('a', '-', '/', 'Z', '\\', '0', '\ue000', '😀', 'ก'),
    minLength: 1,
    maxLength: 3,
  });
  const lists = fc.array(fc.constantFrom<Plain>('x', null, { a: 1, 'a-': 2 }, ['y']), { maxLength: 120 });
  const bodies = fc.dictionary(near, fc.oneof(tricky, lists, trees(near, tricky)));
  fc.assert(
    fc.property(bodies, (body) => {
      const paths = content(body)
        .split('&')
        .map((pair) => Buffer.from(plain(pair.split('=')[0])));
      expect(paths.toSorted(Buffer.compare)).toEqual(paths);
    }),
    { numRuns: 200 * depth },
  );
});

test('paths are in the order of their UTF-8 bytes, which is that of code points', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(tricky, anyText)), (texts) => {
      const expected = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect([...texts].sort(byCodePoint)).toEqual(expected);
      expect([...texts].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)).map(orderOf)).toEqual(expected.map(orderOf));
    }),
  );
});

/** `JSON.parse`, with the text of each number. */
function parsed(text: string): Plain {
  return JSON.parse(text, (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? new JsonNumber(context?.source ?? '') : value,
  );
}

/** `JSON.parse`'s result as this reader must give it, or `undefined` where the value counts as absent. */
function expectedValue(value: Plain): JsonValue | undefined {
  if (value === null || value === '') return undefined;
  if (typeof value === 'number') throw new Error('a number without its text');
  if (typeof value !== 'object' || value instanceof JsonNumber) return value;
  if (Array.isArray(value)) {
    const elements = value.map((element) => expectedValue(element) ?? '');
    while (elements.at(-1) === '') elements.pop();
    return elements.length > 0 ? elements : undefined;
  }
  const members = Object.entries(value).flatMap(([key, v]) => {
    const member = expectedValue(v);
    return member === undefined ? [] : [[key, member] as const];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

test('valid JSON has the same value as with JSON.parse', () => {
  fc.assert(
    fc.property(anyBodies, fc.constantFrom(0, 1, 2), (body, indent) => {
      const text = JSON.stringify(body, null, indent);
      expect(read(text).value).toEqual(expectedValue(parsed(text)) ?? {});
    }),
    { numRuns: 200 * depth },
  );
});

/** Rules in which the reader is stricter than JSON: everything but the grammar. */
const STRICTER =
  /^(body is not a JSON object|a key is empty|a string holds a lone surrogate|key ".*" (appears twice|is not allowed|is reserved))$/;

test('text that JSON.parse refuses is refused, and text that it accepts is refused only by a rule of the contract', () => {
  const asJson = (bytes: Buffer): Plain | undefined => {
    try {
      return parsed(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      return undefined;
    }
  };
  const outcomes = { read: 0, stricter: 0, both: 0 };
  const change = fc.record({
    at: fc.nat(),
    cut: fc.nat(2),
    put: fc.constantFrom('', ...'{}[]",:\\u0019.eE+-tfn \n', '\xff', '\0'),
  });
  fc.assert(
    fc.property(
      fc.oneof(trickyBodies, anyBodies),
      fc.array(change, { minLength: 1, maxLength: 2 }),
      (body, changes) => {
        let bytes = Buffer.from(JSON.stringify(body));
        for (const { at, cut, put } of changes) {
          const i = at % (bytes.length + 1);
          bytes = Buffer.concat([bytes.subarray(0, i), Buffer.from(put, 'latin1'), bytes.subarray(i + cut)]);
        }
        const json = asJson(bytes);
        let refusal: unknown;
        try {
          const { value } = readBody(bytes);
          expect(json, bytes.toString()).toBeDefined();
          expect(value).toEqual(expectedValue(json ?? null) ?? {});
          outcomes.read += 1;
        } catch (error) {
          refusal = error;
        }
        if (refusal === undefined) return;
        if (!(refusal instanceof MalformedRequest)) throw refusal;
        if (json !== undefined) expect(refusal.message).toMatch(STRICTER);
        outcomes[json === undefined ? 'both' : 'stricter'] += 1;
      },
    ),
    { numRuns: 1_000 * depth },
  );
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(0);
});

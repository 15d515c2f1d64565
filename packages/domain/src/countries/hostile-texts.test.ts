import { MalformedRequest, readBody, type SignedFields } from '@tidegate/signature';
import { expect, test } from 'vitest';
import { networks } from '../core/address.ts';
import { hostileTexts, processorMs, textFields } from '../testing/hostile-texts.ts';
import type { PayinRules, PayoutRules } from './definition.ts';
import { countries, countryRules } from './index.ts';

// Every text field of every request, in turn with a hostile text that fills the whole body.

/** The largest body is 64 KiB (decisions 1, 41300); its other fields have a few hundred bytes. */
const bytes = 64 * 1024 - 1_024;
const mostMs = 20;
const notifyNetworks = networks([]);

const requests = countries.flatMap((country) =>
  (['payin', 'payout'] as const).flatMap((kind) => {
    const rules = countryRules[country][kind];
    return rules === null ? [] : [{ name: `${country} ${kind}`, rules }];
  }),
);

/** What a request costs after it was received: its parse, the text that is signed, and its schema. */
function read(rules: PayinRules | PayoutRules, body: Uint8Array): boolean {
  const fields = readFields(body);
  if (fields === null) return false;
  const { value, content } = fields;
  content('1764000000', 'aaaaaaaa');
  const strict = rules.parse(value, { acceptDeprecatedFields: false, notifyNetworks });
  const lenient = rules.parse(value, { acceptDeprecatedFields: true, notifyNetworks });
  return strict.ok && lenient.ok;
}

/** Null: the content to sign would be too long, so the body is refused before its schema (decisions 2.6). */
function readFields(body: Uint8Array): SignedFields | null {
  try {
    return readBody(body);
  } catch (error) {
    if (error instanceof MalformedRequest) return null;
    throw error;
  }
}

function setField(example: object, path: readonly string[], text: string): object {
  const [key = '', ...below] = path;
  const inner = (example as Record<string, unknown>)[key];
  const value = below.length === 0 ? text : setField(typeof inner === 'object' && inner ? inner : {}, below, text);
  return { ...example, [key === '*' ? 'x' : key]: value };
}

test.each(requests)('$name: no hostile text in any field costs 20 ms of processor time', ({ name, rules }) => {
  const fields = [...textFields(rules.schema), ['unknown'], ['extJson', 'own'], ['metadata', 'own']];
  expect(fields.length).toBeGreaterThan(8);
  const slow: string[] = [];
  for (const path of fields)
    for (const [shape, text] of hostileTexts(bytes)) {
      const body = Buffer.from(JSON.stringify(setField(rules.example, path, text)));
      const ms = processorMs(() => read(rules, body), mostMs);
      if (ms > mostMs) slow.push(`${name}: ${path.join('.')} with ${shape} takes ${ms.toFixed(0)} ms`);
    }
  expect(slow).toEqual([]);
});

test.each(requests)('$name: the example is accepted, so that only the hostile text can be refused', ({ rules }) => {
  expect(read(rules, Buffer.from(JSON.stringify(rules.example)))).toBe(true);
});

test.each(requests)('$name: every text field refuses a text of 64 KiB', ({ rules }) => {
  for (const path of textFields(rules.schema)) {
    if (path.join('.') === 'bankName') continue;
    const body = Buffer.from(JSON.stringify(setField(rules.example, path, 'a'.repeat(bytes))));
    const { value } = readBody(body);
    const parsed = rules.parse(value, { acceptDeprecatedFields: false, notifyNetworks });
    expect(parsed, path.join('.')).toMatchObject({ ok: false });
  }
});

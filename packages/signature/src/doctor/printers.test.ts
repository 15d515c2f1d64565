import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nonce, stepsOf, timestamp } from '../../test/doctor-fixture.ts';
import { readBody } from '../content.ts';
import { diagnose, type Step } from './diagnose.ts';

// What real languages print (vectors/printers), signed in the place of the canonical text.

interface Language {
  language: string;
  version: string;
  printers: Record<string, Record<string, string>>;
}
const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../vectors/printers/${name}.json`, import.meta.url), 'utf8'));
const values: Record<string, string> = read('values');
const languages: Language[] = ['php', 'python', 'java', 'go', 'ruby', 'csharp'].map(read);

const stamps = `nonce=${nonce}&timestamp=${timestamp}`;
const canonical = (body: string) => readBody(Buffer.from(body)).content(timestamp, nonce);
const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('&', '%26').replaceAll('=', '%3D');

/** The steps that a wrong print of this value may be about. */
function stepsFor(json: string): Step[] {
  const value: unknown = JSON.parse(json);
  if (typeof value === 'boolean') return ['boolean'];
  if (typeof value === 'number') return ['number'];
  if (value === null || json === '{}' || json === '[]') return ['empty'];
  if (json === '""') return ['empty', 'value'];
  return typeof value === 'string' ? ['value'] : ['nesting', 'number'];
}

const prints = languages.flatMap(({ language, printers }) =>
  Object.entries(printers).flatMap(([printer, printed]) =>
    Object.entries(printed).map(([name, text]) => ({ language, printer, name, text, json: values[name] ?? '' })),
  ),
);
const wrong = prints.filter(({ json, text }) => {
  const body = `{"value":${json}}`;
  return canonical(body) !== `${stamps}&value=${escaped(text)}` && !(text === '' && canonical(body) === stamps);
});

test('the vectors have every language and every value', () => {
  expect(languages.map(({ language }) => language)).toEqual(['PHP', 'Python', 'Java', 'Go', 'Ruby', 'C#']);
  for (const name of Object.keys(values))
    for (const { language, printers } of languages)
      expect([language, Object.values(printers).some((printed) => name in printed)]).toEqual([language, true]);
  expect(wrong.length).toBeGreaterThan(500);
});

test.each(languages)('the doctor names the mistake in each wrong print of $language $version', async ({ language }) => {
  for (const { printer, name, text, json } of wrong.filter((one) => one.language === language)) {
    const body = `{"value":${json}}`;
    const findings = await diagnose({ body, signedText: `${stamps}&value=${escaped(text)}` });
    const steps = stepsOf(findings);
    const what = [printer, name, json, text, findings.map((one) => one.what).join('; ')];
    expect([...what, steps.length > 0 && steps.every((step) => stepsFor(json).includes(step))]).toEqual([
      ...what,
      true,
    ]);
  }
});

test.each([
  ['Python', 'json.loads(text, parse_int=str, parse_float=str)'],
  ['Java', 'Gson with LAZILY_PARSED_NUMBER'],
  ['Go', 'UseNumber and number.String()'],
])(
  'the way of %s to keep the text of numbers, as the doctor advises it, prints all numbers right',
  (language, printer) => {
    const printed = prints.filter((one) => one.language === language && one.printer === printer);
    expect(printed.length).toBeGreaterThan(10);
    expect(wrong.filter((one) => one.language === language && one.printer === printer)).toEqual([]);
  },
);

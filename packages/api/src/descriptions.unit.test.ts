import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from './schema/schema.ts';

// Descriptions are for the people who fill in a field. GraphiQL shows them, and docs/operators quotes them.

interface Described {
  path: string;
  description: string | null | undefined;
}

/** A type and everything in it that has a description. */
function descriptionsOf(type: GraphQLNamedType): Described[] {
  const parts: Described[] = [{ path: type.name, description: type.description }];
  if (isEnumType(type))
    parts.push(...type.getValues().map(({ name, description }) => ({ path: `${type.name}.${name}`, description })));
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return parts;
  for (const field of Object.values(type.getFields())) {
    parts.push({ path: `${type.name}.${field.name}`, description: field.description });
    if (!('args' in field)) continue;
    for (const { name, description } of field.args)
      parts.push({ path: `${type.name}.${field.name}(${name})`, description });
  }
  return parts;
}

const described = Object.values(schema.getTypeMap())
  .filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
  .flatMap(descriptionsOf);

/** Splits into sentences, to check their length. An abbreviation like "e.g." ends none. */
const sentencesOf = (text: string): string[] => text.split(/(?<=[.:;!?])(?<!e\.g\.)\s+(?=[A-Z`])/);
const wordsOf = (sentence: string): string[] => sentence.split(/\s+/).filter((word) => /\w/.test(word));

const maxSentence = 25;

/** Private words of the project, see docs/glossary.md for those of the field. */
const privateWords =
  /\b(?:seams?|books|nudged?|nudges|grounds?|told|tells?|beside|whoever|nobody's|strangers?|forget|forgets|forgotten|nobody|somebody|anybody|anew|heard|mend|mended|mends|went back|wish|wishes|lanes?|turns?|stands?|is had|to be had|let in|lets? them in|left out|does not narrow|has to fit)\b|\b(?:is|are|was|were|be|been|has|have|had)(?: \w+)? taken\b(?! (?:over|away|back|off))|\b(?:is|are|was|were|be) (?:away|gone)\b/i;

const problemsOf = ({ path, description }: Described): string[] => {
  const text = description?.trim() ?? '';
  const long = sentencesOf(text).filter((sentence) => wordsOf(sentence).length > maxSentence);
  const word = privateWords.exec(text);
  return [
    ...(text === '' ? [`${path} has no description`] : []),
    ...long.map((sentence) => `${path} has a sentence of ${wordsOf(sentence).length} words: ${sentence}`),
    ...(word ? [`${path} says "${word[0]}": ${text}`] : []),
  ];
};

test('every type, field, argument and enum value has a plain description in short sentences', () => {
  expect(described.length).toBeGreaterThan(800);
  expect(described.flatMap(problemsOf)).toEqual([]);
});

test('every filter says that its parts are optional and combined with AND', () => {
  const filters = described.filter(({ path }) => /^\w+Filter$|^FiguresInput$/.test(path));
  expect(filters.length).toBeGreaterThan(10);
  const plain = filters.filter(
    ({ description = '' }) => /combined with AND/.test(description ?? '') && /optional/.test(description ?? ''),
  );
  expect(filters).toEqual(plain);
});

test.each<[string, Partial<Described>, RegExp]>([
  ['nothing', { description: ' ' }, /no description/],
  ['a private word', { description: 'What the merchant is told.' }, /says "told"/],
  ['a private word for assigned', { description: 'The operator who has taken it.' }, /says "has taken"/],
  ['a private word in capitals', { description: 'Whoever asks.' }, /says "Whoever"/],
  ['a long sentence', { description: `Short. This ${'very '.repeat(25)}long. Short.` }, /a sentence of 27 words: This/],
])('the check finds %s', (_what, part, problem) => {
  expect(problemsOf({ path: 'Type.field', description: '', ...part })).toEqual([expect.stringMatching(problem)]);
});

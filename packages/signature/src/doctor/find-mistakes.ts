import { compose, encode } from './compose.ts';
import type { RequestFields } from './fields.ts';
import { MISTAKES, type Mistake } from './mistakes.ts';
import type { Stamps } from './pairs.ts';
import { type Recipe, RIGHT } from './recipe.ts';

/** Whether these bytes are what was signed. */
type IsSigned = (bytes: Uint8Array<ArrayBuffer>) => Promise<boolean> | boolean;

/** Limits of the search: mistakes in one combination, texts that are tried, and the total of their bytes. */
const MAX_MISTAKES = 3;
const MAX_TEXTS = 8_000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Finds the smallest combination of mistakes that explains the signed text. Empty if the text is correct; null if no
 * combination explains it.
 */
export async function findMistakes(
  fields: RequestFields,
  stamps: Stamps,
  isSigned: IsSigned,
): Promise<Mistake[] | null> {
  const textOf = (mistakes: readonly Mistake[]): string => {
    const recipe = recipeOf(mistakes);
    return `${recipe.bytes} ${compose(fields, stamps, recipe)}`;
  };
  const tried = new Set<string>();
  let bytesLeft = MAX_BYTES;
  const isIt = async (mistakes: readonly Mistake[]): Promise<boolean> => {
    const text = textOf(mistakes);
    if (tried.has(text)) return false;
    tried.add(text);
    const recipe = recipeOf(mistakes);
    const bytes = encode(text.slice(recipe.bytes.length + 1), recipe);
    bytesLeft -= bytes.length;
    return isSigned(bytes);
  };
  if (await isIt([])) return [];
  for (const mistakes of sets(MISTAKES.filter(makesADifference(textOf)), MAX_MISTAKES)) {
    if (tried.size >= MAX_TEXTS || bytesLeft <= 0) return null;
    if (await isIt(mistakes)) return mistakes;
  }
  return null;
}

function recipeOf(mistakes: readonly Mistake[]): Recipe {
  return mistakes.reduce<Recipe>((made, { change }) => Object.assign(made, change), { ...RIGHT });
}

/** Whether a mistake changes the text of this request, alone or together with the signing of objects as JSON. */
function makesADifference(textOf: (mistakes: readonly Mistake[]) => string): (mistake: Mistake) => boolean {
  const bases = [[], MISTAKES.filter(({ change }) => change.nesting === 'JSON')];
  const texts = bases.map((base) => textOf(base));
  return (mistake) => bases.some((base, at) => textOf([...base, mistake]) !== texts[at]);
}

/** All combinations: single mistakes, then pairs, then triples. Two mistakes about the same part are never combined. */
function* sets(mistakes: readonly Mistake[], most: number): Generator<Mistake[]> {
  for (let size = 1; size <= most; size += 1) yield* ofSize(mistakes, size);
}

function* ofSize(mistakes: readonly Mistake[], size: number): Generator<Mistake[]> {
  if (size === 0) yield [];
  else
    for (const [at, first] of mistakes.entries())
      for (const rest of ofSize(mistakes.slice(at + 1), size - 1))
        if (!rest.some((other) => isAboutTheSame(first, other))) yield [first, ...rest];
}

function isAboutTheSame(a: Mistake, b: Mistake): boolean {
  if (a.change.whole !== undefined || b.change.whole !== undefined) {
    // If the text is not made of pairs, only changes to the finished text can be combined with that.
    const later = (change: Partial<Recipe>) =>
      change.text !== undefined || change.end !== undefined || change.bytes !== undefined;
    return !(later(a.change) || later(b.change));
  }
  return Object.keys(a.change).some((key) => Object.hasOwn(b.change, key));
}

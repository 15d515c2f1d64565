import { compose, encode } from './compose.ts';
import type { RequestFields } from './fields.ts';
import { habitsOf } from './habits.ts';
import type { Mistake } from './mistake.ts';
import { MISTAKES } from './mistakes.ts';
import type { Stamps } from './pairs.ts';
import { type Recipe, RIGHT } from './recipe.ts';

/** Whether these bytes are what was signed. */
type IsSigned = (bytes: Uint8Array<ArrayBuffer>) => Promise<boolean> | boolean;

/** Limits of the search: texts that are made, and the total of their characters. */
const MAX_TEXTS = 20_000;
const MAX_CHARACTERS = 24 * 1024 * 1024;

/**
 * Finds the smallest combination of mistakes that explains the signed text. Empty if the text is correct; null if no
 * combination explains it, or none within the limits.
 */
export async function findMistakes(
  fields: RequestFields,
  stamps: Stamps,
  isSigned: IsSigned,
): Promise<Mistake[] | null> {
  let textsLeft = MAX_TEXTS;
  let charactersLeft = MAX_CHARACTERS;
  const textOf = (mistakes: readonly Mistake[]): string => {
    const recipe = recipeOf(mistakes);
    const text = `${recipe.bytes} ${compose(fields, stamps, recipe)}`;
    textsLeft -= 1;
    charactersLeft -= text.length;
    return text;
  };
  const tried = new Set<string>();
  const isIt = async (mistakes: readonly Mistake[]): Promise<boolean> => {
    const text = textOf(mistakes);
    if (tried.has(text)) return false;
    tried.add(text);
    const recipe = recipeOf(mistakes);
    return isSigned(encode(text.slice(recipe.bytes.length + 1), recipe));
  };
  if (await isIt([])) return [];
  for (const mistake of MISTAKES) {
    if (charactersLeft <= 0) return null;
    if (await isIt([mistake])) return [mistake];
  }
  const relevant = MISTAKES.filter(makesADifference(textOf));
  for (const mistakes of candidates(relevant)) {
    if (textsLeft <= 0 || charactersLeft <= 0) return null;
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

/** Pairs, then what programs of one language do together, then triples. In each, likely mistakes come first. */
function* candidates(mistakes: readonly Mistake[]): Generator<Mistake[]> {
  const relevant = new Set(mistakes);
  yield* ofSize(mistakes, 2);
  yield* habitsOf((mistake) => relevant.has(mistake));
  yield* ofSize(mistakes, 3);
}

/** Ordered by the least likely mistake of each combination. Two mistakes about the same part are never combined. */
function* ofSize(mistakes: readonly Mistake[], size: number): Generator<Mistake[]> {
  if (size === 0) yield [];
  else
    for (const [at, last] of mistakes.entries())
      for (const others of ofSize(mistakes.slice(0, at), size - 1))
        if (!others.some((other) => isAboutTheSame(last, other))) yield [...others, last];
}

function isAboutTheSame(a: Mistake, b: Mistake): boolean {
  if (a.change.whole !== undefined || b.change.whole !== undefined) {
    // If the text is not made of pairs, only changes to the finished text can be combined with that, and to numbers if
    // the body was written again.
    const later = (change: Partial<Recipe>, { whole }: Partial<Recipe>) =>
      change.text !== undefined ||
      change.end !== undefined ||
      change.bytes !== undefined ||
      (change.numbers !== undefined && whole?.includes('sorted') === true);
    return !(later(a.change, b.change) || later(b.change, a.change));
  }
  return Object.keys(a.change).some((key) => Object.hasOwn(b.change, key));
}

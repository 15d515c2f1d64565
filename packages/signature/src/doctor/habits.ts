import type { Mistake } from './mistake.ts';
import { MISTAKES } from './mistakes.ts';
import type { Recipe } from './recipe.ts';

/** For some parts of the recipe, the ways in which programs of one language do them wrong. */
type Habits = { readonly [Part in keyof Recipe]?: readonly Recipe[Part][] };

const ORDERS = ['as sent', 'stamps last'] as const;

/** What one program does wrong comes together: its language prints all kinds of values in its own way. */
const HABITS: readonly Habits[] = [
  // PHP
  {
    booleans: ['1 and nothing', '1 and 0', '1 and left out'],
    numbers: ['JavaScript', 'PHP'],
    nulls: ['nothing'],
    nesting: ['JSON, ASCII, slashes', 'brackets', 'JSON', 'PHP'],
    escape: ['none', 'form'],
    order: ORDERS,
  },
  // Python
  {
    booleans: ['True and False'],
    numbers: ['Python', 'JavaScript'],
    nulls: ['None'],
    nesting: ['Python', 'JSON, blanks, ASCII', 'JSON, blanks'],
    escape: ['none', 'form'],
    order: ORDERS,
  },
  // Java
  {
    numbers: ['Python', 'Java', 'Java, whole numbers too'],
    nulls: ['null'],
    nesting: ['Java', 'JSON', 'JSON, HTML of Gson'],
    empties: ['empty kept', 'kept'],
    escape: ['none', 'form'],
    order: ORDERS,
  },
  // Go
  {
    numbers: ['JavaScript', 'Go'],
    nulls: ['<nil>', 'null'],
    nesting: ['Go', 'JSON, sorted', 'JSON, sorted, HTML'],
    escape: ['none', 'form'],
    order: ORDERS,
  },
  // Ruby
  {
    numbers: ['Python', 'Ruby'],
    nulls: ['nil', 'nothing'],
    nesting: ['Ruby', 'JSON', 'brackets'],
    escape: ['none', 'form'],
    order: ORDERS,
  },
  // C#
  {
    booleans: ['True and False'],
    numbers: ['JavaScript', 'C#'],
    nulls: ['nothing', 'null'],
    nesting: ['JSON', 'JSON, indented'],
    escape: ['none', 'URL'],
    order: ORDERS,
  },
];

/** All combinations of the habits of one language, for each language: of each part one way, or none. */
export function* habitsOf(isRelevant: (mistake: Mistake) => boolean): Generator<Mistake[]> {
  for (const habits of HABITS) {
    const parts = Object.entries(habits).map(([part, ways]) =>
      MISTAKES.filter(
        (mistake) => isRelevant(mistake) && ways.some((way: unknown) => mistake.change[part as keyof Recipe] === way),
      ),
    );
    yield* combined(parts);
  }
}

function* combined([first, ...rest]: readonly (readonly Mistake[])[]): Generator<Mistake[]> {
  if (first === undefined) yield [];
  else
    for (const others of combined(rest)) {
      yield others;
      for (const mistake of first) yield [mistake, ...others];
    }
}

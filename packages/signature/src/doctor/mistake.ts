import type { Step } from './finding.ts';
import type { Recipe } from './recipe.ts';

/** A common mistake in making the content to sign: how it changes the recipe, and how to explain it. */
export interface Mistake {
  step: Step;
  change: Partial<Recipe>;
  what: string;
  fix: string;
}

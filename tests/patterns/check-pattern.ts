import { createRequire } from 'node:module';
import type { checkSync as Check } from 'recheck';
import { analyse } from 'scslre';
import type { Pattern } from './read-patterns.ts';

// Two libraries, each for what it decides for certain. recheck builds an automaton, which has no lookarounds and backreferences: instead it would
// try random texts. scslre finds parts of a pattern that can take the same characters, and texts that a pattern tries again from each of their characters.

// recheck's engine in JavaScript: the others need Java, or a binary of the platform.
process.env.RECHECK_BACKEND = 'pure';
const load = createRequire(import.meta.url);
const { checkSync } = load('recheck') as { checkSync: typeof Check };
const versionOf = (name: string): string => `${name} ${load(`${name}/package.json`).version}`;

/** The versions that checked: others may check differently. */
export const checkers = `${versionOf('recheck')} and ${versionOf('scslre')}`;

/** Far more than any pattern of ours takes on an idle machine. */
const longestMs = 120_000;

/** Null: its time grows at most in proportion to the text. Else what is wrong. */
export function problemOf({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string | null {
  const [overlap] = analyse({ source, flags }).reports;
  if (overlap)
    return `takes ${overlap.exponential ? 'exponential' : 'polynomial'} time: see ${quoted(source, overlap)}`;
  if (/\(\?<?[=!]|\\[1-9]|\\k<|\\[bB]/.test(source)) return null;
  try {
    // The library does not know the flag v, which changes nothing of what is checked here.
    const result = checkSync(source, flags.replace('v', 'u'), { checker: 'automaton', timeout: longestMs });
    if (result.status === 'safe') return null;
    if (result.status === 'unknown') return `cannot be checked (${result.error.kind}): write it more simply`;
    return `takes ${result.complexity.summary} time, for example for ${result.attack.pattern.slice(0, 120)}`;
  } catch (error) {
    return `cannot be checked (${error instanceof Error ? error.message : error}): write it more simply`;
  }
}

/** The part of the pattern that a report is about. */
function quoted(source: string, report: ReturnType<typeof analyse>['reports'][number]): string {
  const { start, end } = report.type === 'Trade' ? report.startQuant : report.quant;
  // Offsets count the slash at the beginning of a literal.
  return source.slice(start - 1, end - 1);
}

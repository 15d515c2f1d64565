// npm run check:commits: the subjects of the commits since BASE are conventional and short. CONTRIBUTING.md has the rule.
import { execFileSync } from 'node:child_process';
import { ROOT } from './machine.mjs';

/** Commits up to here are older than the rule. */
const BASE = 'a5a0f35530be60e1a72c7b2037f8a9acf71deed5';
const MAX_LENGTH = 72;
const CONVENTIONAL = /^(feat|fix|docs|style|refactor|perf|test|build|ci|chore|revert)(\([a-z0-9,-]+\))?!?: \S/;

/** What is wrong with a subject; null if nothing is. */
export function problemOf(subject) {
  if (!CONVENTIONAL.test(subject)) return 'is not conventional: begin it with a type, e.g. fix(checkout): …';
  if (subject.length > MAX_LENGTH)
    return `has ${subject.length} characters: at most ${MAX_LENGTH}, the rest belongs into the body`;
  return null;
}

/** The commits since BASE as `[id, subject]`; null where there is no git or the history does not reach that far. */
function readCommits() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    git('merge-base', '--is-ancestor', BASE, 'HEAD');
    const lines = git('log', '--no-merges', '--format=%h %s', `${BASE}..HEAD`).split('\n').filter(Boolean);
    return lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]);
  } catch {
    return null;
  }
}

if (import.meta.main ?? process.argv[1] === new URL(import.meta.url).pathname) {
  const commits = readCommits();
  if (commits === null) console.log(`Skipped: the history of this copy does not reach ${BASE.slice(0, 8)}.`);
  const problems = (commits ?? []).flatMap(([id, subject]) => {
    const problem = problemOf(subject);
    return problem === null ? [] : [`${id} "${subject}" ${problem}`];
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else if (commits !== null) console.log(`The subjects of ${commits.length} commits are right.`);
}

// What npm test says at its end: the time of each tier, the slowest files, and which of them take longer than their tier allows.
import { tierOf } from './select-tests.mjs';

/** How long one file's tests may take, in seconds, on an idle machine with two cores. */
const FILE_BUDGET_S = { architecture: 10, unit: 1, integration: 15, system: 60, nightly: 600 };
const SLOWEST = 10;

/** The text. Files over their budget are named; a machine that is slower by a factor may take so much longer. */
export function summaryOf(reports) {
  const lines = ['', 'Time per tier:'];
  for (const { tier, seconds, files, slowness } of reports)
    lines.push(`  ${tier.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s  ${files.length} files${slowNote(slowness)}`);
  const files = reports.flatMap(({ files, slowness }) => files.map((one) => ({ ...one, slowness })));
  const slowest = files.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
  lines.push('', `The ${slowest.length} slowest files:`);
  for (const { file, milliseconds } of slowest) lines.push(`  ${secondsOf(milliseconds)}  ${file}`);
  const over = files.filter(({ file, milliseconds, slowness }) => milliseconds > budgetMs(file) * slowness);
  for (const { file, milliseconds } of over)
    lines.push(
      `OVER BUDGET: ${file} took ${secondsOf(milliseconds).trim()}; a file of the tier ${tierOf(file)} may take ${FILE_BUDGET_S[tierOf(file)]} s. Make it faster, split it, or move it to another tier.`,
    );
  return lines.join('\n');
}

/** The last line: how many tests passed and failed, over all tiers. */
export function closingLine(reports) {
  const sum = (outcome) => reports.reduce((total, { count }) => total + count[outcome], 0);
  const skipped = sum('skipped');
  return `\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const budgetMs = (file) => FILE_BUDGET_S[tierOf(file)] * 1_000;
const secondsOf = (milliseconds) => `${(milliseconds / 1_000).toFixed(1).padStart(7)} s`;
const slowNote = (slowness) =>
  slowness > 1.2 ? ` (this machine was ${slowness.toFixed(1)} times slower than an idle one)` : '';

// What npm test says at its end: the time of each tier, the slowest files, and which of them take longer than their tier allows,
// and what failed. A run prints thousands of lines, and who reads only its last ones must see why it failed.

/** How long one file's tests may take, in seconds, on a machine with two cores that does nothing else. */
const FILE_LIMIT_S = { architecture: 10, unit: 1, integration: 15, system: 60, nightly: 600, measured: 600 };
/**
 * The tests of a tier slow each other down: while a tier runs on a machine that does nothing else, the fixed work of tests/machine-speed.ts
 * takes longer by this factor. Measured: 1.8 (unit), 3.6 (integration), 8.2 (system). Limits use about half of it.
 */
const OWN_SLOWNESS = { architecture: 1, unit: 1.8, integration: 2, system: 4, nightly: 4, measured: 4 };
const SLOWEST = 10;
const FAILURES = 30;

/** The text that a run ends with: the time of each tier, the slowest files, the files over their limit, and the failures. */
export function summaryOf(reports) {
  const lines = ['', 'Time per tier:'];
  for (const report of reports) {
    const { tier, seconds, files } = report;
    lines.push(`  ${tier.padEnd(12)} ${seconds.toFixed(1).padStart(7)} s  ${files.length} files${slowNote(report)}`);
  }
  const files = reports.flatMap((report) => report.files);
  const slowest = files.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
  lines.push('', `The ${slowest.length} slowest files:`);
  for (const { file, milliseconds } of slowest) lines.push(`  ${secondsOf(milliseconds)}  ${file}`);
  for (const { file, milliseconds, tier } of overLimit(reports))
    lines.push(
      `OVER ITS LIMIT: ${file} took ${secondsOf(milliseconds).trim()}; a file of the tier ${tier} may take ${FILE_LIMIT_S[tier]} s. Make it faster, split it, or move it to another tier.`,
    );
  return [...lines, ...failureLines(reports)].join('\n');
}

/** Each test that failed, with what was thrown. */
function failureLines(reports) {
  const failures = reports.flatMap(({ tier, failures }) => failures.map((failure) => ({ tier, ...failure })));
  const shown = failures.slice(0, FAILURES);
  const lines = shown.flatMap(({ tier, file, name, message }) => [
    '',
    `FAILED (${tier}): ${file} > ${name}`,
    ...message.split('\n').map((line) => `  ${line}`),
  ]);
  return failures.length > shown.length ? [...lines, '', `and ${failures.length - shown.length} more failures`] : lines;
}

/**
 * The files that took longer than a file of their tier may. On a machine that is slower by a factor they may take so much longer: the factor over the
 * whole tier or while the file ran, whichever is greater.
 */
export function overLimit(reports) {
  return reports.flatMap((report) =>
    report.files
      .filter((file) => file.milliseconds > FILE_LIMIT_S[report.tier] * 1_000 * slownessDuring(report, file))
      .map((file) => ({ ...file, tier: report.tier })),
  );
}

/** The reports with the time of each file that was run `again`, where that was shorter; a failure in the second run counts. */
export function withShorterTimes(reports, again) {
  const times = new Map(again.files.map(({ file, milliseconds }) => [file, milliseconds]));
  return reports.map((report) => {
    if (report.tier !== again.tier) return report;
    const files = report.files.map((file) => ({
      ...file,
      milliseconds: Math.min(file.milliseconds, times.get(file.file) ?? Infinity),
    }));
    const failures = [...report.failures, ...again.failures];
    return { ...report, files, count: { ...report.count, failed: report.count.failed + again.count.failed }, failures };
  });
}

/** The last line: how many tests passed and failed, over all tiers. */
export function closingLine(reports) {
  const sum = (outcome) => reports.reduce((total, { count }) => total + count[outcome], 0);
  const skipped = sum('skipped');
  return `\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** How many times slower than a machine that does nothing else; at least 1. */
const slownessOf = ({ tier, slowness }) => Math.max(1, slowness / OWN_SLOWNESS[tier]);

/** The same while one file ran. */
function slownessDuring(report, { beganAt, milliseconds }) {
  const isDuring = ([at]) => beganAt != null && at >= beganAt && at <= beganAt + milliseconds;
  const means = (report.samples ?? []).map((samples) => {
    const during = samples.filter(isDuring);
    return during.reduce((sum, [, factor]) => sum + factor, 0) / Math.max(1, during.length);
  });
  return Math.max(slownessOf(report), ...means.map((slowness) => slownessOf({ tier: report.tier, slowness })));
}

const secondsOf = (milliseconds) => `${(milliseconds / 1_000).toFixed(1).padStart(7)} s`;
const slowNote = (report) =>
  slownessOf(report) > 1.2
    ? ` (this machine was ${slownessOf(report).toFixed(1)} times slower than one that does nothing else)`
    : '';

import type { Measured, Measurement } from './measurements.ts';

export interface Line extends Measurement {
  /** One for each round. */
  rounds: Measured[];
  perSecond: number;
  waitMs: number;
  p99Ms: number | null;
  meanBatch: number | null;
  /** Of the peer's rate in the same round; the median over the rounds. */
  ratio: number | null;
}

/** Puts the rounds together. */
export function lineOf(measurement: Measurement, rounds: Measured[], peer: Measured[] | undefined): Line {
  const ratios = rounds.flatMap((round, i) => (peer?.[i] ? [round.perSecond / peer[i].perSecond] : []));
  const middle = (of: (round: Measured) => number | null): number | null =>
    median(rounds.map(of).filter((x) => x !== null));
  return {
    ...measurement,
    rounds,
    perSecond: middle((round) => round.perSecond) ?? 0,
    waitMs: middle((round) => round.waitMs) ?? 0,
    p99Ms: middle((round) => round.p99Ms),
    meanBatch: middle((round) => round.meanBatch),
    ratio: median(ratios),
  };
}

function median(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** The lines as a table in text. */
export function tableOf(lines: readonly Line[]): string {
  const shown = (value: number | null, digits: number): string => (value === null ? '' : value.toFixed(digits));
  const rows = lines.map((line) => [
    line.name,
    shown(line.perSecond, 0),
    shown(line.waitMs, 2),
    shown(line.p99Ms, 2),
    shown(line.meanBatch, 1),
    line.ratio === null ? '' : `${line.ratio.toFixed(2)} x`,
    line.aim === undefined ? '' : `${line.aim} x`,
    line.aim === undefined || line.ratio === null ? '' : line.ratio >= line.aim ? 'met' : 'missed',
  ]);
  const head = ['payouts created by', 'per second', 'wait ms', 'p99 ms', 'batch', 'of pgbench', 'aim', ''];
  return textTable(head, rows);
}

/** Rows under a head, the first column to the left and the others to the right. */
export function textTable(head: string[], rows: string[][]): string {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  const text = (row: string[]): string =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [text(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(text)].join('\n');
}

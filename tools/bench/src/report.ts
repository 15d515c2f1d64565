import { medianOf } from './median.ts';
import type { Aim, Measured, Row } from './row.ts';

/** One row of the report, as printed and as written to the file (docs/developers/benchmarks.md). */
export interface Line {
  name: string;
  unit: Row['unit'];
  /** The median over the rounds, like all figures below. */
  figure: number;
  /** The median wait; of pgbench, the mean. Null if not measured, like the next ones. */
  waitMs: number | null;
  p99Ms: number | null;
  p999Ms: number | null;
  /** Orders in a transaction. */
  meanBatch: number | null;
  /** Microseconds of processor time per answer, by process. `bench` is the load generator. */
  cpuUs: Record<string, number> | null;
  /** The name of the reference row. If there are several, the one with the smallest figure. */
  peer: string | null;
  /** The figure divided by the reference's figure of the same round. */
  ratio: number | null;
  aim: Aim | null;
  verdict: 'met' | 'missed' | null;
  rounds: Measured[];
}

export type Found = ReadonlyMap<string, readonly Measured[]>;

/** Combines all rounds of a row. Null if the row was not measured. */
export function lineOf(row: Row, found: Found): Line | null {
  const rounds = found.get(row.name) ?? [];
  if (rounds.length === 0) return null;
  const peer = smallestPeer(row, found);
  const peerRounds = peer === null ? [] : (found.get(peer) ?? []);
  const ratios = rounds.flatMap((round, i) => (peerRounds[i] ? [round.figure / peerRounds[i].figure] : []));
  const ratio = ratios.length > 0 ? medianOf(ratios) : null;
  const aim = row.aim ?? null;
  const processes = [...new Set(rounds.flatMap(({ cpuUs }) => Object.keys(cpuUs ?? {})))];
  return {
    name: row.name,
    unit: row.unit,
    peer,
    ratio,
    aim,
    figure: medianOf(rounds.map(({ figure }) => figure)),
    waitMs: middle(rounds.map(({ waitMs }) => waitMs)),
    p99Ms: middle(rounds.map(({ p99Ms }) => p99Ms)),
    p999Ms: middle(rounds.map(({ p999Ms }) => p999Ms)),
    meanBatch: middle(rounds.map(({ meanBatch }) => meanBatch)),
    cpuUs:
      processes.length > 0
        ? Object.fromEntries(processes.map((name) => [name, middle(rounds.map(({ cpuUs }) => cpuUs?.[name])) ?? 0]))
        : null,
    verdict: aim === null || ratio === null ? null : isMet(aim, ratio) ? 'met' : 'missed',
    rounds: [...rounds],
  };
}

function smallestPeer({ peers = [] }: Row, found: Found): string | null {
  const figures = peers.flatMap((name) => {
    const figure = medianOf((found.get(name) ?? []).map((measured) => measured.figure));
    return Number.isNaN(figure) ? [] : [{ name, figure }];
  });
  return figures.toSorted((a, b) => a.figure - b.figure)[0]?.name ?? null;
}

function isMet(aim: Aim, ratio: number): boolean {
  return 'atLeast' in aim ? ratio >= aim.atLeast : ratio <= aim.atMost;
}

/** The median of the present values; null if there are none. */
function middle(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? medianOf(known) : null;
}

/**
 * The results as a text table. Processor time is that of our processes, PostgreSQL and Redis together, without the load
 * generator.
 */
export function tableOf(lines: readonly Line[]): string {
  const shown = (value: number | null, digits: number): string => (value === null ? '' : value.toFixed(digits));
  const head = [
    '',
    'figure',
    '',
    'wait ms',
    'p99 ms',
    'p99.9 ms',
    'batch',
    'cpu µs',
    'ratio',
    'aim',
    '',
    'compared with',
  ];
  const rows = lines.map((line) => [
    line.name,
    shown(line.figure, line.figure < 100 ? 2 : 0),
    line.unit,
    shown(line.waitMs, 2),
    shown(line.p99Ms, 2),
    shown(line.p999Ms, 2),
    shown(line.meanBatch, 1),
    shown(servedUs(line), 0),
    line.ratio === null ? '' : `${line.ratio.toFixed(2)} x`,
    line.aim === null ? '' : 'atLeast' in line.aim ? `≥ ${line.aim.atLeast} x` : `≤ ${line.aim.atMost} x`,
    line.verdict ?? '',
    line.peer ?? '',
  ]);
  return textTable(head, rows);
}

function servedUs({ cpuUs }: Line): number | null {
  if (cpuUs === null) return null;
  const { bench: _, ...served } = cpuUs;
  return Object.values(served).reduce((sum, us) => sum + us, 0);
}

/** Aligns a table under its head: numbers right; the first column, the unit and the last two columns left. */
function textTable(head: string[], rows: string[][]): string {
  const all = [head, ...rows];
  const widths = head.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)));
  const isText = (column: number): boolean => [0, 2, 10, 11].includes(column);
  const text = (row: string[]): string =>
    row
      .map((cell, i) => (isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [text(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(text)].join('\n');
}

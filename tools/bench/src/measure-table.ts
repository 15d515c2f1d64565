import { type Line, lineOf } from './report.ts';
import type { Kind, Measured, Row, Run } from './row.ts';

export interface Wanted {
  /** Only rows whose name contains this text, and their references; empty: all. */
  only: string;
  rounds: number;
  /** Receives a line for each figure as soon as it is measured. */
  say: (line: string) => void;
}

/** The wanted rows of a kind, with their references. */
export function wantedOf({ rows, part }: Kind, only: string): Row[] {
  if (part !== undefined && !only.startsWith(part)) return [];
  const named = rows.filter(({ name }) => name.includes(only));
  return rows.filter((row) => named.some((one) => one === row || one.peers?.includes(row.name)));
}

/** Measures the wanted rows of the table, in `rounds` rounds. */
export async function measureTable(kinds: readonly Kind[], run: Run, { only, rounds, say }: Wanted): Promise<Line[]> {
  const found = new Map<string, Measured[]>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const kind of kinds) {
      const wanted = wantedOf(kind, only);
      if (wanted.length === 0) continue;
      await kind.measure(run, wanted, (name, measured) => {
        found.set(name, [...(found.get(name) ?? []), measured]);
        const { unit = '' } = wanted.find((row) => row.name === name) ?? {};
        const note = measured.note === undefined ? '' : ` (${measured.note})`;
        say(`  ${round}/${rounds}  ${name}: ${measured.figure.toFixed(measured.figure < 100 ? 2 : 0)} ${unit}${note}`);
      });
    }
  }
  const rows = kinds.flatMap((kind) => wantedOf(kind, only));
  return rows.flatMap((row) => lineOf(row, found) ?? []);
}

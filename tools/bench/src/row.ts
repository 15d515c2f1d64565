import type { BenchEnvironment } from './bench-environment.ts';
import type { Timing } from './closed-loop.ts';
import type { KeptOrders } from './kept-orders.ts';

/** A row of the report: one figure, and the rows it is compared with. */
export interface Row {
  /** Unique. `--only` filters by it, `peers` refer to it, and the result file has it. */
  name: string;
  unit: '/s' | 'ms' | 's' | 'MiB';
  /** Names of rows of the same kind that serve as reference. If there are several, the smallest figure counts. */
  peers?: readonly string[];
  /** The limit, as a factor of the reference's figure. */
  aim?: Aim;
}

export type Aim = { atLeast: number } | { atMost: number };

/** The result of one round for a row. */
export interface Measured {
  figure: number;
  /** Median and 99th percentile of the wait for an answer. pgbench reports only the mean, as `waitMs`. */
  waitMs?: number;
  p99Ms?: number;
  /** The 99.9th percentile, where enough requests were measured. */
  p999Ms?: number;
  /** The mean number of orders in one transaction. */
  meanBatch?: number;
  /** Processor time per answer, by process, in microseconds. `bench` is the load generator. */
  cpuUs?: Readonly<Record<string, number>>;
  /** A note about how the figure was measured, printed after it. */
  note?: string;
}

export interface Run {
  environment: BenchEnvironment;
  timing: Timing;
  /** The timing of our own processes in the parts that take minutes, with a longer warm-up. */
  warmed: Timing;
  kept: KeptOrders;
  /** Numbers of orders in the filled databases. `growth` uses both, `pages` and `search` only the larger one. */
  sizes: { small: number; large: number };
  /**
   * The numbers of clients with which pgbench and the REST adapter are measured, to find the best. Which one is best
   * differs by wallets and machine.
   */
  clientCounts: Readonly<Record<'pgbench' | 'http', readonly number[]>>;
  /** The idle time before memory at rest is read, in milliseconds. */
  idleMs: number;
}

/** Rows that are measured in the same way. */
export interface Kind {
  rows: readonly Row[];
  /** Set if the rows take minutes. They are then measured only if `--only` begins with this text, as their names do. */
  part?: string;
  /** How many merchants of each country the rows need; default 1,000. Seeding takes a part of the run. */
  merchants?: number;
  /** Measures those of `rows` that are in `wanted`, and reports each figure as soon as it is known. */
  measure(run: Run, wanted: readonly Row[], report: (name: string, measured: Measured) => void): Promise<void>;
}

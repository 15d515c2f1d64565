import type { BenchEnvironment } from './bench-environment.ts';
import type { Timing } from './closed-loop.ts';
import type { KeptOrders } from './kept-orders.ts';

/** A row of the table: one figure, and what it is held against. */
export interface Row {
  /** Names it for `--only`, for its peers and in the file. */
  name: string;
  unit: '/s' | 'ms' | 's' | 'MiB';
  /** Rows of the same kind that are measured in the same run; of several the one with the smallest figure counts. */
  peers?: readonly string[];
  /** Of the peer's figure. */
  aim?: Aim;
}

export type Aim = { atLeast: number } | { atMost: number };

/** What one round found for a row. */
export interface Measured {
  figure: number;
  /** How long the middle one waited, and the one after 99 of 100; pgbench tells the mean only. */
  waitMs?: number;
  p99Ms?: number;
  /** Orders in one transaction. */
  meanBatch?: number;
  /** Processor time that one answer cost, by process, in microseconds; `bench` is what asked. */
  cpuUs?: Readonly<Record<string, number>>;
}

/** What kinds measure with. */
export interface Run {
  environment: BenchEnvironment;
  timing: Timing;
  kept: KeptOrders;
  /** How many orders the databases of `growth` have, and the larger one that of `pages`. */
  sizes: { small: number; large: number };
}

/** Rows that are measured alike. */
export interface Kind {
  rows: readonly Row[];
  /** Measures those of `rows` that are wanted, and tells of each as soon as it is known. */
  measure(run: Run, wanted: readonly Row[], found: (name: string, measured: Measured) => void): Promise<void>;
}

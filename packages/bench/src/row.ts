import type { BenchEnvironment } from './bench-environment.ts';
import type { Timing } from './closed-loop.ts';
import type { KeptOrders } from './kept-orders.ts';

/** A row of the table: one figure, and its reference. */
export interface Row {
  /** The name for `--only`, for references and in the file. */
  name: string;
  unit: '/s' | 'ms' | 's' | 'MiB';
  /** The reference rows of the same kind and run. Of several, the smallest figure counts. */
  peers?: readonly string[];
  /** Limit as a part of the reference's figure. */
  aim?: Aim;
}

export type Aim = { atLeast: number } | { atMost: number };

/** The result of one round for a row. */
export interface Measured {
  figure: number;
  /** Median and 99th percentile of the wait. pgbench reports only the mean. */
  waitMs?: number;
  p99Ms?: number;
  /** The 99.9th percentile, where enough requests were measured. */
  p999Ms?: number;
  /** Orders in one transaction. */
  meanBatch?: number;
  /** Processor time per answer, by process, in microseconds. `bench` is the load generator. */
  cpuUs?: Readonly<Record<string, number>>;
  /** A note about how the figure was measured, printed after it. */
  note?: string;
}

/** The parameters of a measurement. */
export interface Run {
  environment: BenchEnvironment;
  timing: Timing;
  kept: KeptOrders;
  /** The numbers of orders in the databases of `growth`. The larger one is also that of `pages`. */
  sizes: { small: number; large: number };
}

/** Rows that are measured in the same way. */
export interface Kind {
  rows: readonly Row[];
  /**
   * The rows take minutes, so they are measured only if `--only` begins with this text. Their names begin with it too.
   */
  part?: string;
  /** Measures the wanted ones of `rows`, and reports each as soon as it is known. */
  measure(run: Run, wanted: readonly Row[], report: (name: string, measured: Measured) => void): Promise<void>;
}

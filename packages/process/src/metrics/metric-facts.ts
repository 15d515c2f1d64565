/** The processes that serve `GET /metrics`. */
export type ProcessName = 'rest-adapter' | 'api' | 'worker';

export interface MetricFacts {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels: readonly string[];
  /** The processes that export it. */
  of: readonly ProcessName[];
  /** The upper bounds of a histogram's buckets. */
  buckets?: readonly number[];
}

// Values for `of`.
export const each = ['rest-adapter', 'api', 'worker'] as const;
export const servers = ['rest-adapter', 'api'] as const;
export const worker = ['worker'] as const;
export const gaugeOfEach = { type: 'gauge', of: each, labels: [] } as const;

// Values for `buckets`.
export const requestSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
export const batchCommands = [1, 2, 5, 10, 20, 50, 100, 200];
export const stepSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
export const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
export const jobSeconds = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 25];

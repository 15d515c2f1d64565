/** What the run of one tier left, see test.mjs. */
export interface TierReport {
  tier: string;
  /** vitest's exit code. */
  code: number;
  seconds: number;
  /** How many times longer the fixed work of tests/machine-speed.ts took than on an idle machine. */
  slowness: number;
  /** The measurements of each fixed work: when it ended (Unix milliseconds), and how many times longer it took. */
  samples?: [at: number, factor: number][][];
  count: { passed: number; failed: number; skipped: number };
  /** `beganAt`: Unix milliseconds. */
  files: { file: string; milliseconds: number; beganAt?: number | null }[];
  /** What failed: `name` is the test's whole name, `message` what was thrown. */
  failures: { file: string; name: string; message: string }[];
}

export function summaryOf(reports: readonly TierReport[]): string;
export function overLimit(reports: readonly TierReport[]): { file: string; milliseconds: number; tier: string }[];
export function withShorterTimes(reports: readonly TierReport[], again: TierReport): TierReport[];
export function closingLine(reports: readonly TierReport[]): string;

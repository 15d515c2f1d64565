import { generateKeyPairSync, sign } from 'node:crypto';

/** How long the fixed work takes on an idle machine with two cores, in milliseconds. Measured: the least of ten runs. */
const IDLE_MS = { signatures: 23, statement: 12.5 };
const SIGNATURES = 100;

/** The fixed work of PostgreSQL. Its row `ms` is what the server itself took, without the way there and back. */
export const FIXED_STATEMENT = `
  select extract(epoch from clock_timestamp() - statement_timestamp()) * 1000 as ms
  from (select count(md5(i::text)) from generate_series(1, 200000) i) as fixed_work`;

export interface MachineSpeed {
  /** Ends the measuring. */
  stop(): MeasuredSpeed;
}

export interface MeasuredSpeed {
  /** How many times longer the same work took than on an idle machine, over the whole time; at least 1. */
  slowness: number;
  /** Each measurement: when it ended (Unix milliseconds), and how many times longer the work took. */
  signatures: Sample[];
  statement: Sample[];
}

type Sample = [at: number, factor: number];

/**
 * Repeats a fixed amount of work while the tests run: RSA signatures here, and a statement in PostgreSQL when it runs.
 * The time limits of test files are multiplied by the result (scripts/test-summary.mjs).
 * `runStatement` gives the milliseconds of FIXED_STATEMENT, or null while there is no PostgreSQL. `everyMs` is the time
 * between two measurements: a short test needs several of them.
 */
export function watchMachineSpeed(runStatement: () => Promise<number | null>, everyMs = 8_000): MachineSpeed {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const content = Buffer.alloc(200, 'a');
  const samples: Record<keyof typeof IDLE_MS, Sample[]> = { signatures: [], statement: [] };
  const measure = (): void => {
    const began = performance.now();
    for (let i = 0; i < SIGNATURES; i += 1) sign('sha256', content, privateKey);
    samples.signatures.push([Date.now(), (performance.now() - began) / IDLE_MS.signatures]);
    runStatement().then(
      (ms) => ms !== null && samples.statement.push([Date.now(), ms / IDLE_MS.statement]),
      () => undefined,
    );
  };
  measure();
  const repeating = setInterval(measure, everyMs);
  return {
    stop: () => {
      clearInterval(repeating);
      return { slowness: Math.max(1, mean(samples.signatures), mean(samples.statement)), ...samples };
    },
  };
}

function mean(samples: readonly Sample[]): number {
  return samples.length === 0 ? 0 : samples.reduce((sum, [, factor]) => sum + factor, 0) / samples.length;
}

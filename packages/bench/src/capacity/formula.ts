/** The processes that an order needs, in the order in which it reaches them. */
export const processes = ['rest-adapter', 'worker', 'postgres', 'redis'] as const;
export type Process = (typeof processes)[number];

export const processNames: Readonly<Record<Process, string>> = {
  'rest-adapter': 'REST adapter',
  worker: 'worker',
  postgres: 'PostgreSQL',
  redis: 'Redis',
};

/** What orders cost at a rate, from their create until the notification is acknowledged. */
export interface MeasuredRate {
  ordersPerSecond: number;
  /** Processor time of one order in ms, with what the process needs without orders. */
  ms: Readonly<Record<Process, number>>;
}

/** The share of a core that is planned for. The rest is for peaks. */
const utilisation = 0.6;

/** Cores that a process keeps busy at a measured rate. */
export const busyCores = ({ ordersPerSecond, ms }: MeasuredRate, process: Process): number =>
  (ordersPerSecond * ms[process]) / 1_000;

/** `measured` is ascending. */
function highest(measured: readonly MeasuredRate[]): MeasuredRate {
  const last = measured.at(-1);
  if (last === undefined) throw new Error('no rate was measured');
  return last;
}

/**
 * Cores to plan for a process at any rate. An order costs less at a higher rate, so above the highest measured rate this is more than needed, and
 * below it less.
 */
export function neededCores(measured: readonly MeasuredRate[], process: Process, ordersPerSecond: number): number {
  return (ordersPerSecond * highest(measured).ms[process]) / 1_000 / utilisation;
}

/** Orders per second that this number of cores carries, if all processes share them. */
export function carriedOrders(measured: readonly MeasuredRate[], cores: number): number {
  const { ms } = highest(measured);
  return (cores * utilisation * 1_000) / processes.reduce((sum, name) => sum + ms[name], 0);
}

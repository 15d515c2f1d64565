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
  /** The machine was fully busy and completed fewer orders than arrived, so batches were as large as they can be. */
  isOverloaded?: true;
}

/** Limits of what is to be expected. */
export interface Range {
  least: number;
  most: number;
}

/** The share of a core that is planned for. The rest is for peaks. */
const utilisation = 0.6;

/** Cores that a process keeps busy at a measured rate. */
export const busyCores = ({ ordersPerSecond, ms }: MeasuredRate, process: Process): number =>
  (ordersPerSecond * ms[process]) / 1_000;

const sumOf = ({ ms }: MeasuredRate): number => processes.reduce((sum, name) => sum + ms[name], 0);

/** The highest rate of the rates for which `holds`. `measured` is ascending. */
function highest(measured: readonly MeasuredRate[], holds: (one: MeasuredRate) => boolean = () => true): MeasuredRate {
  const last = measured.findLast(holds);
  if (last === undefined) throw new Error('no such rate was measured');
  return last;
}

const isSteady = ({ isOverloaded }: MeasuredRate): boolean => !isOverloaded;

/**
 * Cores to plan for a process at a rate above all measured ones. An order costs less at a higher rate. So the cost at the highest rate
 * without overload gives the most, and the cost on an overloaded machine the least.
 */
export function neededCores(measured: readonly MeasuredRate[], process: Process, ordersPerSecond: number): Range {
  const cores = ({ ms }: MeasuredRate): number => (ordersPerSecond * ms[process]) / 1_000 / utilisation;
  return { least: cores(highest(measured)), most: cores(highest(measured, isSteady)) };
}

/** Orders per second that this number of cores carries, if all processes share them. A cost holds for its own rate and above. */
export function carriedOrders(measured: readonly MeasuredRate[], cores: number): Range {
  const rate = (one: MeasuredRate): number => (cores * utilisation * 1_000) / sumOf(one);
  const holds = (one: MeasuredRate): boolean => rate(one) >= one.ordersPerSecond;
  return {
    least: rate(highest(measured, (one) => isSteady(one) && holds(one))),
    most: rate(highest(measured, holds)),
  };
}

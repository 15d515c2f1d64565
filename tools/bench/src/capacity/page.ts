import { fileURLToPath } from 'node:url';
import { carriedOrders, type MeasuredRate, neededCores, processes, processNames, type Range } from './formula.ts';

const docs = (path: string): string => fileURLToPath(new URL(`../../../../docs/${path}`, import.meta.url));

export const picturePath = docs('images/capacity.svg');
export const pagePath = docs('running/capacity.md');

/** The rows of the tables of docs/running/capacity.md that follow from the measured rates. */
export function rowsOfPage(payins: readonly MeasuredRate[], payouts: readonly MeasuredRate[]): string[] {
  const rows = (kind: string, all: readonly MeasuredRate[]): string[] =>
    all.map(({ ordersPerSecond, ms }) => {
      const sum = processes.reduce((total, name) => total + ms[name], 0);
      const costs = [...processes.map((name) => ms[name]), sum].map((one) => one.toFixed(1));
      return `| ${ordersPerSecond} ${kind} a second | ${costs.join(' | ')} |`;
    });
  const perThousand = processes.map((name) => {
    const cores = [payins, payouts].map((all) => textOf(neededCores(all, name, 1_000), (one) => one.toFixed(1)));
    return `| ${processNames[name]} | ${cores.join(' | ')} |`;
  });
  const machines = [1, 2, 4].map((count) => {
    const rates = [payins, payouts].map((all) => textOf(carriedOrders(all, 2 * count), inFives));
    return `| ${count} ${count === 1 ? 'machine' : 'machines'}, ${2 * count} cores | ${rates.join(' | ')} |`;
  });
  return [...rows('payins', payins), ...rows('payouts', payouts), ...perThousand, ...machines];
}

/** A rate, rounded down to a multiple of five. Quotients of decimals can be a little too small. */
const inFives = (rate: number): string => String(5 * Math.floor(rate / 5 + 1e-9));

function textOf({ least, most }: Range, write: (one: number) => string): string {
  const texts = [write(least), write(most)];
  return texts[0] === texts[1] ? `${texts[0]}` : texts.join(' to ');
}

import type { Account } from '../../core/ledger.ts';
import { minorUnits } from '../files/decide-totals.ts';

// Who bears what the statements do not show of an entry, or of the payments of an order: the merchant that was charged, the platform, or nobody so far. Each
// decision adds a layer. What a line shows after all takes the last layers off again, those of its own payment before others.

/** A decision over the payments, in the order of their breaks: decimal texts with the sign of the break. */
export interface Decided {
  amount: string;
  /** Whether it is over the same payment of the order as the break that is decided now. */
  isOwn: boolean;
  /** What of it `written_off:<channel>` took, and what a wallet paid or got back. The rest is in `account`. */
  writtenOff: string;
  charged: string;
  /** Null: nothing was posted, because the breaks explain each other. */
  account: Account | null;
}

/** The account of all these decisions, or of those over one line: that of the first one. Null: nothing was posted. */
export const accountOf = (decided: readonly Decided[]): Account | null =>
  decided.find(({ account }) => account !== null)?.account ?? null;

/** Parts of an amount by who bears them, in minor units with its sign. */
export interface Shares {
  charged: bigint;
  writtenOff: bigint;
  posted: bigint;
}
type Bearer = keyof Shares;

interface Layer {
  of: Bearer;
  isOwn: boolean;
  amount: bigint;
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const size = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
const isOpposite = (one: bigint, other: bigint): boolean => one < 0n !== other < 0n;

/**
 * Takes an amount off the layers of the other sign: those over the same payment first, and of these the last one. `of`: only of this bearer. Returns what was
 * taken, and what is left of it.
 */
function takeOff(
  layers: readonly Layer[],
  amount: bigint,
  isOwn: boolean,
  of?: Bearer,
): { layers: Layer[]; taken: Layer[]; rest: bigint } {
  const left = [...layers];
  const taken: Layer[] = [];
  let rest = amount;
  const places = [...layers.keys()].reverse();
  const isSame = (at: number): boolean => layers[at]?.isOwn === isOwn;
  for (const at of [...places.filter(isSame), ...places.filter((one) => !isSame(one))]) {
    const layer = left[at] as Layer;
    // Nobody is charged by giving money back.
    const mayBeTaken = of === undefined ? layer.of !== 'charged' || rest > 0n : layer.of === of;
    if (rest === 0n || !isOpposite(layer.amount, rest) || !mayBeTaken) continue;
    const part = smaller(size(rest), size(layer.amount)) * (rest < 0n ? -1n : 1n);
    rest -= part;
    taken.push({ ...layer, amount: part });
    left[at] = { ...layer, amount: layer.amount + part };
  }
  return { layers: left.filter((layer) => layer.amount !== 0n), taken, rest };
}

/** The fee that no wallet was credited lies above what the wallet paid, so it comes back first. */
const bearers = ['charged', 'writtenOff', 'posted'] as const;

function layersOf(decided: readonly Decided[]): Layer[] {
  return decided.reduce<Layer[]>((before, one) => {
    const shares = sharesOf(one);
    return bearers.reduce((layers, of) => {
      const { layers: left, rest } = takeOff(layers, shares[of], one.isOwn, of);
      return rest === 0n ? left : [...left, { of, isOwn: one.isOwn, amount: rest }];
    }, before);
  }, []);
}

function sharesOf({ amount, writtenOff, charged }: Decided): Shares {
  const [all, platform, wallet] = [minorUnits(amount), minorUnits(writtenOff), minorUnits(charged)];
  return { charged: wallet, writtenOff: platform, posted: all - wallet - platform };
}

/** Divides an amount between those who bear the opposite of it so far. What is left is posted. */
export function returnedTo(decided: readonly Decided[], amount: bigint): Shares {
  const { taken, rest } = takeOff(layersOf(decided), amount, true);
  const sum = (of: Bearer): bigint => taken.reduce((total, one) => (one.of === of ? total + one.amount : total), 0n);
  return { charged: sum('charged'), writtenOff: sum('writtenOff'), posted: sum('posted') + rest };
}

/** What is posted of the payments, and nobody bears: below zero if the statements show less than the ledger. */
export function postedOf(decided: readonly Decided[]): bigint {
  return decided.reduce((total, one) => total + sharesOf(one).posted, 0n);
}

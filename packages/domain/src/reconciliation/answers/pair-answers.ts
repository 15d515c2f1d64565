import { minorUnits } from '../files/decide-totals.ts';

/** A wanted break can show money of which a break had ended. Amounts are decimal texts above zero. */
export interface FoundAnswer {
  subject: string;
  /** The money: an entry that was missing, or an ended break over a line. */
  about: string;
  breakNo: number;
  size: string;
  /** What is left of the money that no break has answered. */
  rest: string;
  /** Whether it can show more than what is left. */
  mayExceed: boolean;
}

export interface Answer {
  subject: string;
  breakNo: number;
}

/**
 * Each wanted break answers at most one ended break. Those that show all that is left of something come first, as many as possible. Then parts, up to what is
 * left: one that finds no such place takes what there is, if it may exceed it.
 */
export function pairAnswers(found: readonly FoundAnswer[]): Answer[] {
  const whole = pairOneToOne(bySubject(found.filter(({ size, rest }) => minorUnits(size) === minorUnits(rest))));
  const answered = new Set([...whole.values()].map(({ subject }) => subject));
  const parts = found.filter(({ subject, about }) => !answered.has(subject) && !whole.has(about));
  const left = new Map(parts.map(({ about, rest }) => [about, minorUnits(rest)]));
  const ofParts = bySubject(parts).flatMap((places) => {
    const leftOf = ({ about }: FoundAnswer): bigint => left.get(about) ?? 0n;
    const taken =
      places.find((one) => leftOf(one) >= minorUnits(one.size)) ??
      places.find((one) => one.mayExceed && leftOf(one) > 0n);
    if (!taken) return [];
    left.set(taken.about, leftOf(taken) - minorUnits(taken.size));
    return [taken];
  });
  return [...whole.values(), ...ofParts].map(({ subject, breakNo }) => ({ subject, breakNo }));
}

/** What each wanted break can answer: those with the fewest choices first. */
function bySubject(found: readonly FoundAnswer[]): FoundAnswer[][] {
  return [...Map.groupBy(found, ({ subject }) => subject).values()].toSorted((one, other) => one.length - other.length);
}

/** As many pairs as possible. What is taken is given up if its taker can take something else. */
function pairOneToOne(choices: readonly FoundAnswer[][]): Map<string, FoundAnswer> {
  const choicesOf = new Map(choices.map((places) => [places[0]?.subject, places]));
  const takers = new Map<string, FoundAnswer>();
  const place = (places: readonly FoundAnswer[], seen: Set<string>): boolean => {
    const free = places.find(({ about }) => !takers.has(about));
    const taken = free ?? places.find(({ about }) => canMove(about, seen));
    if (taken) takers.set(taken.about, taken);
    return taken !== undefined;
  };
  const canMove = (about: string, seen: Set<string>): boolean => {
    if (seen.has(about)) return false;
    seen.add(about);
    return place(choicesOf.get(takers.get(about)?.subject) ?? [], seen);
  };
  // What leads to nothing free once never does.
  let seen = new Set<string>();
  for (const places of choices) if (place(places, seen)) seen = new Set();
  return takers;
}

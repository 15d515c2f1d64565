import { expect, test } from 'vitest';
import { gapsOf, type KnownStatement } from './gaps.ts';

type Shown = readonly [first: number, last: number, opening: number, closing: number];
const dayOf = (n: number): string => `2026-03-0${n}`;
const money = (amount: number): string => amount.toFixed(2);

/** Numbers that are the same in every run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

/** True files of a week, of one to three days each, late and in any order, some of them lost. Each gap is posted at once, later, or in the end. */
function historyOf(random: (below: number) => number): { ledger: number; bank: number; told: string[] } {
  const moves = Array.from({ length: 7 }, () => [10, 20, 0][random(3)] ?? 0);
  const balanceBefore = (day: number): number => moves.slice(0, day - 1).reduce((sum, move) => sum + move, 0);
  const others = [2, 3, 4, 5, 6, 7].map((day) => ({ day, at: random(1_000) })).toSorted((a, b) => a.at - b.at);
  const days = [1, ...others.map(({ day }) => day)].slice(0, 7 - random(3));
  const statements: Shown[] = [];
  const shown = new Set<number>();
  const ended: { since: string; day: string; amount: string; isBooked: boolean }[] = [];
  const open = () => {
    const known = statements.map(([first, last, opening, closing], i): KnownStatement => {
      const file = { fileNo: i + 1, firstFileNo: i + 1, place: 1 };
      return {
        ...file,
        firstDay: dayOf(first),
        lastDay: dayOf(last),
        opening: money(opening),
        closing: money(closing),
      };
    });
    const moved = [...shown].map((day) => ({ day: dayOf(day), amount: money(moves[day - 1] ?? 0) }));
    const isPartOf = (part: KnownStatement, whole: KnownStatement): boolean =>
      part.firstDay >= whole.firstDay && part.lastDay <= whole.lastDay;
    return gapsOf({ statements: known, moved, ended, isPartOf });
  };
  const post = (isAll: boolean): void => {
    for (const { since, day, amount } of open())
      if (isAll || random(2) === 0) ended.push({ since, day, amount, isBooked: true });
  };
  for (const first of days) {
    const last = Math.min(7, first + random(3));
    statements.push([first, last, balanceBefore(first), balanceBefore(last + 1)]);
    for (let day = first; day <= last; day += 1) shown.add(day);
    post(false);
  }
  for (let round = 0; round < 5; round += 1) post(true);
  const booked = ended.reduce((sum, { amount }) => sum + Number(amount), 0);
  const counted = [...shown].reduce((sum, day) => sum + (moves[day - 1] ?? 0), 0);
  const end = Math.max(...statements.map(([, last]) => last));
  return { ledger: counted + booked, bank: balanceBefore(end + 1), told: statements.map((one) => one.join(' ')) };
}

test('true files in any order leave the ledger where the bank is, once all gaps are posted', () => {
  const random = numbersFrom(7);
  for (let run = 0; run < 1_500; run += 1) {
    const { ledger, bank, told } = historyOf(random);
    expect(ledger, told.join(', ')).toBe(bank);
  }
});

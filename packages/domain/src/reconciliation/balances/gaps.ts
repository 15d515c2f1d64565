import { decimalText, minorUnits } from '../files/decide-totals.ts';

// What an account's balance changed by between the ends of two days is what its lines of these days come to. Where it is not, money moved that no
// statement shows, or statements contradict each other. Amounts are decimal text, days `YYYY-MM-DD`.

/** A statement that counts. */
export interface KnownStatement {
  fileNo: number;
  place: number;
  firstDay: string;
  lastDay: string;
  opening: string;
  closing: string;
  /** The file that first showed its period: a correction stands where the statement stood that it corrects. */
  firstFileNo: number;
}

/** A gap that people ended. */
export interface EndedGap {
  since: string;
  day: string;
  /** What they booked, or the whole gap that they explained by a balance that is wrong in its file. */
  amount: string;
  isBooked: boolean;
}

/** What is known of an account from some day on. */
export interface AccountFacts {
  statements: readonly KnownStatement[];
  /** What the lines that count come to, and rows that no line shows, by day. */
  moved: readonly { day: string; amount: string }[];
  ended: readonly EndedGap[];
  /** Whether a statement shows only a part of what another one shows, which has its last day. */
  isPartOf(part: KnownStatement, whole: KnownStatement): boolean;
}

/** A change of the balance that nothing explains yet. */
export interface Gap {
  /** The days of the gap: the end of `since` is known, and that of `day`. */
  since: string;
  day: string;
  amount: string;
  fileNo: number;
}

/** The balance at the end of a day. `before`: at its beginning. */
interface End {
  day: string;
  balance: bigint;
  fileNo: number;
}

/** A change of the balance: what the lines do not come to, and what of it nobody has booked. */
interface Change extends Omit<Gap, 'amount'> {
  unexplained: bigint;
  amount: bigint;
}

/** The gaps of an account, by day. What people booked for a gap counts: if the gap is smaller by now, or gone, the rest is a gap again. */
export function gapsOf(facts: AccountFacts): Gap[] {
  const open = changesOf(facts).filter(({ amount }) => amount !== 0n);
  return withoutMoved(open, facts.ended).map(({ since, day, fileNo, amount }) => {
    return { since, day, fileNo, amount: decimalText(amount) };
  });
}

/**
 * The changes between known ends. People said that the balance at the end of an explained gap is wrong in its file: as long as the gap is the same, that day
 * has no known end.
 */
function changesOf(facts: AccountFacts): Change[] {
  const [first, ...ends] = endsOf(facts);
  if (!first) return [];
  const booked = facts.ended.filter(({ isBooked }) => isBooked);
  const explained = facts.ended.filter(({ isBooked }) => !isBooked);
  const changes: Change[] = [];
  let before = first;
  for (const end of ends) {
    const { day: from } = before;
    const within = ({ day }: { day: string }): boolean => day > from && day <= end.day;
    const unexplained = end.balance - before.balance - sumOf(facts.moved.filter(within));
    if (explained.some(({ day, amount }) => day === end.day && minorUnits(amount) === unexplained)) continue;
    const amount = unexplained - sumOf(booked.filter(within));
    changes.push({ since: from, day: end.day, fileNo: end.fileNo, unexplained, amount });
    before = end;
  }
  const after = booked.filter(({ day }) => day > before.day);
  const taken = after.map(({ day, amount }): Change => {
    return { since: before.day, day, fileNo: before.fileNo, unexplained: 0n, amount: -minorUnits(amount) };
  });
  return [...changes, ...taken];
}

/** Whether a change is about days of a gap that people ended: a statement that came later can divide a gap, or move its day. */
const overlaps = (change: Change, ended: EndedGap): boolean => change.day > ended.since && change.since < ended.day;

/** What was booked for a gap goes with it if it is on another day by now. */
function withoutMoved(changes: readonly Change[], ended: readonly EndedGap[]): Change[] {
  const left = [...changes];
  for (const one of ended.filter(({ isBooked }) => isBooked)) {
    const amount = minorUnits(one.amount);
    const from = left.findIndex(
      (change) => change.amount === -amount && one.day > change.since && one.day <= change.day,
    );
    const to = left.findIndex((change) => change.amount === amount && overlaps(change, one));
    if (from < 0 || to < 0) continue;
    left.splice(Math.max(from, to), 1);
    left.splice(Math.min(from, to), 1);
  }
  return left;
}

/** The known balances at the ends of days, beginning with that before the first statement. */
function endsOf({ statements, isPartOf }: AccountFacts): End[] {
  const first = firstOf(statements);
  if (!first) return [];
  const ends: End[] = [{ day: dayBefore(first.firstDay), balance: minorUnits(first.opening), fileNo: first.fileNo }];
  for (const day of [...new Set(statements.map(({ lastDay }) => lastDay))].sort()) {
    const balance = endOf(statements, day, ends.at(-1)?.balance, isPartOf);
    if (balance) ends.push({ day, balance: minorUnits(balance.closing), fileNo: balance.fileNo });
  }
  return ends;
}

/** The statement with which an account begins: of several of its first day the one that continues no other, the one that came first. */
function firstOf(statements: readonly KnownStatement[]): KnownStatement | undefined {
  const day = statements.map(({ firstDay }) => firstDay).sort()[0];
  const ofDay = statements.filter(({ firstDay }) => firstDay === day).toSorted(byArrival);
  const closings = ofDay.filter(({ lastDay }) => lastDay === day).map(({ closing }) => closing);
  return unpaired(ofDay, 'opening', closings)[0] ?? ofDay[0];
}

/** The statements whose balance is none of the `others`. Each of those is taken once. */
function unpaired(
  statements: readonly KnownStatement[],
  side: 'opening' | 'closing',
  others: readonly string[],
): KnownStatement[] {
  const left = [...others];
  return statements.filter((one) => {
    const at = left.indexOf(one[side]);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * The statement that shows the balance at the end of a day: of those that end on it the one that no other continues. If they disagree, the next
 * statement's opening balance decides, else the one that came last and is no part of another one. Null: another statement goes on from there, or a later file shows the day within a longer statement.
 */
function endOf(
  statements: readonly KnownStatement[],
  day: string,
  before: bigint | undefined,
  isPartOf: AccountFacts['isPartOf'],
): KnownStatement | null {
  const ending = statements.filter(({ lastDay }) => lastDay === day).toSorted(byArrival);
  const beginning = statements.filter(({ firstDay }) => firstDay === day);
  const last = unpaired(
    ending,
    'closing',
    beginning.map(({ opening }) => opening),
  );
  if (last.length === 0) {
    // The balance came back to where it was, or a longer statement goes on.
    if (beginning.some(({ lastDay }) => lastDay > day)) return null;
    return ending.find(({ closing }) => minorUnits(closing) === before) ?? ending.at(-1) ?? null;
  }
  const next = nextOpenings(statements, day);
  const isShownBy = (one: KnownStatement, other: KnownStatement): boolean =>
    other !== one && other.firstDay <= day && other.lastDay >= day && isPartOf(one, other);
  // Of two that show the same the later one counts.
  const isWithin = (one: KnownStatement) =>
    statements.some((other) => isShownBy(one, other) && (byArrival(one, other) < 0 || !isShownBy(other, one)));
  const isLonger = (one: KnownStatement): boolean => one.firstDay <= day && one.lastDay > day;
  const whole = last.filter((one) => !isWithin(one)).at(-1) ?? (statements.some(isLonger) ? undefined : last.at(-1));
  const shown = last.findLast(({ closing }) => next.includes(closing)) ?? whole;
  const isCovered = statements.some((one) => isLonger(one) && one.fileNo > (shown?.fileNo ?? 0));
  return isCovered ? null : (shown ?? null);
}

function nextOpenings(statements: readonly KnownStatement[], day: string): string[] {
  const later = statements.filter(({ firstDay }) => firstDay > day);
  const nextDay = later.map(({ firstDay }) => firstDay).sort()[0];
  return later.filter(({ firstDay }) => firstDay === nextDay).map(({ opening }) => opening);
}

const byArrival = (a: KnownStatement, b: KnownStatement): number =>
  a.firstFileNo - b.firstFileNo || a.fileNo - b.fileNo || a.place - b.place;

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

function sumOf(parts: readonly { amount: string }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + minorUnits(amount), 0n);
}

import type { Currency } from '../../core/country.ts';
import { Money } from '../../core/money.ts';
import { type ProofProblem, type Settlement, stepOfProof } from '../../core/settlement.ts';
import type { BreakKind, StatementLineType } from '../../reconciliation/index.ts';
import { type OwnAccounts, problemOfAccount } from './decide-account.ts';

/** An open break with the line that it is about. */
export interface NamedBreak {
  /** The platform's tenant of the country. */
  merchantId: string;
  breakNo: number;
  channelId: string;
  /** The account that the channel's statements are about, as they name it; null: it is not known. */
  account: string | null;
  kind: BreakKind;
  /** The settlement or bank file that the line names. */
  names: string;
  /** The reason that was stored on the break before. */
  reason: string | null;
  isDayClosed: boolean;
  /** The line as `file/row/part`. */
  place: string;
  type: StatementLineType;
  direction: 'in' | 'out';
  amount: string;
  currency: string;
  /** The bank's own reference of the line. */
  bankRef: string | null;
  /** The operator who uploaded its statement, which nobody has confirmed yet; null: it was confirmed, or fetched. */
  unconfirmedOf: string | null;
  /** The reference under which the line enters the ledger. */
  reported: string;
}

/**
 * A settlement, and the line that shows the payment of its whole bank file. `paying`: the number of the account of ours that pays it: that of its bank
 * file, or else the newest one of the country; null: none is known.
 */
export type NamedSettlement = Settlement & { fileLine: string | null; paying: string | null };

/**
 * The objects that a number names in the country: settlements with this number, or a bank file with all of its
 * settlements.
 */
export interface Named {
  file: { fileNo: string; state: 'open' | 'ready'; debitLine: string | null; payments: number } | null;
  settlements: readonly NamedSettlement[];
  /** Our accounts in the country. */
  own: OwnAccounts;
  /** The other open breaks whose lines name the same, of the channel and the direction of the line. */
  others: readonly NamedBreak[];
}

/** The most lines that prove a payment together. */
export const mostParts = 20;

/** The settlements that a line proves. */
export type Proof =
  | { type: 'proven'; settlements: readonly NamedSettlement[]; isOfFile: boolean; lines: readonly NamedBreak[] }
  /** `text`: for operators. Null: the number is no settlement's and no file's, so it may be the bank's own. */
  | { type: 'problem'; text: string | null };

/**
 * Types of lines that can show a payment or its return. A credit has to be a return by its type: money that we pay into the account ourselves may name
 * a settlement too.
 */
const provingTypes: Readonly<Record<'in' | 'out', readonly StatementLineType[]>> = {
  out: ['payout', 'settlement', 'adjustment', 'unknown'],
  in: ['payout_return'],
};
/** Kinds of breaks whose line belongs to an order of ours, or may be a repetition. */
const otherKinds: Partial<Record<BreakKind, string>> = {
  duplicate: 'the line may be a repetition',
  status: 'the line is of an order',
  amount: 'the line is of an order',
};

/**
 * Decides what the line of a break proves: by its whole amount, or together with all other lines that name the same. A
 * number that several merchants have is ambiguous, and proves nothing. A bank file is proven by debits with the sum of
 * all its payments: all of its settlements, or none.
 */
export function decideProof(line: NamedBreak, named: Named): Proof {
  const { file, settlements, others } = named;
  const [first] = settlements;
  if (!first) return { type: 'problem', text: null };
  const due = (file ? settlements : [first]).map(({ amount }) => amount);
  const shown: Shown = { line, lines: linesOf(line, others), amount: sumOf(due, first.currency) };
  const problem = problemOfLine(line) ?? (file ? problemOfFile(shown, file, named) : problemOfSettlement(shown, named));
  if (problem !== null) return { type: 'problem', text: `it names ${line.names}, but ${problem}` };
  const lines = line.amount === shown.amount ? [line] : shown.lines;
  return { type: 'proven', settlements, isOfFile: file !== null, lines };
}

/** A line, with all lines that may show the same payment in parts, and the amount that was to be paid. */
interface Shown {
  line: NamedBreak;
  lines: readonly NamedBreak[];
  amount: string;
}

function linesOf(line: NamedBreak, others: readonly NamedBreak[]): NamedBreak[] {
  return [line, ...others.filter((one) => one.currency === line.currency && problemOfLine(one) === null)];
}

function sumOf(amounts: readonly string[], currency: string): string {
  const of = currency as Currency;
  return amounts.reduce((all, amount) => all.plus(Money.of(amount, of)), Money.zero(of)).toString();
}

function problemOfLine({ kind, type, direction, isDayClosed, unconfirmedOf }: NamedBreak): string | null {
  const other = otherKinds[kind];
  if (other !== undefined) return other;
  if (!provingTypes[direction].includes(type)) return `a line of type ${type} proves no ${movementOf(direction)}`;
  if (isDayClosed) return 'its day is closed';
  if (unconfirmedOf === null) return null;
  return `${unconfirmedOf} uploaded its statement: another operator has to confirm it first`;
}

const movementOf = (direction: 'in' | 'out'): string => (direction === 'out' ? 'payment' : 'return');

function problemOfSettlement(shown: Shown, { settlements, own }: Named): string | null {
  const [one, another] = settlements;
  if (!one || another) return 'several merchants have a settlement of this number';
  const { line } = shown;
  return problemOfPayer(line, one, own) ?? problemOfAmount(shown, one.currency) ?? problemOfStep(line, one);
}

function problemOfPayer(line: NamedBreak, { paying, channelId }: NamedSettlement, own: OwnAccounts): string | null {
  if (channelId !== null) return channelId === line.channelId ? null : `the channel ${channelId} pays it`;
  return problemOfAccount(line, paying, own);
}

function problemOfFile(shown: Shown, file: NonNullable<Named['file']>, { settlements, own }: Named): string | null {
  const { line } = shown;
  if (line.direction === 'in') return 'a credit names one settlement, not a bank file';
  if (file.state !== 'ready') return 'the file is not ready';
  if (file.debitLine !== null) return words.proven;
  const account = settlements[0] ? problemOfPayer(line, settlements[0], own) : null;
  if (account !== null) return account;
  const amount = problemOfAmount(shown, settlements[0]?.currency ?? '');
  if (amount !== null) return amount;
  for (const one of settlements) {
    const problem = problemOfStep(line, one);
    if (problem !== null) return `of ${one.settlementNo} of ${one.merchantId}: ${problem}`;
  }
  return null;
}

/** Fewer parts wait for the rest. With more, people decide which lines are too much. */
function problemOfAmount({ line, lines, amount }: Shown, currency: string): string | null {
  if (line.currency !== currency) return `its currency is ${currency}`;
  if (line.amount === amount) return null;
  if (lines.length === 1) return `its amount is ${amount}`;
  if (lines.length > mostParts) return `its amount is ${amount}, and more than ${mostParts} lines name it`;
  const together = sumOf(
    lines.map((one) => one.amount),
    currency,
  );
  return together === amount ? null : `its amount is ${amount}, and ${lines.length} lines show ${together} together`;
}

const words: Readonly<Record<ProofProblem, string>> = {
  not_approved: 'it is not approved',
  not_paid: 'its payment was not shown yet',
  proven: 'a line has proven it already',
  brought_back: 'people brought it back to the wallet',
  in_ledger: 'its channel reported that already',
  by_people: 'people were faster: compare it with the line that they saw',
};

function problemOfStep({ direction }: NamedBreak, one: NamedSettlement): string | null {
  if (direction === 'out' && one.fileLine !== null) return words.proven;
  const step = stepOfProof(one, direction);
  return step === 'moves' ? null : words[step];
}

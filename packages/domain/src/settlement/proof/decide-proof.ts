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
  file: { fileNo: string; state: 'open' | 'ready'; debitLine: string | null } | null;
  settlements: readonly NamedSettlement[];
  /** Our accounts in the country. */
  own: OwnAccounts;
}

/** The settlements that a line proves. */
export type Proof =
  | { type: 'proven'; settlements: readonly NamedSettlement[]; isOfFile: boolean }
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
 * Decides what the line of a break proves. A number that several merchants have is ambiguous, and proves nothing. A
 * bank file is proven by a debit with the sum of all its payments: all of its settlements, or none.
 */
export function decideProof(line: NamedBreak, { file, settlements, own }: Named): Proof {
  const [first] = settlements;
  if (!first) return { type: 'problem', text: null };
  const problem =
    problemOfLine(line) ??
    (file ? problemOfFile(line, file, settlements, own) : problemOfSettlement(line, settlements, own));
  if (problem !== null) return { type: 'problem', text: `it names ${line.names}, but ${problem}` };
  return { type: 'proven', settlements, isOfFile: file !== null };
}

function problemOfLine({ kind, type, direction, isDayClosed }: NamedBreak): string | null {
  const other = otherKinds[kind];
  if (other !== undefined) return other;
  if (!provingTypes[direction].includes(type)) return `a line of type ${type} proves no ${movementOf(direction)}`;
  return isDayClosed ? 'its day is closed' : null;
}

const movementOf = (direction: 'in' | 'out'): string => (direction === 'out' ? 'payment' : 'return');

function problemOfSettlement(
  line: NamedBreak,
  [one, another]: readonly NamedSettlement[],
  own: OwnAccounts,
): string | null {
  if (!one || another) return 'several merchants have a settlement of this number';
  return problemOfPayer(line, one, own) ?? problemOfAmount(line, one.currency, one.amount) ?? problemOfStep(line, one);
}

function problemOfPayer(line: NamedBreak, { paying, channelId }: NamedSettlement, own: OwnAccounts): string | null {
  if (channelId !== null) return channelId === line.channelId ? null : `the channel ${channelId} pays it`;
  return problemOfAccount(line, paying, own);
}

function problemOfFile(
  line: NamedBreak,
  file: NonNullable<Named['file']>,
  settlements: readonly NamedSettlement[],
  own: OwnAccounts,
): string | null {
  if (line.direction === 'in') return 'a credit names one settlement, not a bank file';
  if (file.state !== 'ready') return 'the file is not ready';
  if (file.debitLine !== null) return words.proven;
  const account = settlements[0] ? problemOfPayer(line, settlements[0], own) : null;
  if (account !== null) return account;
  const currency = settlements[0]?.currency as Currency;
  const sum = settlements.reduce((all, { amount }) => all.plus(Money.of(amount, currency)), Money.zero(currency));
  const amount = problemOfAmount(line, currency, sum.toString());
  if (amount !== null) return amount;
  for (const one of settlements) {
    const problem = problemOfStep(line, one);
    if (problem !== null) return `of ${one.settlementNo} of ${one.merchantId}: ${problem}`;
  }
  return null;
}

function problemOfAmount(line: NamedBreak, currency: string, amount: string): string | null {
  if (line.currency !== currency) return `its currency is ${currency}`;
  return line.amount === amount ? null : `its amount is ${amount}`;
}

const words: Readonly<Record<ProofProblem, string>> = {
  not_approved: 'it is not approved',
  not_paid: 'its payment was not shown yet',
  proven: 'another line shows it already',
  brought_back: 'people brought it back to the wallet',
  in_ledger: 'its channel reported that already',
  by_people: 'people were faster: compare it with the line that they saw',
};

function problemOfStep({ direction }: NamedBreak, one: NamedSettlement): string | null {
  if (direction === 'out' && one.fileLine !== null) return words.proven;
  const step = stepOfProof(one, direction);
  return step === 'moves' ? null : words[step];
}

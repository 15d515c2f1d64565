import type { Command } from './commands.ts';
import { decide, type Taken } from './decide.ts';
import type { Circumstances, Draft } from './draft.ts';
import { Money } from './money.ts';
import type { Decision } from './operator.ts';
import type { Rejection } from './rejection.ts';

/** What an operator moved without a second one in this UTC day, in one currency. */
export interface OperatorDay {
  operatorId: string;
  /** As the database writes a date. */
  day: string;
  currency: string;
  amount: string;
}

/** The operator who moves money by this command without a second one, and whose daily limit therefore counts; null for other commands. */
export function movesAlone(command: Command): (Decision & { dailyLimit: string }) | null {
  if (command.type !== 'bookWallet' && command.type !== 'confirmFunds' && command.type !== 'creditCase') return null;
  const { dailyLimit, approver, actor } = command.by;
  if (dailyLimit === undefined || (approver !== null && approver !== actor)) return null;
  return { ...command.by, dailyLimit };
}

/**
 * `decide`, within the operator's daily limit: second_operator_needed where the day's sum with this command would be above it, and then
 * nothing is changed. What would be refused anyway is refused for that reason. A rehearsal changes nothing either.
 */
export function decideWithinLimit(
  draft: Draft,
  command: Command,
  taken: Taken | null,
  on: Circumstances,
  days: readonly OperatorDay[],
): Rejection | null {
  const isRehearsal = isRehearsed(command);
  const alone = movesAlone(command);
  const day = alone && dayOf(days, alone.actor, draft.wallet.currency);
  if (day === null && !isRehearsal) return decide(draft, command, taken, on);
  const rejection = decide(structuredClone(draft), command, taken, on);
  if (rejection !== null) return rejection;
  if (alone && day) {
    const moved = movedBy(draft, command, taken);
    const sum = Money.of(day.amount, draft.wallet.currency).plus(moved);
    // The same again, which moves nothing, is answered as before.
    if (!moved.isZero() && Money.of(alone.dailyLimit, draft.wallet.currency).isLessThan(sum))
      return 'second_operator_needed';
    if (!isRehearsal) day.amount = sum.toString();
  }
  return isRehearsal ? null : decide(draft, command, taken, on);
}

/** The caller has loaded the day of everybody who moves money alone. */
function dayOf(days: readonly OperatorDay[], operatorId: string, currency: string): OperatorDay {
  const day = days.find((one) => one.operatorId === operatorId && one.currency === currency);
  if (!day) throw new Error(`the day of ${operatorId} in ${currency} was not loaded`);
  return day;
}

export function isRehearsed(command: Command): boolean {
  return 'by' in command && command.by?.rehearsal === true;
}

/** How much money a command moves that can be carried out; nothing where it was done before. */
function movedBy(draft: Draft, command: Command, taken: Taken | null): Money {
  const { currency } = draft.wallet;
  switch (command.type) {
    case 'bookWallet':
      return taken ? Money.zero(currency) : Money.of(command.amount.replace(/^-/, ''), currency);
    case 'confirmFunds': {
      const isKnown = draft.payments.some(({ reference }) => reference === command.reference);
      return isKnown ? Money.zero(currency) : Money.of(command.amount, currency);
    }
    case 'creditCase': {
      const numbers = [command.caseNo, ...(command.alsoCaseNos ?? [])];
      const named = draft.cases.filter((one) => one.merchantId === command.merchantId && numbers.includes(one.caseNo));
      return named.reduce((sum, { amount }) => sum.plus(Money.of(amount, currency)), Money.zero(currency));
    }
    default:
      return Money.zero(currency);
  }
}

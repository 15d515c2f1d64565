import type { Command } from './commands.ts';
import { Money } from './money.ts';
import type { Decision } from './operator.ts';
import { isWithoutMoney, paymentOf } from './payment.ts';
import type { Rejection } from './rejection.ts';
import type { State } from './state.ts';
import type { Story } from './story.ts';

/**
 * The operator whose daily limit the command counts for: it moves money without a second operator. Null for other
 * commands.
 */
export function operatorActingAlone(command: Command): (Decision & { dailyLimit: string }) | null {
  if (!isMovement(command)) return null;
  const { dailyLimit, approver, actor } = command.by;
  if (dailyLimit === undefined || (approver !== null && approver !== actor)) return null;
  return { ...command.by, dailyLimit };
}

type Movement = Extract<Command, { type: 'bookWallet' | 'confirmFunds' | 'creditCase' | 'returnCase' }>;

function isMovement(command: Command): command is Movement {
  return ['bookWallet', 'confirmFunds', 'creditCase', 'returnCase'].includes(command.type);
}

/**
 * Adds the moved amount to what its operator has moved today without a second operator. Rejects with
 * second_operator_needed if the sum exceeds the limit. `before` is the state before the command. The limit is checked
 * last, so that any other rejection comes first.
 */
export function countTowardsLimit(story: Story, command: Command, before: State): Story | Rejection {
  const alone = operatorActingAlone(command);
  if (!alone) return story;
  const { currency } = before.wallet;
  const day = before.operatorDay;
  if (!day) throw new Error(`the day of ${alone.actor} in ${currency} was not loaded`);
  const moved = movedBy(before, command);
  // A repeated command moves nothing, and is answered as before.
  if (moved.isZero()) return story;
  const sum = Money.of(day.amount, currency).plus(moved);
  if (Money.of(alone.dailyLimit, currency).isLessThan(sum)) return 'second_operator_needed';
  return story.add({ type: 'limit used', day: { ...day, amount: sum.toString() } });
}

export function isRehearsed(command: Command): boolean {
  return 'by' in command && command.by?.rehearsal === true;
}

/** The amount that an accepted command moves; zero if it was done before. */
function movedBy({ wallet: { currency }, existing, payments, cases }: State, command: Command): Money {
  switch (command.type) {
    case 'bookWallet':
      return existing ? Money.zero(currency) : Money.of(command.amount.replace(/^-/, ''), currency);
    case 'confirmFunds': {
      return paymentOf(payments, command.reference) ? Money.zero(currency) : Money.of(command.amount, currency);
    }
    case 'creditCase':
    case 'returnCase': {
      const numbers = [command.caseNo, ...(command.alsoCaseNos ?? [])];
      const named = cases.filter((one) => one.merchantId === command.merchantId && numbers.includes(one.caseNo));
      const moving = named.filter(({ kind }) => !isWithoutMoney(kind));
      return moving.reduce((sum, { amount }) => sum.plus(Money.of(amount, currency)), Money.zero(currency));
    }
    default:
      return Money.zero(currency);
  }
}

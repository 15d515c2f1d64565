import { countries } from '@tidegate/domain';
import { breakKinds } from '@tidegate/domain/lists';
import { roles } from '@tidegate/domain/operators';
import { FindingOutcomeEnum } from '../audit/finding-type.ts';
import {
  CountryEnum,
  OrderKindEnum,
  OrderStatusEnum,
  PayoutOutcomeEnum,
  RefundOutcomeEnum,
  ReturnWayEnum,
  RoleEnum,
  RouteModeEnum,
} from '../enums.ts';
import { NotificationStateEnum } from '../notification/notification-type.ts';
import { BreakKindEnum, BreakOutcomeEnum } from '../reconciliation/reconciliation-enums.ts';
import { SettlementStateEnum, WeekdayEnum } from '../settlement/settlement-enums.ts';

/** The enum for each set of choices in an operation's input. */
const enums = [
  { choices: ['payin', 'payout'], type: OrderKindEnum },
  { choices: ['paid', 'failed'], type: PayoutOutcomeEnum },
  { choices: ['by_hand', 'by_channel'], type: ReturnWayEnum },
  { choices: ['refunded', 'failed'], type: RefundOutcomeEnum },
  { choices: ['upstream', 'market', 'manual'], type: RouteModeEnum },
  { choices: ['repaired', 'accepted'], type: FindingOutcomeEnum },
  { choices: ['linked', 'posted', 'written_off'], type: BreakOutcomeEnum },
  { choices: breakKinds, type: BreakKindEnum },
  { choices: ['pending', 'delivered', 'exhausted'], type: NotificationStateEnum },
  // Only these statuses are notified to merchants. The operation refuses others.
  { choices: ['partial_paid', 'completed', 'failed', 'timeout', 'cancelled'], type: OrderStatusEnum },
  { choices: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], type: WeekdayEnum },
  { choices: ['draft', 'approved', 'paid', 'confirmed', 'failed'], type: SettlementStateEnum },
  { choices: countries, type: CountryEnum },
  { choices: roles, type: RoleEnum },
] as const;

/** Throws if these choices have no enum. Add a new one above. */
export function enumOfChoices(choices: readonly string[]): (typeof enums)[number]['type'] {
  const found = enums.find((one) => one.choices.join() === choices.join());
  if (!found) throw new Error(`no enum for the choices ${choices.join(', ')}`);
  return found.type;
}

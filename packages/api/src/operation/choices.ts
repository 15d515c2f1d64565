import { countries } from '@tidegate/domain';
import {
  breakKinds,
  calendars,
  decimalSigns,
  delimiters,
  directionsBy,
  encodings,
  meaningsOfMinus,
} from '@tidegate/domain/lists';
import { roles } from '@tidegate/domain/operators';
import { DeclaredModeEnum } from '../enums/channel-mode-enums.ts';
import {
  CsvCalendarEnum,
  CsvDecimalSignEnum,
  CsvDelimiterEnum,
  CsvDirectionEnum,
  CsvEncodingEnum,
  CsvMinusEnum,
} from '../enums/csv-enums.ts';
import {
  AdjustmentKindEnum,
  CountryEnum,
  FindingOutcomeEnum,
  NotificationStateEnum,
  OrderKindEnum,
  OrderStatusEnum,
  PayoutOutcomeEnum,
  RefundOutcomeEnum,
  ReturnWayEnum,
  RoleEnum,
  RouteModeEnum,
} from '../enums/enums.ts';
import { BreakKindEnum, BreakOutcomeEnum } from '../enums/reconciliation-enums.ts';
import { SettlementStateEnum, WeekdayEnum } from '../enums/settlement-enums.ts';

/** The enum for each set of choices in an operation's input. */
const enums = [
  { choices: ['payin', 'payout'], type: OrderKindEnum },
  { choices: ['live', 'test'], type: DeclaredModeEnum },
  { choices: ['paid', 'failed'], type: PayoutOutcomeEnum },
  { choices: ['fee', 'variance', 'bank', 'dispute'], type: AdjustmentKindEnum },
  { choices: ['by_hand', 'by_channel'], type: ReturnWayEnum },
  { choices: ['refunded', 'failed'], type: RefundOutcomeEnum },
  { choices: ['upstream', 'market', 'manual'], type: RouteModeEnum },
  { choices: ['repaired', 'accepted'], type: FindingOutcomeEnum },
  { choices: ['linked', 'posted', 'written_off', 'charged'], type: BreakOutcomeEnum },
  { choices: breakKinds, type: BreakKindEnum },
  { choices: ['pending', 'delivered', 'exhausted'], type: NotificationStateEnum },
  // Only these statuses are notified to merchants. The operation refuses others.
  { choices: ['partial_paid', 'completed', 'failed', 'timeout', 'cancelled'], type: OrderStatusEnum },
  { choices: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], type: WeekdayEnum },
  { choices: ['draft', 'approved', 'paid', 'confirmed', 'failed'], type: SettlementStateEnum },
  { choices: encodings, type: CsvEncodingEnum },
  { choices: delimiters, type: CsvDelimiterEnum },
  { choices: decimalSigns, type: CsvDecimalSignEnum },
  { choices: calendars, type: CsvCalendarEnum },
  { choices: directionsBy, type: CsvDirectionEnum },
  { choices: meaningsOfMinus, type: CsvMinusEnum },
  { choices: countries, type: CountryEnum },
  { choices: roles, type: RoleEnum },
] as const;

/** Throws if these choices have no enum. Add a new one above. */
export function enumOfChoices(choices: readonly string[]): (typeof enums)[number]['type'] {
  const found = enums.find((one) => one.choices.join() === choices.join());
  if (!found) throw new Error(`no enum for the choices ${choices.join(', ')}`);
  return found.type;
}

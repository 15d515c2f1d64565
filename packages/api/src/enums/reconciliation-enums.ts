import type { SumReason } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';

type Rows<Values extends string> = { [Value in Values as Uppercase<Value>]: { value: Value; description: string } };

export const BreakKindEnum = builder.enumType('BreakKind', {
  description: 'How a statement and the ledger differ.',
  values: {
    MISSING_AT_CHANNEL: {
      value: 'missing_at_channel',
      description: 'The ledger expects it, and no statement shows it.',
    },
    MISSING_IN_LEDGER: {
      value: 'missing_in_ledger',
      description: 'A statement shows it, and the ledger does not.',
    },
    AMOUNT: { value: 'amount', description: 'Both have it, with different amounts.' },
    CURRENCY: { value: 'currency', description: "The statement shows a currency other than the country's." },
    STATUS: { value: 'status', description: 'The statement shows the payment of an order that is still open.' },
    DUPLICATE: { value: 'duplicate', description: 'The statement shows the same movement a second time.' },
    FEE: { value: 'fee', description: 'The channel charged a fee or tax.' },
    LATE_REVERSAL: { value: 'late_reversal', description: 'Money came back, and the ledger does not show it.' },
    UNPARSED: { value: 'unparsed', description: 'A row of a statement that cannot be read.' },
    BALANCE: {
      value: 'balance',
      description: 'A statement does not open with the closing balance of the previous one.',
    },
  } as const satisfies Rows<
    | 'missing_at_channel'
    | 'missing_in_ledger'
    | 'amount'
    | 'currency'
    | 'status'
    | 'duplicate'
    | 'fee'
    | 'late_reversal'
    | 'unparsed'
    | 'balance'
  >,
});

export const SumReasonEnum = builder.enumType('SumReason', {
  description: "Why the sums of a day's statements and of the ledger differ.",
  values: {
    OTHER_DAYS: { value: 'other_days', description: 'It is matched with the other side, which has it on another day.' },
    OTHER_AMOUNTS: { value: 'other_amounts', description: 'It is matched with another amount, within the tolerance.' },
    BREAK: { value: 'break', description: 'A break is about it, open or ended: `breakKind` and `breakState`.' },
    NOT_MATCHED: { value: 'not_matched', description: 'Nothing explains it yet.' },
  } as const satisfies Rows<SumReason>,
});

export const DayWaitsForEnum = builder.enumType('DayWaitsFor', {
  description: 'What a day that is over waits for.',
  values: {
    CLOSING: { value: 'closing', description: 'It is matched and has no open break. Two operators can close it.' },
    STATEMENT: {
      value: 'statement',
      description: 'A statement is missing, and is no longer fetched. An operator has to import it.',
    },
  } as const satisfies Rows<'closing' | 'statement'>,
});

export const BreakAgeEnum = builder.enumType('BreakAge', {
  description: 'How long ago a break was expected, in days of the time zone of its country.',
  values: {
    DAYS_0_1: { value: 'days_0_1', description: 'Today or yesterday.' },
    DAYS_2_3: { value: 'days_2_3', description: 'Two or three days ago.' },
    DAYS_4_7: { value: 'days_4_7', description: 'Four to seven days ago.' },
    DAYS_8_UP: { value: 'days_8_up', description: 'Eight days ago or more.' },
  } as const satisfies Rows<'days_0_1' | 'days_2_3' | 'days_4_7' | 'days_8_up'>,
});

export const BreakStateEnum = builder.enumType('BreakState', {
  description: 'Whether a break is open, or how it ended.',
  values: {
    OPEN: { value: 'open', description: 'Waits for an operator.' },
    POSTING: {
      value: 'posting',
      description: 'Two operators agreed to enter it as a report of the channel. It ends once the ledger shows it.',
    },
    MATCHED: { value: 'matched', description: 'A later statement or transfer explained it.' },
    LINKED: {
      value: 'linked',
      description: 'Another break explains it, the line is repeated, or the balance was wrong in its file.',
    },
    POSTED: { value: 'posted', description: 'The ledger took over what the statement says.' },
    WRITTEN_OFF: {
      value: 'written_off',
      description: 'The platform bears the difference: it was booked as a write-off.',
    },
    CHARGED: { value: 'charged', description: 'The merchant bears money that never came: its wallet was charged.' },
  } as const satisfies Rows<'open' | 'posting' | 'matched' | 'linked' | 'posted' | 'written_off' | 'charged'>,
});

export const StatementStateEnum = builder.enumType('StatementState', {
  description: 'State of a statement.',
  values: {
    UPLOADING: { value: 'uploading', description: 'Its upload has not ended.' },
    UPLOADED: { value: 'uploaded', description: 'Waits for importStatement. After a day it is removed.' },
    RECEIVED: { value: 'received', description: 'The worker imports it.' },
    IMPORTED: { value: 'imported', description: 'All of its lines are stored, and its days are matched.' },
    REFUSED: { value: 'refused', description: 'None of its lines counts. `refusal` says why.' },
  } as const satisfies Rows<'uploading' | 'uploaded' | 'received' | 'imported' | 'refused'>,
});

export const DayStateEnum = builder.enumType('ReconciliationDayState', {
  description: 'Whether a day is closed.',
  values: {
    OPEN: { value: 'open', description: 'It can be matched and posted.' },
    CLOSED: { value: 'closed', description: 'Two operators closed it. Nothing matches or posts into it.' },
  } as const satisfies Rows<'open' | 'closed'>,
});

export const StatementDirectionEnum = builder.enumType('StatementDirection', {
  description: 'Direction of a movement.',
  values: {
    IN: { value: 'in', description: 'To us.' },
    OUT: { value: 'out', description: 'From us.' },
  } as const satisfies Rows<'in' | 'out'>,
});

export const BreakOutcomeEnum = builder.enumType('BreakOutcome', {
  description: 'How two operators end a break.',
  values: {
    LINKED: {
      value: 'linked',
      description: 'Another break explains it, the line is repeated, or the balance was wrong in its file.',
    },
    POSTED: { value: 'posted', description: 'The ledger takes over what the statement says.' },
    WRITTEN_OFF: {
      value: 'written_off',
      description: 'The platform bears the difference: it is booked as a write-off.',
    },
    CHARGED: {
      value: 'charged',
      description: 'The merchant bears money that its wallet was credited, and that never came: the wallet is charged.',
    },
  } as const satisfies Rows<'linked' | 'posted' | 'written_off' | 'charged'>,
});

import { builder } from '../graphql/builder.ts';

export const WeekdayEnum = builder.enumType('Weekday', {
  description: 'Day of the week.',
  values: {
    MON: { value: 'mon', description: 'Monday.' },
    TUE: { value: 'tue', description: 'Tuesday.' },
    WED: { value: 'wed', description: 'Wednesday.' },
    THU: { value: 'thu', description: 'Thursday.' },
    FRI: { value: 'fri', description: 'Friday.' },
    SAT: { value: 'sat', description: 'Saturday.' },
    SUN: { value: 'sun', description: 'Sunday.' },
  } as const,
});

export const SettlementStateEnum = builder.enumType('SettlementState', {
  description: 'State of a settlement.',
  values: {
    DRAFT: { value: 'draft', description: 'Computed. No money has moved.' },
    APPROVED: { value: 'approved', description: 'The amount left the wallet and has to be paid.' },
    PAID: {
      value: 'paid',
      description: 'An operator has claimed it to make the transfer. The bank has not confirmed it yet.',
    },
    CONFIRMED: { value: 'confirmed', description: 'The bank shows the payment.' },
    FAILED: { value: 'failed', description: 'The amount is back in the wallet.' },
  } as const,
});

export const SettlementKindEnum = builder.enumType('SettlementKind', {
  description: 'What a part of a settlement is made of.',
  values: {
    PAYINS: { value: 'payins', description: 'Gross amounts of completed payins.' },
    PAYIN_FEES: { value: 'payin_fees', description: 'Fees of these payins, as a negative amount.' },
    PAYOUTS: { value: 'payouts', description: 'Amounts and fees of payouts that were held.' },
    PAYOUTS_RELEASED: { value: 'payouts_released', description: 'Held amounts of payouts that failed.' },
    PAYOUTS_RETURNED: { value: 'payouts_returned', description: 'Payouts that a bank returned.' },
    TOP_UPS: { value: 'top_ups', description: 'Top-ups of the wallet.' },
    ADJUSTMENTS: { value: 'adjustments', description: 'Corrections, and settlements that came back.' },
    SETTLEMENTS: { value: 'settlements', description: 'Settlements that were paid before.' },
  } as const,
});

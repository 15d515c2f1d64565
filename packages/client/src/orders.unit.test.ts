import { expect, test } from 'vitest';
import { transitionRules } from '../../domain/src/countries/index.ts';
import type { Country, PayoutCountry } from './country.ts';
import type { PayinStatus, PayoutStatus } from './orders.ts';

// The compiler wants every status of the types here, and no other.
const payins: { [C in Country]: Record<PayinStatus<C>, true> } = {
  CN: { created: true, processing: true, completed: true, failed: true, cancelled: true },
  TH: {
    ...{ created: true, processing: true, partial_paid: true, completed: true },
    ...{ failed: true, timeout: true, cancelled: true },
  },
  IN: { created: true, processing: true, completed: true, failed: true, timeout: true, cancelled: true },
  PK: { created: true, processing: true, completed: true, failed: true, cancelled: true },
};
const payouts: { [C in PayoutCountry]: Record<PayoutStatus<C>, true> } = {
  IN: { created: true, processing: true, completed: true, failed: true, timeout: true, cancelled: true },
  PK: { created: true, market_available: true, processing: true, completed: true, failed: true, cancelled: true },
};

test.each([
  ...Object.entries(payins).map(([country, statuses]) => ['payin', country, statuses] as const),
  ...Object.entries(payouts).map(([country, statuses]) => ['payout', country, statuses] as const),
])("%s in %s: the types have the service's statuses", (kind, country, statuses) => {
  const reachable = transitionRules.filter((rule) => rule.kind === kind && rule.country === country);
  expect(Object.keys(statuses).toSorted()).toEqual([...new Set(reachable.map(({ to }) => to))].toSorted());
});

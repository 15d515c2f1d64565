import { expect, test } from 'vitest';
import type { Country } from '../core/country.ts';
import { isTerminal, type OrderStatus } from '../core/order.ts';
import type { Trigger } from '../core/transitions.ts';
import { countries, orderRules, transitionRules } from './index.ts';

// Decisions 5.2 and 5.3 as a table: the transitions of each order.
const payins = `
  CN TH IN PK | new                             | created                 | created
  IN          | created                         | begun                   | processing
  CN TH IN PK | created                         | channel_accepted        | processing
  CN TH IN PK | created processing              | channel_refused         | failed
  CN TH IN PK | created processing              | channel_failed          | failed
  TH IN       | created processing              | channel_unanswered      | timeout
  CN PK       | created processing              | channel_unanswered      | failed
  TH          | created processing partial_paid | part_paid               | partial_paid
  TH          | created                         | funds_confirmed_in_part | partial_paid
  TH          | created                         | funds_confirmed         | completed
  CN IN PK    | created processing              | paid                    | completed
  TH          | created processing partial_paid | paid                    | completed
  TH          | created processing partial_paid | unpaid                  | timeout
  IN          | created processing              | unpaid                  | timeout
  CN PK       | created processing              | unpaid                  | cancelled
  CN TH IN PK | created processing              | operator_cancelled      | cancelled
  TH IN       | failed timeout cancelled        | case_credited           | completed
  CN PK       | failed cancelled                | case_credited           | completed
`;
const payouts = `
  IN PK | new                                 | created            | created
  IN    | created                             | begun              | processing
  PK    | created                             | channel_accepted   | processing
  PK    | created                             | task_listed        | market_available
  PK    | market_available                    | task_claimed       | processing
  PK    | processing                          | claim_ended        | market_available
  PK    | created processing                  | proof_accepted     | completed
  IN PK | created processing                  | paid               | completed
  PK    | market_available                    | paid               | completed
  IN PK | created processing                  | channel_refused    | failed
  IN PK | created processing                  | channel_failed     | failed
  IN    | processing                          | unpaid             | timeout
  PK    | created processing                  | unpaid             | failed
  IN    | created processing                  | operator_cancelled | cancelled
  PK    | created market_available processing | operator_cancelled | cancelled
`;

const statuses: (OrderStatus | 'new')[] = [
  ...(['new', 'created', 'market_available', 'processing', 'partial_paid'] as const),
  ...(['completed', 'failed', 'timeout', 'cancelled'] as const),
];
const triggers: Trigger[] = [
  ...(['created', 'begun', 'channel_accepted', 'channel_refused', 'channel_failed', 'channel_unanswered'] as const),
  ...(['unpaid', 'part_paid', 'paid', 'funds_confirmed_in_part', 'funds_confirmed', 'operator_cancelled'] as const),
  ...(['case_credited', 'task_listed', 'task_claimed', 'claim_ended', 'proof_accepted', 'rerouted'] as const),
];

function readTable(kind: 'payin' | 'payout', table: string): Map<string, string> {
  const rows = new Map<string, string>();
  for (const line of table.trim().split('\n')) {
    const [where = '', from = '', trigger = '', to = ''] = line.split('|').map((cell) => cell.trim());
    for (const country of where.split(' '))
      for (const status of from.split(' ')) rows.set(`${kind} ${country} ${status} ${trigger}`, to);
  }
  return rows;
}

const allowed = new Map([...readTable('payin', payins), ...readTable('payout', payouts)]);

test('every transition of docs/contract/decisions.md is allowed', () => {
  expect(allowed.size).toBeGreaterThan(90);
  for (const [row, to] of allowed) {
    const [kind, country, from, trigger] = row.split(' ') as ['payin' | 'payout', Country, OrderStatus, Trigger];
    expect(`${row} ${orderRules.transition(kind, country, from, trigger)}`).toBe(`${row} ${to}`);
  }
});

test('every other transition is refused', () => {
  const refused: string[] = [];
  for (const kind of ['payin', 'payout'] as const)
    for (const country of countries)
      for (const from of statuses)
        for (const trigger of triggers) {
          if (allowed.has(`${kind} ${country} ${from} ${trigger}`)) continue;
          refused.push(`${kind} ${country} ${from} ${trigger}`);
          expect(
            `${kind} ${country} ${from} ${trigger} ${orderRules.transition(kind, country, from, trigger)}`,
          ).toMatch(/ null$/);
        }
  expect(refused.length).toBe(2 * countries.length * statuses.length * triggers.length - allowed.size);
});

test('the table has no other triggers and statuses than those above', () => {
  const known = new Set<string>([...statuses, ...triggers]);
  for (const rule of transitionRules)
    expect([...rule.from, rule.to, rule.trigger].filter((word) => !known.has(word))).toEqual([]);
});

test('only crediting a case changes a terminal status', () => {
  for (const rule of transitionRules)
    if (rule.from.some((from) => from !== 'new' && isTerminal(from))) expect(rule.trigger).toBe('case_credited');
});

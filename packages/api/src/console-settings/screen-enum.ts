import { type Screen, screens } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';

const shows: Record<Screen, string> = {
  home: 'Figures and work of the day.',
  orders: 'Orders.',
  cases: 'Cases of money in suspense.',
  stuck_payouts: 'Payouts that wait for a definite answer.',
  payout_tasks: 'The task market.',
  approvals: 'Operations that need two operators.',
  notifications: 'Notifications of merchants.',
  merchants: 'Merchants.',
  wallets: 'Wallets and their entries.',
  channels: 'Channels.',
  reconciliation: 'Comparison with the statements of channels.',
  settlements: 'Settlements with merchants.',
  audit_log: 'The audit log.',
  findings: 'Audit findings.',
  queues: 'Queues. For operators without a restriction.',
  operators: 'Operators. For admins without a restriction.',
};

export const ScreenEnum = builder.enumType('Screen', {
  description: "A screen of the operators' console.",
  values: Object.fromEntries(
    screens.map((screen) => [screen.toUpperCase(), { value: screen, description: shows[screen] }]),
  ) as Record<string, { value: Screen; description: string }>,
});

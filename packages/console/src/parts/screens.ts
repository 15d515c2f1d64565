import type { IconName } from './icon.tsx';

/** A screen in the navigation. */
export interface Screen {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The key that opens the screen, after `g`. */
  readonly key: string;
}

/** The screens in the order of daily use. Only screens whose routes exist are listed. */
export const screens: readonly Screen[] = [
  { to: '/', label: 'Today', icon: 'home', key: 'd' },
  { to: '/orders', label: 'Orders', icon: 'orders', key: 'o' },
  { to: '/cases', label: 'Cases', icon: 'cases', key: 'c' },
  { to: '/stuck-payouts', label: 'Stuck payouts', icon: 'stuck', key: 's' },
  { to: '/payout-tasks', label: 'Payout tasks', icon: 'tasks', key: 't' },
  { to: '/approvals', label: 'Approvals', icon: 'approvals', key: 'a' },
  { to: '/reconciliation', label: 'Reconciliation', icon: 'reconciliation', key: 'r' },
  { to: '/settlements', label: 'Settlements', icon: 'settlements', key: 'b' },
  { to: '/notifications', label: 'Notifications', icon: 'notifications', key: 'n' },
  { to: '/merchants', label: 'Merchants', icon: 'merchants', key: 'm' },
  { to: '/wallets', label: 'Wallets', icon: 'wallets', key: 'w' },
  { to: '/channels', label: 'Channels', icon: 'channels', key: 'e' },
  { to: '/exports', label: 'Exports', icon: 'download', key: 'x' },
  { to: '/audit', label: 'Audit', icon: 'audit', key: 'l' },
  { to: '/operators', label: 'Operators', icon: 'operators', key: 'p' },
];

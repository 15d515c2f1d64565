import type { ComponentType } from 'react';
import { ApprovalsBadge } from '../approvals/approvals-badge.tsx';
import type { IconName } from '../parts/icon.tsx';
import { OpenBreaksBadge } from '../reconciliation/open-breaks-badge.tsx';

/** A screen in the navigation. */
export interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** The key that opens the screen, after `g`. */
  readonly key: string;
  /** The element to the right of the label, for example the number of waiting approvals. */
  readonly Badge?: ComponentType;
}

/** The screens in the order of daily use. Only screens whose routes exist are listed. */
export const navigation: readonly NavigationEntry[] = [
  { to: '/', label: 'Today', icon: 'home', key: 'd' },
  { to: '/orders', label: 'Orders', icon: 'orders', key: 'o' },
  { to: '/cases', label: 'Cases', icon: 'cases', key: 'c' },
  { to: '/stuck-payouts', label: 'Stuck payouts', icon: 'stuck', key: 's' },
  { to: '/payout-tasks', label: 'Payout tasks', icon: 'tasks', key: 't' },
  { to: '/approvals', label: 'Approvals', icon: 'approvals', key: 'a', Badge: ApprovalsBadge },
  { to: '/reconciliation', label: 'Reconciliation', icon: 'reconciliation', key: 'r', Badge: OpenBreaksBadge },
  { to: '/settlements', label: 'Settlements', icon: 'settlements', key: 'b' },
  { to: '/notifications', label: 'Notifications', icon: 'notifications', key: 'n' },
  { to: '/merchants', label: 'Merchants', icon: 'merchants', key: 'm' },
  { to: '/wallets', label: 'Wallets', icon: 'wallets', key: 'w' },
  { to: '/channels', label: 'Channels', icon: 'channels', key: 'e' },
  { to: '/exports', label: 'Exports', icon: 'download', key: 'x' },
  { to: '/audit', label: 'Audit', icon: 'audit', key: 'l' },
  { to: '/operators', label: 'Operators', icon: 'operators', key: 'p' },
];

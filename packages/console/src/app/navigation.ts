import type { IconName } from '../parts/icon.tsx';

/** A screen in the navigation. */
export interface NavigationEntry {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** After `g`. */
  readonly key: string;
}

/** The screens in the order of daily use. Only screens whose routes exist stand here. */
export const navigation: readonly NavigationEntry[] = [{ to: '/orders', label: 'Orders', icon: 'orders', key: 'o' }];

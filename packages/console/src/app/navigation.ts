import type { ComponentType } from 'react';
import { type Screen, screens } from '../parts/screens.ts';
import { ApprovalsBadge } from './approvals-badge.tsx';
import { OpenBreaksBadge } from './open-breaks-badge.tsx';

/** The elements to the right of labels, for example the number of waiting approvals. */
const badges: Readonly<Record<string, ComponentType>> = {
  '/approvals': ApprovalsBadge,
  '/reconciliation': OpenBreaksBadge,
};

export const navigation: readonly (Screen & { readonly Badge?: ComponentType | undefined })[] = screens.map(
  (screen) => ({
    ...screen,
    Badge: badges[screen.to],
  }),
);

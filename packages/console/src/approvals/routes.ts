import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { approvalSearch } from './approval-filters.ts';

const approvalsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'approvals',
  validateSearch: readListSearch(approvalSearch),
  component: lazyRouteComponent(() => import('./approvals-page.tsx'), 'ApprovalsPage'),
});

const approvalRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'approvals/$approvalId',
  component: lazyRouteComponent(() => import('./approval-page.tsx'), 'ApprovalPage'),
});

export const approvalRoutes = [approvalsRoute, approvalRoute] as const;

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { taskSearch } from './task-filters.ts';

const payoutTasksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'payout-tasks',
  validateSearch: readListSearch(taskSearch),
  component: lazyRouteComponent(() => import('./payout-tasks-page.tsx'), 'PayoutTasksPage'),
});

const payoutTaskRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'payout-tasks/$orderNo',
  component: lazyRouteComponent(() => import('./payout-task-page.tsx'), 'PayoutTaskPage'),
});

export const payoutTaskRoutes = [payoutTasksRoute, payoutTaskRoute] as const;

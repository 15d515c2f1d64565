import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { stuckFilters } from './stuck-filters.ts';

export const stuckPayoutsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'stuck-payouts',
  validateSearch: readListSearch(stuckFilters),
  component: lazyRouteComponent(() => import('./stuck-payouts-page.tsx'), 'StuckPayoutsPage'),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { stuckSearch } from './stuck-filters.ts';

export const stuckPayoutsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'stuck-payouts',
  validateSearch: readListSearch(stuckSearch),
  component: lazyRouteComponent(() => import('./stuck-payouts-page.tsx'), 'StuckPayoutsPage'),
});

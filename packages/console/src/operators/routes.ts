import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { operatorFilters } from './operator-filters.ts';

const operatorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'operators',
  validateSearch: readListSearch(operatorFilters),
  component: lazyRouteComponent(() => import('./operators-page.tsx'), 'OperatorsPage'),
});

const operatorRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'operators/$operatorId',
  component: lazyRouteComponent(() => import('./operator-page.tsx'), 'OperatorPage'),
});

export const operatorRoutes = [operatorsRoute, operatorRoute] as const;

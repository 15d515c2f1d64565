import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { caseSearch } from './case-filters.ts';

const casesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'cases',
  validateSearch: readListSearch(caseSearch),
  component: lazyRouteComponent(() => import('./cases-page.tsx'), 'CasesPage'),
});

const caseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'cases/$merchantId/$caseNo',
  component: lazyRouteComponent(() => import('./case-page.tsx'), 'CasePage'),
});

export const caseRoutes = [casesRoute, caseRoute] as const;

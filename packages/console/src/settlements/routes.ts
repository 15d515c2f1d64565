import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { cycleFilters, fileFilters, settlementSearch } from './settlement-filters.ts';

const settlementsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'settlements',
  validateSearch: readListSearch(settlementSearch),
  component: lazyRouteComponent(() => import('./settlements-page.tsx'), 'SettlementsPage'),
});

const settlementRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'settlements/$merchantId/$settlementNo',
  validateSearch: readListSearch({}),
  component: lazyRouteComponent(() => import('./settlement-page.tsx'), 'SettlementPage'),
});

const cyclesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'settlements/cycles',
  validateSearch: readListSearch(cycleFilters),
  component: lazyRouteComponent(() => import('./cycles-page.tsx'), 'CyclesPage'),
});

const cycleRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'settlements/cycles/$merchantId',
  component: lazyRouteComponent(() => import('./cycle-page.tsx'), 'CyclePage'),
});

const filesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'settlements/files',
  validateSearch: readListSearch(fileFilters),
  component: lazyRouteComponent(() => import('./files-page.tsx'), 'FilesPage'),
});

const runRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'settlements/run',
  component: lazyRouteComponent(() => import('./run-page.tsx'), 'RunPage'),
});

export const settlementRoutes = [
  settlementsRoute,
  settlementRoute,
  filesRoute,
  cyclesRoute,
  cycleRoute,
  runRoute,
] as const;

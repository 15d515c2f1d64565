import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { auditSearch, findingSearch } from './audit-filters.ts';

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'audit',
  validateSearch: readListSearch(auditSearch),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});

const findingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'audit/findings',
  validateSearch: readListSearch(findingSearch),
  component: lazyRouteComponent(() => import('./findings-page.tsx'), 'FindingsPage'),
});

export const auditRoutes = [auditRoute, findingsRoute] as const;

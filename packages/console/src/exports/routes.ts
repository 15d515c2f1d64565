import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';

export const exportsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'exports',
  validateSearch: readListSearch({}),
  component: lazyRouteComponent(() => import('./exports-page.tsx'), 'ExportsPage'),
});

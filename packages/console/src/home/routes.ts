import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readDimension } from './dimensions.ts';

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: ({ by }: Record<string, unknown>) => readDimension(by),
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { orderFilters } from './order-filters.ts';

const ordersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'orders',
  validateSearch: readListSearch(orderFilters),
  component: lazyRouteComponent(() => import('./orders-page.tsx'), 'OrdersPage'),
});

const orderRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'orders/$orderNo',
  component: lazyRouteComponent(() => import('./order-page.tsx'), 'OrderPage'),
});

export const orderRoutes = [ordersRoute, orderRoute] as const;

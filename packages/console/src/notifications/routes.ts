import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { hostFilters, notificationFilters } from './notification-filters.ts';

const notificationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'notifications',
  validateSearch: readListSearch(notificationFilters),
  component: lazyRouteComponent(() => import('./notifications-page.tsx'), 'NotificationsPage'),
});

const hostsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'notifications/hosts',
  validateSearch: readListSearch(hostFilters),
  component: lazyRouteComponent(() => import('./hosts-page.tsx'), 'HostsPage'),
});

export const notificationRoutes = [notificationsRoute, hostsRoute] as const;

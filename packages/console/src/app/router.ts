import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { approvalRoutes } from '../approvals/routes.ts';
import { auditRoutes } from '../audit/routes.ts';
import { caseRoutes } from '../cases/routes.ts';
import { orderRoutes } from '../orders/routes.ts';
import { payoutTaskRoutes } from '../payout-tasks/routes.ts';
import { stuckPayoutsRoute } from '../stuck-payouts/routes.ts';
import { rootRoute, shellRoute, signInRoute } from './route-tree.ts';
import { parseSearch, stringifySearch } from './search-params.ts';

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/orders' });
  },
});

const workRoutes = [...caseRoutes, stuckPayoutsRoute, ...payoutTaskRoutes, ...approvalRoutes, ...auditRoutes] as const;

const routeTree = rootRoute.addChildren([
  signInRoute,
  shellRoute.addChildren([homeRoute, ...orderRoutes, ...workRoutes]),
]);

/** The addresses of the console, below /console. */
export const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

import { createRouter } from '@tanstack/react-router';
import { rootRoute, shellRoute, signInRoute } from './app/route-tree.ts';
import { approvalRoutes } from './approvals/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { caseRoutes } from './cases/routes.ts';
import { channelRoutes } from './channels/routes.ts';
import { exportsRoute } from './exports/routes.ts';
import { homeRoute } from './home/routes.ts';
import { parseSearch, stringifySearch } from './list/search-params.ts';
import { merchantRoutes } from './merchants/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { operatorRoutes } from './operators/routes.ts';
import { orderRoutes } from './orders/routes.ts';
import { payoutTaskRoutes } from './payout-tasks/routes.ts';
import { reconciliationRoutes } from './reconciliation/routes.ts';
import { settlementRoutes } from './settlements/routes.ts';
import { stuckPayoutsRoute } from './stuck-payouts/routes.ts';
import { walletRoutes } from './wallets/routes.ts';

const workRoutes = [
  ...caseRoutes,
  stuckPayoutsRoute,
  ...payoutTaskRoutes,
  ...approvalRoutes,
  ...auditRoutes,
  exportsRoute,
] as const;

const routeTree = rootRoute.addChildren([
  signInRoute,
  shellRoute.addChildren([
    homeRoute,
    ...orderRoutes,
    ...workRoutes,
    ...reconciliationRoutes,
    ...settlementRoutes,
    ...notificationRoutes,
    ...merchantRoutes,
    ...walletRoutes,
    ...channelRoutes,
    ...operatorRoutes,
  ]),
]);

/** The paths of the console, below /console. */
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

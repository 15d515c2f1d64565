import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { merchantFilters } from '../merchants/merchant-filters.ts';
import { statementFilters } from './statement-filters.ts';

const walletsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'wallets',
  validateSearch: readListSearch(merchantFilters),
  component: lazyRouteComponent(() => import('./wallets-page.tsx'), 'WalletsPage'),
});

const statementRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'wallets/$merchantId',
  validateSearch: readListSearch(statementFilters),
  component: lazyRouteComponent(() => import('./statement-page.tsx'), 'StatementPage'),
});

export const walletRoutes = [walletsRoute, statementRoute] as const;

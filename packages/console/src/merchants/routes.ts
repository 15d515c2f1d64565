import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { merchantFilters } from './merchant-filters.ts';

const merchantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'merchants',
  validateSearch: readListSearch(merchantFilters),
  component: lazyRouteComponent(() => import('./merchants-page.tsx'), 'MerchantsPage'),
});

const merchantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'merchants/$merchantId',
  component: lazyRouteComponent(() => import('./merchant-page.tsx'), 'MerchantPage'),
});

const newMerchantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'merchants/new',
  validateSearch: ({ merchantId }: Record<string, unknown>): { merchantId?: string } =>
    typeof merchantId === 'string' && /^[A-Z0-9-]{3,32}$/.test(merchantId) ? { merchantId } : {},
  component: lazyRouteComponent(() => import('./new-merchant-page.tsx'), 'NewMerchantPage'),
});

export const merchantRoutes = [merchantsRoute, newMerchantRoute, merchantRoute] as const;

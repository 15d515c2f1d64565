import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';
import { breakSearch, daySearch, importSearch, statementFilters } from './reconciliation-filters.ts';

const daysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation',
  validateSearch: readListSearch(daySearch),
  component: lazyRouteComponent(() => import('./days-page.tsx'), 'DaysPage'),
});

const dayRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation/days/$country/$channelId/$day',
  component: lazyRouteComponent(() => import('./day-page.tsx'), 'DayPage'),
});

const breaksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation/breaks',
  validateSearch: readListSearch(breakSearch),
  component: lazyRouteComponent(() => import('./breaks-page.tsx'), 'BreaksPage'),
});

const breakRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation/breaks/$country/$breakNo',
  component: lazyRouteComponent(() => import('./break-page.tsx'), 'BreakPage'),
});

const statementsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation/statements',
  validateSearch: readListSearch(statementFilters),
  component: lazyRouteComponent(() => import('./statements-page.tsx'), 'StatementsPage'),
});

const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation/statements/new',
  validateSearch: readListSearch(importSearch),
  component: lazyRouteComponent(() => import('./import-page.tsx'), 'ImportPage'),
});

const statementRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation/statements/$country/$fileNo',
  validateSearch: readListSearch({}),
  component: lazyRouteComponent(() => import('./statement-page.tsx'), 'StatementPage'),
});

const profilesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation/profiles',
  component: lazyRouteComponent(() => import('./profiles-page.tsx'), 'ProfilesPage'),
});

const newProfileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation/new-profile',
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'NewProfilePage'),
});

const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'reconciliation/profiles/$name',
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
});

export const reconciliationRoutes = [
  daysRoute,
  dayRoute,
  breaksRoute,
  breakRoute,
  statementsRoute,
  statementRoute,
  importRoute,
  profilesRoute,
  newProfileRoute,
  profileRoute,
] as const;

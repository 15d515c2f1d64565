import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../app/route-tree.ts';
import { readListSearch } from '../list/filters.ts';

const channelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'channels',
  validateSearch: readListSearch({}),
  component: lazyRouteComponent(() => import('./channels-page.tsx'), 'ChannelsPage'),
});

const channelRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'channels/$channelId',
  component: lazyRouteComponent(() => import('./channel-page.tsx'), 'ChannelPage'),
});

export const channelRoutes = [channelsRoute, channelRoute] as const;

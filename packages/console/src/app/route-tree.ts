import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { readSession, session } from '../session/session.ts';
import { FailedPage, MissingPage, RootPage } from './root-page.tsx';
import { Shell } from './shell.tsx';

/** Above every page, signed in or not. */
export const rootRoute = createRootRoute({
  component: RootPage,
  notFoundComponent: MissingPage,
  errorComponent: FailedPage,
});

/** Parent of all screens: asks for a session first, and frames them with navigation and search. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const { signedIn } = session.get() ?? (await readSession());
    if (!signedIn) throw redirect({ to: '/sign-in' as '/', search: { returnTo: location.href } as never });
  },
});

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: ({ returnTo, problem }: Record<string, unknown>): { returnTo?: string; problem?: string } => ({
    ...(typeof returnTo === 'string' && /^\/(?![/\\])/.test(returnTo) && { returnTo }),
    ...(typeof problem === 'string' && { problem }),
  }),
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

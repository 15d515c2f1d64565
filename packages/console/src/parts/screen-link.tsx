import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { screens } from './screens.ts';

interface ScreenLinkProps {
  /** A path below /console, for example `/merchants/M1001`. */
  to: string;
  search?: Record<string, unknown>;
  children: ReactNode;
}

/** A link to a screen. Where the console has no such screen, only its text. */
export function ScreenLink({ to, search, children }: ScreenLinkProps) {
  const screen = `/${to.split('/')[1] ?? ''}`;
  if (!screens.some((entry) => entry.to === screen)) return <>{children}</>;
  return (
    <Link to={to as '/'} search={search as never}>
      {children}
    </Link>
  );
}

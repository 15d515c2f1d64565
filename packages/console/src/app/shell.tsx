import { Button, Loader } from '@mantine/core';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { OpenedDialog } from '../actions/opened-dialog.tsx';
import { MeDocument } from '../generated/documents.generated.ts';
import { Icon } from '../parts/icon.tsx';
import { Failure } from '../parts/notice.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { usePreferences } from '../preferences/use-preferences.ts';
import { signOut } from '../session/session.ts';
import { MeContext } from '../session/use-me.ts';
import { AccountMenu } from './account-menu.tsx';
import { ConnectionState } from './connection-state.tsx';
import { navigation } from './navigation.ts';
import { SearchBox } from './search-box.tsx';
import styles from './shell.module.css';
import { ShortcutsHelp } from './shortcuts-help.tsx';

/** The frame of all screens: navigation, search, who is signed in, keyboard. */
export function Shell() {
  const [{ data, error, fetching }, read] = useQuery({ query: MeDocument });
  const hasPreferences = usePreferences({ operatorId: data?.me?.operatorId, preferences: data?.preferences });
  const [isHelpOpen, setHelpOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useShortcuts((keys) => {
    const entry = navigation.find(({ key }) => keys === `g ${key}`);
    if (entry) void navigate({ to: entry.to as '/' });
    else if (keys === '/') search.current?.focus();
    else if (keys === '?') setHelpOpen(true);
    else return false;
    return true;
  });
  if (!data?.me || !hasPreferences)
    return (
      <main className={styles.plain}>
        {fetching && <Loader aria-label="Loading" />}
        {error && <Failure error={error} retry={() => read({ requestPolicy: 'network-only' })} />}
        {(error || (data && !data.me)) && (
          <Button onClick={() => void signOut().catch(() => undefined)}>Sign in again</Button>
        )}
      </main>
    );
  return (
    <MeContext value={data.me}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <div className={styles.shell}>
        <Sidebar />
        <header className={styles.header}>
          <SearchBox ref={search} />
          <ConnectionState />
          <AccountMenu showShortcuts={() => setHelpOpen(true)} />
        </header>
        <main id="content" className={styles.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <OpenedDialog />
      <ShortcutsHelp isOpen={isHelpOpen} close={() => setHelpOpen(false)} />
    </MeContext>
  );
}

/** The navigation. On a phone it covers the page, and a button opens it. */
function Sidebar() {
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new page closes it.
  useEffect(() => setOpen(false), [path]);
  return (
    <nav className={styles.sidebar} data-open={isOpen} aria-label="Screens">
      <div className={styles.brand}>
        <button
          type="button"
          className={styles.burger}
          aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} size={20} />
        </button>
        <Link to="/" className={styles.brandName}>
          <img src="/console/icon.svg" alt="" width="22" height="22" />
          Tidegate
        </Link>
      </div>
      <div className={styles.navigation}>
        {navigation.map(({ to, label, icon, Badge }) => (
          <Link key={to} to={to as '/'} activeOptions={{ exact: to === '/', includeSearch: false }}>
            <Icon name={icon} />
            {label}
            {Badge && <Badge />}
          </Link>
        ))}
      </div>
    </nav>
  );
}

import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link, Outlet, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { Notice } from '../parts/notice.tsx';
import { SessionProblem, session } from '../session/session.ts';
import { afterPause } from '../state/pause.ts';
import { useStore } from '../state/store.ts';
import styles from './shell.module.css';

/** Every page. When the session ends, the router looks again and shows the sign-in page. */
export function RootPage() {
  const router = useRouter();
  const isSignedIn = useStore(session)?.signedIn ?? null;
  useEffect(() => {
    if (isSignedIn === false) void router.invalidate();
  }, [isSignedIn, router]);
  return <Outlet />;
}

/** The page for an unknown URL. */
export function MissingPage() {
  return (
    <main className={styles.plain}>
      <h1>There is no such page</h1>
      <p className="soft">The address may have a typing error, or the page has moved.</p>
      <Link to="/">To the first page</Link>
    </main>
  );
}

/** How long until the session is read again, in milliseconds. */
const RETRY_MS = 4_000;

/** The page for an error while a page is shown. Where only the session could not be read, it tries again by itself. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const again = useEffectEvent(retry);
  useEffect(() => (error instanceof SessionProblem ? afterPause(RETRY_MS, again) : undefined), [error]);
  return (
    <main className={styles.plain}>
      <h1>This page could not be shown</h1>
      <Notice tone="bad">{describe(error)}</Notice>
      <Button onClick={retry}>Try again</Button>
    </main>
  );
}

/** A new version removes the files of the old one. A page that is still open has to be loaded again. */
function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /dynamically imported module|module script/i.test(message)
    ? 'A part of the console could not be loaded. The network failed, or there is a new version: reload the page.'
    : error instanceof SessionProblem
      ? error.message
      : 'Something went wrong in this page. Reload it. If it happens again, tell support what you did before.';
}

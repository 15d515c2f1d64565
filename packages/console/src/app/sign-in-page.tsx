import { Button, PasswordInput } from '@mantine/core';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { Notice } from '../parts/notice.tsx';
import { SlowNotice } from '../parts/slow-notice.tsx';
import { problemOfSession, readSession, session, signIn } from '../session/session.ts';
import { afterPause } from '../state/pause.ts';
import { useStore } from '../state/store.ts';
import styles from './sign-in.module.css';

const route = getRouteApi('/sign-in');
/** How long until the ways to sign in are read again, in milliseconds. */
const RETRY_MS = 4_000;

const SANDBOX_ROLES: Readonly<Record<string, { label: string; help: string }>> = {
  admin: { label: 'Admin', help: 'every role' },
  approver: { label: 'Approver', help: 'a second one, to approve' },
  support: { label: 'Support', help: 'orders and notifications only' },
};

/** Why a sign-in by the identity provider failed, by the code in the URL. Other words are not shown. */
const PROVIDER_PROBLEMS: Readonly<Record<string, string>> = {
  cancelled: 'The sign-in was stopped. Try again.',
  outdated: 'The sign-in took too long, or began in another tab. Begin again here.',
  refused: 'The answer of the identity provider was invalid. Report this to the people who run the service.',
  'no-access':
    'Your identity has no role here, or you are disabled. Ask an admin for a role at the identity provider, then sign in again.',
  unavailable: 'The identity provider cannot be reached. Try again later, or use a token.',
};

/** Signs in by the identity provider, by a token, or in the sandbox by one click. */
export function SignInPage() {
  const { returnTo = '/', problem: ofProvider = '' } = route.useSearch();
  const router = useRouter();
  const now = useStore(session);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const isSignedIn = now?.signedIn === true;
  // The next page looks into the store, so this page goes on as soon as a session is there.
  useEffect(() => {
    if (isSignedIn) router.history.replace(`/console${returnTo.replace(/^\/console(?=\/|$)/, '')}`);
  }, [isSignedIn, returnTo, router]);
  const attempt = async (work: () => Promise<unknown>) => {
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(problemOfSession(error));
    }
  };
  const begin = async (by: Parameters<typeof signIn>[0]) => {
    setBusy(true);
    await attempt(() => signIn(by));
    setBusy(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens.
  useEffect(() => {
    document.title = 'Sign in · Tidegate';
    void attempt(readSession);
  }, []);

  const methods = now?.methods;
  const again = useEffectEvent(() => void attempt(readSession));
  useEffect(() => (methods || problem === null ? undefined : afterPause(RETRY_MS, again)), [methods, problem]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1 className={styles.title}>
          <img src="/console/icon.svg" alt="" width="28" height="28" />
          Tidegate console
        </h1>
        {Object.hasOwn(PROVIDER_PROBLEMS, ofProvider) && problem === null && (
          <Notice tone="bad">{PROVIDER_PROBLEMS[ofProvider]}</Notice>
        )}
        <SlowNotice />
        {problem !== null && <Notice tone="bad">{problem}</Notice>}
        {!methods && problem !== null && <Button onClick={() => void attempt(readSession)}>Try again</Button>}
        {methods?.oidc && <ByProvider returnTo={returnTo} isRefused={ofProvider === 'no-access'} />}
        {methods && methods.sandboxRoles.length > 0 && (
          <SandboxRoles
            roles={methods.sandboxRoles}
            isBusy={isBusy}
            choose={(sandboxRole) => void begin({ sandboxRole })}
          />
        )}
        {methods?.token && <TokenForm isBusy={isBusy} submit={(token) => void begin({ token })} />}
      </div>
    </main>
  );
}

interface SandboxRolesProps {
  roles: readonly string[];
  isBusy: boolean;
  choose(role: string): void;
}

function SandboxRoles({ roles, isBusy, choose }: SandboxRolesProps) {
  return (
    <section className={styles.roles} aria-label="Sandbox">
      <p className="soft">This is a sandbox. Sign in as:</p>
      {roles.map((role) => (
        <Button
          key={role}
          variant="default"
          fullWidth
          justify="flex-start"
          disabled={isBusy}
          onClick={() => choose(role)}
        >
          {SANDBOX_ROLES[role]?.label ?? role}
          <span className={styles.help}>{SANDBOX_ROLES[role]?.help}</span>
        </Button>
      ))}
    </section>
  );
}

/**
 * The provider remembers the last account. Without the choice of another account it would refuse this operator again.
 */
function ByProvider({ returnTo, isRefused }: { returnTo: string; isRefused: boolean }) {
  const address = `/console/sign-in/oidc?returnTo=${encodeURIComponent(`/console${returnTo}`)}`;
  return (
    <>
      <Button component="a" href={address} fullWidth>
        Sign in with your organisation
      </Button>
      {isRefused && (
        <Button component="a" href={`${address}&another=1`} variant="default" fullWidth>
          Sign in with another account
        </Button>
      )}
    </>
  );
}

function TokenForm({ isBusy, submit }: { isBusy: boolean; submit(token: string): void }) {
  const [token, setToken] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (token.trim() !== '') submit(token.trim());
  };
  return (
    <form className={styles.form} onSubmit={send}>
      <PasswordInput
        label="Operator token"
        description="It begins with tgo_. It is exchanged once for a session of this browser."
        value={token}
        onChange={(event) => setToken(event.currentTarget.value)}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
      />
      <Button type="submit" variant="light" fullWidth loading={isBusy}>
        Sign in
      </Button>
    </form>
  );
}

import type { ConsoleFiles } from './console-files.ts';
import type { OidcClientSettings } from './oidc-client.ts';

/** What the operators' console needs of the server. */
export interface ConsoleOptions {
  files: ConsoleFiles;
  /** Whether browsers send the session cookie over TLS only. True in production. */
  secure: boolean;
  /** Public URL of the console, for example `https://ops.example.com`; null: at the host of the request. */
  origin: string | null;
  /** The longest duration of a session, in ms. */
  sessionMs: number;
  /** The time without a request after which a session ends, in ms. */
  idleMs: number;
  /** Tokens of the sandbox's operators, by role, so that a browser on this machine needs none. Empty in production. */
  sandboxTokens: Partial<Record<SandboxRole, string>>;
  /** The identity provider that signs operators in; null where there is none. It needs `origin`. */
  provider: OidcClientSettings | null;
}

/** The roles of a sandbox that sign in by a click, without a token. */
export const sandboxRoles = ['admin', 'approver', 'support'] as const;
export type SandboxRole = (typeof sandboxRoles)[number];

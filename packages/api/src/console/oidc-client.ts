import * as oidc from 'openid-client';
import { IdentityProviderAway } from '../errors/errors.ts';

/** The console as a client of the identity provider. */
export interface OidcClientSettings {
  /** The issuer (`iss`), exactly as the provider writes it. The provider's description is found below this address. */
  issuer: string;
  clientId: string;
  /** The client secret; null for a public client, which uses only PKCE. */
  clientSecret: string | null;
  /** The requested scopes, separated by spaces. */
  scopes: string;
  /** The path of the roles in the ID token, with dots between names. */
  rolesClaim: string;
}

/** The data that the browser keeps, sealed, while its operator signs in at the provider. */
export interface Journey {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The answer of the provider is invalid. `problem` is shown in the address of the sign-in page. */
export class AnswerRefused extends Error {
  readonly problem: 'cancelled' | 'refused';

  constructor(problem: AnswerRefused['problem'], cause: unknown) {
    super(`the identity provider's answer is invalid: ${problem}`, { cause });
    this.problem = problem;
  }
}

/** The authorization code flow with PKCE. Every method throws IdentityProviderAway where the provider cannot be reached. */
export interface OidcClient {
  /** URL of the sign-in, and the values that the browser has to return. `another`: the provider asks for a sign-in even if it knows the browser. */
  begin(options?: { another?: boolean }): Promise<{ url: string; journey: Journey }>;
  /** The verified claims of the ID token. `query` is what the provider sent the browser back with. Throws AnswerRefused. */
  finish(query: string, journey: Journey): Promise<oidc.IDToken>;
}

const timeoutSeconds = 5;
/** The time for which the provider's description is used. */
const keptMs = 60 * 60_000;
/** The time without requests to the provider after a failure. */
const restMs = 1_000;

export function openOidcClient(settings: OidcClientSettings, redirectUri: string): OidcClient {
  const configuration = keptConfiguration(settings);
  return {
    begin: async ({ another = false } = {}) => {
      const journey = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state: journey.state,
        nonce: journey.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(journey.codeVerifier),
        code_challenge_method: 'S256',
        // OpenID Connect Core 1.0, 3.1.2.1.
        ...(another && { prompt: 'login' }),
      });
      return { url: url.href, journey };
    },
    finish: async (query, { state, nonce, codeVerifier }) => {
      const found = await configuration();
      const url = new URL(`${redirectUri}?${query}`);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
      try {
        const claims = (await oidc.authorizationCodeGrant(found, url, checks)).claims();
        if (!claims) throw new Error('the answer has no ID token');
        return claims;
      } catch (error) {
        throw problemOf(error);
      }
    },
  };
}

function keptConfiguration({ issuer, clientId, clientSecret }: OidcClientSettings): () => Promise<oidc.Configuration> {
  const server = new URL(issuer);
  const authentication = clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  const execute = [
    // The signatures of ID tokens are verified too, in addition to the TLS connection.
    oidc.enableNonRepudiationChecks,
    // Settings refuse such an issuer in production.
    ...(server.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
  ];
  let kept: { since: number; found: Promise<oidc.Configuration> } | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    if (now - failedAt < restMs) throw new IdentityProviderAway('it was unavailable just now');
    if (kept && now - kept.since < keptMs) return kept.found;
    const found = oidc
      .discovery(server, clientId, undefined, authentication, { execute, timeout: timeoutSeconds })
      .catch((cause: unknown) => {
        kept = null;
        failedAt = performance.now();
        throw new IdentityProviderAway('the identity provider cannot be reached', { cause });
      });
    kept = { since: now, found };
    return found;
  };
}

/**
 * Classifies an error. An invalid answer of the provider or the browser is refused. If the provider cannot be reached,
 * the service is unavailable. Any other error is a defect of ours.
 */
function problemOf(error: unknown): unknown {
  if (error instanceof oidc.AuthorizationResponseError)
    return new AnswerRefused(error.error === 'access_denied' ? 'cancelled' : 'refused', error);
  const isTimeout = error instanceof oidc.ClientError && /^OAUTH_(TIMEOUT|ABORT)$/.test(error.code ?? '');
  const isBroken = error instanceof oidc.ResponseBodyError && error.status >= 500;
  if (isTimeout || isBroken || isFailedFetch(error))
    return new IdentityProviderAway('the identity provider cannot be reached', { cause: error });
  const isOfAnswer = error instanceof oidc.ResponseBodyError || error instanceof oidc.ClientError;
  return isOfAnswer ? new AnswerRefused('refused', error) : error;
}

function isFailedFetch(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof TypeError && cause.message === 'fetch failed') return true;
  return false;
}

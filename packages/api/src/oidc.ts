import type { Domain } from '@tidegate/domain';
import { type OperatorContext, operatorOfIdentity, type Role, roles } from '@tidegate/domain/operators';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';

export interface OidcSettings {
  /** `iss`, exactly as the provider writes it. */
  issuer: string;
  /** `aud`: this API's own name at the provider. */
  audience: string;
  jwksUrl: string;
  /** Where the roles stand, with dots between names: `roles`, `realm_access.roles`. */
  rolesClaim: string;
  /** After a fetch of the keys failed, how long none is tried, in ms. Default 1,000. */
  retryMs?: number;
  /** After the keys were fetched, how long a key that is not among them has to wait, in ms. Default 30,000. */
  cooldownMs?: number;
}

/**
 * The operator that a JWT of the identity provider stands for; null for a token that is not right, or of nobody who has a role here.
 * Throws IdentityProviderAway.
 */
export type OperatorOfJwt = (domain: Domain, token: string) => Promise<OperatorContext | null>;

/** The provider's keys cannot be had, so that nothing can be said of a token. */
export class IdentityProviderAway extends Error {}

/** Only asymmetric signatures. With a shared key, everybody who can verify a token could also make one. */
const algorithms = ['RS256', 'ES256'];
const clockTolerance = 5;
const timeoutDuration = 3_000;
const tokenLimit = 8_192;

/** Takes the provider's tokens from then on. Its keys are fetched when the first token comes, and kept for ten minutes. */
export function openOidc({ issuer, audience, jwksUrl, rolesClaim, ...waits }: OidcSettings): OperatorOfJwt {
  const { cooldownMs = 30_000, retryMs = 1_000 } = waits;
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    ...{ cooldownDuration: cooldownMs, timeoutDuration },
    [customFetch]: restAfterFailure(retryMs),
  });
  const requiredClaims = ['exp', 'sub'];
  return async (domain, token) => {
    if (token.length > tokenLimit || token.split('.').length !== 3) return null;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms,
        requiredClaims,
        clockTolerance,
      });
      const { sub: subject } = payload;
      if (typeof subject !== 'string' || !isText(subject, 255)) return null;
      const identity = { issuer, subject, name: nameOf(payload), roles: rolesOf(payload, rolesClaim) };
      return await operatorOfIdentity(domain, identity);
    } catch (error) {
      if (isOfToken(error)) return null;
      throw isOfProvider(error) ? new IdentityProviderAway('the identity provider is away', { cause: error }) : error;
    }
  };
}

/** `fetch` with a pause after a failure. Without it each token, also an invalid one, would cause another request. */
function restAfterFailure(restMs: number): typeof fetch {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (...request) => {
    if (performance.now() - failedAt < restMs) throw new IdentityProviderAway('it was away just now');
    try {
      const response = await fetch(...request);
      if (!response.ok) failedAt = performance.now();
      return response;
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  };
}

/** What is wrong with a token itself. */
const tokenFaults = [
  ...[errors.JOSEAlgNotAllowed, errors.JOSENotSupported, errors.JWSInvalid, errors.JWSSignatureVerificationFailed],
  ...[errors.JWTInvalid, errors.JWTExpired, errors.JWTClaimValidationFailed],
  ...[errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys],
];

function isOfToken(error: unknown): boolean {
  return tokenFaults.some((fault) => error instanceof fault);
}

/** The rest of what `jose` says is of the keys; so is a fetch that failed. */
function isOfProvider(error: unknown): boolean {
  return (
    error instanceof IdentityProviderAway ||
    error instanceof errors.JOSEError ||
    (error instanceof TypeError && error.message === 'fetch failed')
  );
}

/** For people to read: nobody is known by it. */
function nameOf({ name, email, preferred_username: username }: JWTPayload): string {
  const known = [name, email, username].find((one): one is string => typeof one === 'string' && isText(one, 255));
  return known ?? 'unnamed';
}

/** The roles of ours that a claim names, as a list or as words with blanks between them; others are no matter of ours. */
function rolesOf(payload: JWTPayload, claim: string): Role[] {
  let found: unknown = payload;
  for (const name of claim.split('.')) found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  const named = typeof found === 'string' ? found.split(' ') : Array.isArray(found) ? found : [];
  return roles.filter((role) => named.includes(role));
}

function isRecord(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

function isText(text: string, limit: number): boolean {
  return text.length <= limit && /^[^\s\p{Cc}][^\p{Cc}]*$/u.test(text);
}

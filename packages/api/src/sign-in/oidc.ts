import { createPublicKey } from 'node:crypto';
import { type Domain, readJson } from '@tidegate/domain';
import { type Identity, operatorOfIdentity, type Role, roles } from '@tidegate/domain/operators';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod';
import { IdentityProviderAway } from '../errors/errors.ts';
import type { OperatorOfJwt } from '../graphql/context.ts';

export interface OidcSettings {
  /** `iss`, exactly as the provider writes it. */
  issuer: string;
  /** `aud`: this API's own name at the provider. */
  audience: string;
  jwksUrl: string;
  /** The claim with the roles, with dots between names: `roles`, `realm_access.roles`. */
  rolesClaim: string;
  /** How long no fetch of the keys is tried after a failed one, in ms. Default 1,000. */
  retryMs?: number;
  /** How long an unknown key has to wait after a fetch of the keys, in ms. Default 30,000. */
  cooldownMs?: number;
}

/** Only asymmetric signatures. With a shared key, everybody who can verify a token could also make one. */
const algorithms = ['RS256', 'ES256'];
const clockTolerance = 5;
const timeoutDuration = 3_000;
const tokenLimit = 8_192;

/** Accepts the provider's tokens. Its keys are fetched at the first token, and kept for ten minutes. */
export function openOidc({ issuer, audience, jwksUrl, rolesClaim, ...waits }: OidcSettings): OperatorOfJwt {
  const { cooldownMs = 30_000, retryMs = 1_000 } = waits;
  let unusable: UnusableKey[] = [];
  const fetchKeys = restAfterFailure(retryMs);
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cooldownDuration: cooldownMs,
    timeoutDuration,
    [customFetch]: async (...request) => {
      const response = await fetchKeys(...request);
      if (!response.ok) return response;
      const text = await response.text().catch((cause: unknown) => {
        throw new IdentityProviderAway('its keys broke off', { cause });
      });
      const set = withoutUnusableKeys(text);
      ({ unusable } = set);
      return new Response(set.text, response);
    },
  });
  const warn = ({ log }: Domain): void => {
    if (unusable.length > 0) log.warn({ keys: unusable }, 'keys of the identity provider are not used');
    unusable = [];
  };
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
      const identity = identityOf(payload, { issuer, rolesClaim });
      return identity && (await operatorOfIdentity(domain, identity));
    } catch (error) {
      if (isOfToken(error)) return null;
      throw isOfProvider(error)
        ? new IdentityProviderAway('the identity provider is unavailable', { cause: error })
        : error;
    } finally {
      warn(domain);
    }
  };
}

/** The person whom verified claims are about; null where their subject is none that can be kept. */
export function identityOf(
  claims: JWTPayload,
  { issuer, rolesClaim }: Pick<OidcSettings, 'issuer' | 'rolesClaim'>,
): Identity | null {
  const { sub: subject, exp } = claims;
  if (typeof subject !== 'string' || !isText(subject, 255)) return null;
  const identity = { issuer, subject, name: nameOf(claims), roles: rolesOf(claims, rolesClaim) };
  return exp === undefined ? identity : { ...identity, expiresAt: exp * 1_000 };
}

interface UnusableKey {
  kid: string;
  problem: string;
}

const keySet = z.object({ keys: z.array(z.unknown()) });

/**
 * The set without the keys that cannot verify: their tokens are refused like those of unknown keys, and no other ones. A
 * text that is no set stays none.
 */
function withoutUnusableKeys(text: string): { text: string; unusable: UnusableKey[] } {
  const set = readJson(text, keySet);
  if (!set.ok) return { text: '', unusable: [] };
  const found = set.value.keys.map((key) => ({ key, problem: problemOfKey(key) }));
  const usable = found.filter(({ problem }) => problem === null).map(({ key }) => key);
  const unusable = found.flatMap(({ key, problem }) => {
    const kid = isRecord(key) && typeof key.kid === 'string' ? key.kid.slice(0, 100) : '';
    return problem === null ? [] : [{ kid, problem }];
  });
  return { text: JSON.stringify({ keys: usable }), unusable };
}

/** RFC 7518, section 3.3. */
const fewestBits = 2_048;

/** Why a published key verifies nothing; null: it may. Keys of other kinds sign no token that is accepted. */
function problemOfKey(key: unknown): string | null {
  if (!isRecord(key) || (key.kty !== 'RSA' && key.kty !== 'EC')) return null;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    const { modulusLength = fewestBits } = asymmetricKeyDetails ?? {};
    return modulusLength < fewestBits ? `key too short: an RSA key needs ${fewestBits} bits or more` : null;
  } catch {
    return 'it cannot be read';
  }
}

/** `fetch` with a pause after a failure. Without it each token, also an invalid one, would cause another request. */
function restAfterFailure(restMs: number): typeof fetch {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (...request) => {
    if (performance.now() - failedAt < restMs) throw new IdentityProviderAway('it was unavailable just now');
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

/** Errors about the token itself. */
const tokenFaults = [
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWTInvalid,
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

function isOfToken(error: unknown): boolean {
  return tokenFaults.some((fault) => error instanceof fault);
}

/** Other errors of `jose`, and failed fetches, are about the keys. */
function isOfProvider(error: unknown): boolean {
  return (
    error instanceof IdentityProviderAway ||
    error instanceof errors.JOSEError ||
    (error instanceof TypeError && error.message === 'fetch failed')
  );
}

/** A display name. It never identifies a person. */
function nameOf({ name, email, preferred_username: username }: JWTPayload): string {
  const known = [name, email, username].find((one): one is string => typeof one === 'string' && isText(one, 255));
  return known ?? 'unnamed';
}

/** Our roles in a claim, which may be a list or words separated by blanks. Other roles are ignored. */
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

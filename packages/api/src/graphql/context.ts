import type { Domain } from '@tidegate/domain';
import { type OperatorContext, operatorOfToken } from '@tidegate/domain/operators';
import type { Live } from '../live/open-live.ts';

/** The context of every resolver. */
export interface ApiContext {
  domain: Domain;
  /** The caller. In a subscription null once the token is no longer valid. Then every field is refused. */
  operator: OperatorContext | null;
  /** The caller's current permissions, for work that goes on after the request was authenticated. */
  operatorNow(): Promise<OperatorContext | null>;
  inTurn: InTurn;
  /** What subscriptions need. */
  live: Live;
  requestId: string;
  /** Aborted when the client has left. */
  signal: AbortSignal;
  /** The largest number that `totalCount` counts exactly; undefined: the default of lists. */
  maxCounted: number | undefined;
  environment: Environment;
}

/** Executes when it is the operator's turn, in one of the slots of all requests. Null: there was none in time, and nothing was done. */
export type InTurn = <T>(execute: () => Promise<T>) => Promise<T | null>;

export type Environment = 'sandbox' | 'production';

/** The facts of a request besides its GraphQL parameters. */
export interface RequestFacts {
  requestId: string;
  operator: OperatorContext;
  /** The operator as of now; null once the token or session is no longer valid. */
  operatorNow(): Promise<OperatorContext | null>;
  /** For the events of a subscription: the request itself has its slot only until its stream begins. */
  inTurn: InTurn;
}

/**
 * The operator of a JWT of the identity provider; null if the token is invalid, or its owner has no role here. Throws
 * IdentityProviderAway.
 */
export type OperatorOfJwt = (domain: Domain, token: string) => Promise<OperatorContext | null>;

/** What is needed to find the operator of a token. */
export interface OperatorLookup extends Pick<ApiContext, 'domain' | 'live'> {
  /** For tokens of an identity provider. Without it only our own tokens are accepted. */
  operatorOfJwt?: OperatorOfJwt;
  maxCounted?: number;
  /** Default: production. */
  environment?: Environment;
}

/** The context of one request. Its caller is already authenticated. */
export function makeContext(lookup: OperatorLookup, facts: RequestFacts, signal: AbortSignal): ApiContext {
  const { domain, live, maxCounted, environment = 'production' } = lookup;
  const { requestId, operator, operatorNow, inTurn } = facts;
  const forAll = { domain, live, maxCounted, environment };
  return { ...forAll, requestId, signal, operator, operatorNow, inTurn };
}

/** The token of `Authorization: Bearer <token>`; undefined if there is none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  return token !== undefined && token.length <= 8_192 ? token : undefined;
}

/**
 * The operator of a token of ours or of the identity provider; null if it is unknown. Throws if the database or the
 * provider is unavailable.
 */
export async function findOperator(
  { domain, operatorOfJwt }: Omit<OperatorLookup, 'live'>,
  token: string,
): Promise<OperatorContext | null> {
  if (token.startsWith('tgo_') || !operatorOfJwt) return operatorOfToken(domain, token);
  return operatorOfJwt(domain, token);
}

/** The operator of a request that has passed the permission checks. */
export function operatorOf({ operator }: ApiContext): OperatorContext {
  if (operator === null) throw new Error('a field without rights was asked by an unknown caller');
  return operator;
}

import { type Domain, type OperatorIdentity, operatorOfToken } from '@tidegate/domain';

/** What every resolver is given. */
export interface ApiContext {
  domain: Domain;
  /** Who asks; null without a valid token, and then every field is refused. */
  operator: OperatorIdentity | null;
  requestId: string;
}

/** What a request brings besides its GraphQL parameters. */
export interface RequestFacts {
  requestId: string;
  authorization: string | undefined;
}

/** Looks the operator up by `Authorization: Bearer <operator token>`. Throws when the database is away. */
export async function makeContext(domain: Domain, { requestId, authorization }: RequestFacts): Promise<ApiContext> {
  const token = /^Bearer +(\S{1,512})$/i.exec(authorization ?? '')?.[1];
  return { domain, requestId, operator: token === undefined ? null : await operatorOfToken(domain, token) };
}

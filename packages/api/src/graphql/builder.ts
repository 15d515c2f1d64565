import SchemaBuilder from '@pothos/core';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import ErrorsPlugin from '@pothos/plugin-errors';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ZodPlugin from '@pothos/plugin-zod';
import type { Page } from '@tidegate/domain/lists';
import type { Role } from '@tidegate/domain/operators';
import { refusal } from '../errors/errors.ts';
import type { ApiContext } from './context.ts';
import NullableRootsPlugin from './nullable-roots.ts';
import { relayTexts } from './relay-texts.ts';

interface SchemaTypes {
  Context: ApiContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  /** The fields of every connection in addition to its edges. */
  Connection: Pick<Page<unknown>, 'total'>;
  /** `operator`: the caller has a valid token. `roles`: the operator has at least one of these. */
  AuthScopes: { operator: boolean; roles: readonly Role[] };
  Scalars: {
    /** Decimal text, as in the domain. */
    Decimal: { Input: string; Output: string };
    /** Unix milliseconds, as in the domain. */
    DateTime: { Input: number; Output: number };
    /** Decimal text with up to four decimals. */
    Percentage: { Input: string; Output: string };
    /** Texts by name; input only. */
    Secrets: { Input: Record<string, string>; Output: never };
  };
}

const maxNodes = 100;

/**
 * The schema builder. Permissions are checked before arguments, so that an unknown caller learns nothing about the
 * arguments.
 */
export const builder = new SchemaBuilder<SchemaTypes>({
  // The order matters. The first plugin is the outermost: errors turns exceptions of the others into types.
  plugins: [ErrorsPlugin, RelayPlugin, ScopeAuthPlugin, DataloaderPlugin, ZodPlugin, NullableRootsPlugin],
  defaultFieldNullability: false,
  errors: { directResult: true, defaultTypes: [] },
  relay: {
    ...relayTexts,
    nodesQueryOptions: {
      ...relayTexts.nodesQueryOptions,
      resolve: (_root, { ids }, _context, _info, resolveNodes) => {
        if (ids.length > maxNodes)
          throw refusal('BAD_USER_INPUT', `ids must be at most ${maxNodes}, not ${ids.length}`);
        return resolveNodes(ids);
      },
    },
  },
  scopeAuth: {
    // Without this an unauthorized caller could subscribe, and only the events would be refused.
    authorizeOnSubscribe: true,
    authScopes: ({ operator }) => ({
      operator: operator !== null,
      roles: (roles) => operator !== null && roles.some((role) => operator.roles.includes(role)),
    }),
    unauthorizedError: (_parent, { operator }) =>
      operator === null
        ? refusal('UNAUTHENTICATED', 'a valid operator token is needed: Authorization: Bearer <token>')
        : refusal('FORBIDDEN', 'your roles do not allow this'),
  },
  zod: {
    validationError: ({ issues }) => {
      const fields = issues.map(({ path, message }) => ({ path: path.join('.'), reason: message }));
      return refusal('BAD_USER_INPUT', fields.map(({ path, reason }) => `${path} ${reason}`).join('; '), fields);
    },
  },
});

builder.queryType({
  description: 'Queries. Every field needs an operator token: `Authorization: Bearer <token>`.',
  authScopes: { operator: true },
});

builder.subscriptionType({
  description:
    'Subscriptions, as server-sent events (Accept: text/event-stream). A stream sends new events only, and ends when its token expires.',
  authScopes: { operator: true },
});

builder.mutationType({
  description:
    'Operations of operators. Each needs a reason and is recorded in the audit log, except settings of your console. An operation that needs two operators returns a pending approval.',
  authScopes: { operator: true },
});

import SchemaBuilder from '@pothos/core';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import ZodPlugin from '@pothos/plugin-zod';
import type { ApiContext } from './context.ts';
import { refusal } from './errors.ts';

interface SchemaTypes {
  Context: ApiContext;
  DefaultFieldNullability: false;
  AuthScopes: { operator: boolean };
  Scalars: {
    /** Decimal text, as the domain has it. */
    Decimal: { Input: string; Output: string };
    /** Unix milliseconds, as the domain has them. */
    DateTime: { Input: number; Output: number };
  };
}

/** What every noun adds its types and fields to. Rights are looked at first: strangers learn nothing of arguments. */
export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ScopeAuthPlugin, ZodPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authScopes: ({ operator }) => ({ operator: operator !== null }),
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
  description: 'What can be asked. Every field needs an operator token: `Authorization: Bearer <token>`.',
  authScopes: { operator: true },
});

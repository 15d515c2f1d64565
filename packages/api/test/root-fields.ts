import type { Role } from '@tidegate/domain/operators';
import type { GraphQLField } from 'graphql';
import { schema } from '../src/schema/schema.ts';

/** Each field of Query, Mutation and Subscription. */
export const rootFields = (['Query', 'Mutation', 'Subscription'] as const).flatMap((root) => {
  const type = schema.getRootType(root.toLowerCase() as never);
  return Object.values(type?.getFields() ?? {}).map((field) => ({ root, field }));
});

interface Scopes {
  operator?: boolean;
  roles?: readonly Role[];
}

/** The scopes that a field itself declares. */
export function scopesOf(field: GraphQLField<unknown, unknown>): Scopes | undefined {
  const { pothosOptions } = field.extensions as { pothosOptions?: { authScopes?: Scopes } };
  return pothosOptions?.authScopes;
}

import { z } from 'zod';
import type { Country } from '../core/country.ts';
import { type Role, roles } from '../core/operator-rights.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { Operator } from '../database/entities/access.ts';
import { given, is } from '../lists/conditions.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { readPage } from '../lists/read-page.ts';

export const operatorFilter = z.strictObject({ role: z.enum(roles).nullish(), enabled: z.boolean().nullish() });
export type OperatorFilter = z.infer<typeof operatorFilter>;

/** An operator, without tokens. */
export interface OperatorRecord {
  operatorId: string;
  name: string;
  roles: Role[];
  enabled: boolean;
  createdAt: number;
  /** The operator's restriction; null: none. */
  countries: Country[] | null;
  merchantIds: string[] | null;
  /** Issuer and subject of an identity provider; null for an operator with tokens only. */
  externalId: string | null;
}

/** Operators by id. They belong to the platform. The caller checks who may see them. */
export function pageOperators(
  { database }: { database: Database },
  filter: OperatorFilter,
  page: PageRequest<'operators'>,
): Promise<Page<OperatorRecord>> {
  return readPage(
    database.reading,
    {
      table: 'operator',
      columns: columnsOf(database.orm, Operator),
      merchants: null,
      indexConditions: () => [],
      rowConditions: (add) =>
        given(filter.role == null ? null : `${add(filter.role)} = any(t.roles)`, is('t.enabled', filter.enabled, add)),
    },
    page,
  );
}

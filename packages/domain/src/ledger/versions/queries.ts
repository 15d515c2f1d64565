import type { MikroORM } from '@mikro-orm/postgresql';
import { columnsOf, type Statement } from '../../database/columns.ts';
import { NotificationRow } from '../../database/entities/order.ts';

// Statements that read the parts of versions that no other code reads.

/** The number of the last change of configuration of each subject; 0 where there is none. Parameters: $1 tenants, $2 subjects. */
export const configurationVersionsStatement: Statement = {
  name: 'configuration-versions',
  text: `select k.place::integer, coalesce((select max(v.version_no) from audit_record t join configuration_version v using (merchant_id, audit_no)
    where t.merchant_id = k.m and t.subject = k.s), 0)::text as version from unnest($1::text[], $2::text[]) with ordinality as k(m, s, place)`,
};

/** The notification of an order about a status. Parameters: $1 merchant, $2 order, $3 status. */
export function notificationByStatusSql(orm: MikroORM): string {
  return `select ${columnsOf(orm, NotificationRow)} from notification t where merchant_id = $1 and order_no = $2 and status = $3`;
}

import { defineEntity, p } from '@mikro-orm/core';

/** Up to when the rows of one kind are purged, and the lease of the process that purges them. */
export const RetentionRow = defineEntity({
  name: 'RetentionRow',
  tableName: 'retention',
  properties: { kind: p.text().primary(), until: p.datetime(3), heldUntil: p.datetime(3).nullable() },
});

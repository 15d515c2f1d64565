import { defineEntity, p } from '@mikro-orm/core';

/** Up to when the rows of one kind are purged, and the lease of the process that purges them. */
export const RetentionRow = defineEntity({
  name: 'RetentionRow',
  tableName: 'retention',
  properties: { kind: p.text().primary(), until: p.datetime(3), heldUntil: p.datetime(3).nullable() },
});

/** A period whose archived rows were inserted again. They are not purged before `keepUntil`. */
export const RestoredPeriodRow = defineEntity({
  name: 'RestoredPeriodRow',
  tableName: 'restored_period',
  properties: { periodFrom: p.datetime(3).primary(), periodTo: p.datetime(3).primary(), keepUntil: p.datetime(3) },
});

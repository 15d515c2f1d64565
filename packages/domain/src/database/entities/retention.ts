import { defineEntity, p } from '@mikro-orm/core';

/** How far the rows of one kind are purged, and until when a process holds the purge. */
export const RetentionRow = defineEntity({
  name: 'RetentionRow',
  tableName: 'retention',
  properties: { kind: p.text().primary(), until: p.datetime(3), heldUntil: p.datetime(3).nullable() },
});

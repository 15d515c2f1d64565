import { defineEntity, p } from '@mikro-orm/core';
import type { Screen } from '../../core/screens.ts';

// Personal settings of operators in the console. Neither money nor rights depend on them.

const now = 'clock_timestamp()';

/** A named query string of a screen. */
export const SavedViewRow = defineEntity({
  name: 'SavedViewRow',
  tableName: 'saved_view',
  properties: {
    viewId: p.uuid().primary(),
    ownerId: p.text(),
    screen: p.text().$type<Screen>(),
    name: p.text(),
    query: p.text(),
    shared: p.boolean(),
    changedAt: p.datetime(3).defaultRaw(now),
  },
});

/** The preferences of one operator in the console. */
export const OperatorPreferencesRow = defineEntity({
  name: 'OperatorPreferencesRow',
  tableName: 'operator_preferences',
  properties: {
    operatorId: p.text().primary(),
    timeZone: p.text(),
    colourScheme: p.text().$type<'light' | 'dark' | 'system'>(),
    columns: p.json<{ [S in Screen]?: string[] }>(),
  },
});

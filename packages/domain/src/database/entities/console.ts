import { defineEntity, p } from '@mikro-orm/core';
import type { Screen } from '../../core/screens.ts';

// What operators keep of the console for themselves. Neither money nor rights depend on it.

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

/** How one operator wants the console to be. */
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

import { boundedText, matchingText } from '@tidegate/settings/bounded-text';
import * as z from 'zod';
import type { OperatorContext } from '../core/operator-rights.ts';
import { type Screen, screens } from '../core/screens.ts';
import { isTimeZone } from '../core/zone-time.ts';
import type { DatabaseAccess } from '../database/database.ts';
import { OperatorPreferencesRow } from '../database/entities/console.ts';
import type { ChangeAccess } from '../ledger/index.ts';
import { changeOwn, holdSettings } from './change-own.ts';

export const colourSchemes = ['light', 'dark', 'system'] as const;

/** The preferences of one operator in the console. */
export interface Preferences {
  /** An IANA name. */
  timeZone: string;
  colourScheme: (typeof colourSchemes)[number];
  /** The columns of each screen, in their order. A screen that is not named has its default columns. */
  columns: { [S in Screen]?: string[] };
}

const columnNames = z
  .array(matchingText(40, /^[A-Za-z][A-Za-z0-9_.]{0,39}$/, 'must be the name of a column, at most 40 characters'))
  .max(40, 'must be at most 40 columns')
  .refine((names) => new Set(names).size === names.length, 'names a column twice');

/**
 * The preferences that can be set. Parts and screens that are left out stay unchanged. Null as columns restores the
 * default columns of the screen.
 */
export const preferencesInput = z.strictObject({
  timeZone: boundedText(256).refine(isTimeZone, 'must be the name of an IANA time zone, e.g. Asia/Kolkata').nullish(),
  colourScheme: z.enum(colourSchemes).nullish(),
  columns: z
    .array(z.strictObject({ screen: z.enum(screens), names: columnNames.nullish() }))
    .max(screens.length)
    .refine((all) => new Set(all.map(({ screen }) => screen)).size === all.length, 'names a screen twice')
    .nullish(),
});
export type PreferencesInput = z.infer<typeof preferencesInput>;

const defaults: Preferences = { timeZone: 'UTC', colourScheme: 'system', columns: {} };

/** Preferences, and whether the operator never set any. */
export interface PreferencesOfOperator extends Preferences {
  isDefault: boolean;
}

/** The preferences of the operator alone; the defaults where none were set. */
export async function readPreferences(
  { database }: DatabaseAccess,
  { operatorId }: Pick<OperatorContext, 'operatorId'>,
): Promise<PreferencesOfOperator> {
  const found = await database.unitOfWork().findOne(OperatorPreferencesRow, { operatorId });
  return { ...(found ? preferencesOf(found) : defaults), isDefault: found === null };
}

/** Sets the preferences of the operator alone. */
export function setPreferences(
  domain: ChangeAccess,
  { operatorId }: Pick<OperatorContext, 'operatorId'>,
  input: PreferencesInput,
): Promise<PreferencesOfOperator> {
  return changeOwn(domain, async (within) => {
    await holdSettings(within, operatorId);
    const em = within.database.unitOfWork();
    const found = await em.findOne(OperatorPreferencesRow, { operatorId });
    const before = found ? preferencesOf(found) : defaults;
    const columns = { ...before.columns };
    for (const { screen, names } of input.columns ?? []) {
      if (names) columns[screen] = names;
      else delete columns[screen];
    }
    const after: Preferences = {
      timeZone: input.timeZone ?? before.timeZone,
      colourScheme: input.colourScheme ?? before.colourScheme,
      columns,
    };
    const row = found ? em.assign(found, after) : em.create(OperatorPreferencesRow, { operatorId, ...after });
    await em.persist(row).flush();
    return { ...after, isDefault: false };
  });
}

function preferencesOf({ timeZone, colourScheme, columns }: Preferences): Preferences {
  return { timeZone, colourScheme, columns };
}

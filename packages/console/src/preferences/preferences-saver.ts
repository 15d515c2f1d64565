import type { MantineColorScheme } from '@mantine/core';
import type { Client } from '@urql/core';
import {
  type ColourScheme,
  type Screen,
  type ScreenColumnsInput,
  SetPreferencesDocument,
} from '../generated/documents.generated.ts';
import { colorScheme } from './color-scheme.ts';
import { timeZone } from './time-zone.ts';

const SCHEMES: Readonly<Record<MantineColorScheme, ColourScheme>> = { light: 'LIGHT', dark: 'DARK', auto: 'SYSTEM' };

/**
 * Saves preferences in the API, one request after the other, so that the last choice is kept. A choice that could not
 * be saved is sent with the next one.
 */
export function preferencesSaver(client: Client): { save(columns?: ScreenColumnsInput): void } {
  const unsent = new Map<Screen, ScreenColumnsInput>();
  let isSending = false;
  let isOutdated = false;
  const send = async () => {
    const columns = [...unsent.values()];
    unsent.clear();
    const input = { timeZone: timeZone.get(), colourScheme: SCHEMES[colorScheme.get()], columns };
    const { error } = await client.mutation(SetPreferencesDocument, { input }).toPromise();
    if (error) for (const one of columns) if (!unsent.has(one.screen)) unsent.set(one.screen, one);
  };
  const run = async () => {
    isSending = true;
    do {
      isOutdated = false;
      await send();
    } while (isOutdated);
    isSending = false;
  };
  return {
    save: (columns) => {
      if (columns) unsent.set(columns.screen, columns);
      isOutdated = true;
      if (!isSending) void run();
    },
  };
}

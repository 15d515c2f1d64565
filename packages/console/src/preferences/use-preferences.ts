import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useClient } from 'urql';
import type { ColourScheme, PreferencesPartsFragment, Screen } from '../generated/documents.generated.ts';
import { createKeptStore } from '../state/store.ts';
import { colorScheme } from './color-scheme.ts';
import { chosenColumns, lastColumns, listsOfScreens } from './columns.ts';
import { preferencesSaver } from './preferences-saver.ts';
import { isZone, OWN, timeZone } from './time-zone.ts';

/** The operator whose preferences the browser stores. */
const owner = createKeptStore<string>('tidegate-preferences-of', '', (text) => text);

const SCHEMES: Readonly<Record<ColourScheme, MantineColorScheme>> = { LIGHT: 'light', DARK: 'dark', SYSTEM: 'auto' };
const screens = Object.entries(listsOfScreens) as [Screen, string][];

interface Given {
  readonly operatorId: string | undefined;
  /** Null: the preferences could not be read. Then those of the browser are used. */
  readonly preferences: PreferencesPartsFragment | null | undefined;
}

/**
 * Loads the operator's preferences once after signing in, and then saves each choice in the API. Returns true as soon
 * as they are loaded, or could not be read.
 */
export function usePreferences({ operatorId, preferences }: Given): boolean {
  const client = useClient();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const [loadedFor, setLoadedFor] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (operatorId === undefined || loadedFor === operatorId) return;
    if (preferences) applyPreferences(operatorId, preferences, setColorScheme);
    setLoadedFor(operatorId);
  }, [operatorId, preferences, loadedFor, setColorScheme]);
  useEffect(() => {
    if (loadedFor === null) return undefined;
    const saver = preferencesSaver(client);
    const stops = [
      timeZone.subscribe(() => saver.save()),
      colorScheme.subscribe(() => saver.save()),
      lastColumns.subscribe(() => {
        const { list, chosen } = lastColumns.get() ?? {};
        const screen = screens.find(([, name]) => name === list)?.[0];
        if (screen) saver.save({ screen, names: chosen ? [...chosen] : null });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, loadedFor]);
  return operatorId !== undefined && loadedFor === operatorId;
}

/**
 * If the operator never saved preferences, those of this browser are kept, unless another operator used this browser
 * last.
 */
function applyPreferences(
  operatorId: string,
  { isDefault, timeZone: zone, colourScheme, columns }: PreferencesPartsFragment,
  setColorScheme: (value: MantineColorScheme) => void,
): void {
  const isOfAnother = !['', operatorId].includes(owner.get());
  owner.set(operatorId);
  if (isDefault && !isOfAnother) return;
  timeZone.set(!isDefault && isZone(zone) ? zone : OWN);
  setColorScheme(SCHEMES[colourScheme]);
  for (const [screen, list] of screens)
    chosenColumns(list).set(columns.find((one) => one.screen === screen)?.names ?? null);
}

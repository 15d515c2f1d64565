import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useClient } from 'urql';
import type { ColourScheme, PreferencesPartsFragment, Screen } from '../generated/documents.generated.ts';
import { colorScheme } from './color-scheme.ts';
import { chosenColumns, lastColumns, listsOfScreens } from './columns.ts';
import { preferencesKeeper } from './preferences-keeper.ts';
import { createKeptStore } from './store.ts';
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
 * as they are loaded.
 */
export function usePreferences({ operatorId, preferences }: Given): boolean {
  const client = useClient();
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const [takenFrom, setTakenFrom] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (operatorId === undefined || takenFrom === operatorId) return;
    if (preferences) takeOver(operatorId, preferences, setColorScheme);
    setTakenFrom(operatorId);
  }, [operatorId, preferences, takenFrom, setColorScheme]);
  useEffect(() => {
    if (takenFrom === null) return undefined;
    const keeper = preferencesKeeper(client);
    const stops = [
      timeZone.subscribe(() => keeper.keep()),
      colorScheme.subscribe(() => keeper.keep()),
      lastColumns.subscribe(() => {
        const { list, chosen } = lastColumns.get() ?? {};
        const screen = screens.find(([, name]) => name === list)?.[0];
        if (screen) keeper.keep({ screen, names: chosen ? [...chosen] : null });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, takenFrom]);
  return operatorId !== undefined && takenFrom === operatorId;
}

/** An operator who never chose anything has what this browser has, unless it is what another operator chose. */
function takeOver(
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

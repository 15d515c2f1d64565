import { localStorageColorSchemeManager, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';
import { createStore } from '../state/store.ts';

const kept = localStorageColorSchemeManager({ key: 'tidegate-colors' });

/** Light, dark or as the system says. */
export const colorScheme = createStore<MantineColorScheme>(kept.get('auto'));

/** Keeps the colours in the browser as well: public/color-scheme.js reads the same key before the first paint. */
export const colorSchemes: MantineColorSchemeManager = {
  ...kept,
  set: (value) => {
    kept.set(value);
    colorScheme.set(value);
  },
};

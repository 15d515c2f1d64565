import { localStorageColorSchemeManager, type MantineColorSchemeManager } from '@mantine/core';

/** Light, dark or as the system says. public/color-scheme.js reads the same key before the first paint. */
export const colorSchemes: MantineColorSchemeManager = localStorageColorSchemeManager({ key: 'tidegate-colors' });

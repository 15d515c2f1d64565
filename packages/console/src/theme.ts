import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const tide: MantineColorsTuple = [
  ...(['#eaf6f5', '#d3ebe9', '#a6d8d3', '#78c5be', '#4fb3aa'] as const),
  ...(['#2e9f95', '#17877e', '#0d746c', '#0a625e', '#074744'] as const),
];
const gray: MantineColorsTuple = [
  ...(['#f5f8f8', '#edf2f1', '#e3eaea', '#d7e0e0', '#c2cdcf'] as const),
  ...(['#8d9ba0', '#6a7a81', '#52626b', '#33434b', '#17232b'] as const),
];
const dark: MantineColorsTuple = [
  ...(['#e9eff1', '#c9d4d8', '#a7b6bd', '#7e8f97', '#3d4b53'] as const),
  ...(['#2c3940', '#222d34', '#182127', '#0f161a', '#0a0f12'] as const),
];

/** Colours of the checkout page, dense controls, no scroll lock (it would need inline styles). */
export const theme = createTheme({
  colors: { tide, gray, dark },
  black: '#17232b',
  primaryColor: 'tide',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: '"Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: { fontWeight: '620', sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' } } },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        // The header of a dialog must not count as the banner of the page.
        attributes: { header: { role: 'presentation' } },
        lockScroll: false,
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 120 },
      },
    },
    CloseButton: { defaultProps: { 'aria-label': 'Clear' } },
    Popover: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md' } },
    Menu: {
      // Within its landmark, and with menu items alone as children.
      defaultProps: {
        withinPortal: false,
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 80 },
        shadow: 'md',
      },
    },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, multiline: true, maw: 320 } },
  },
});

/** Fixes contrasts: Mantine's dimmed text, placeholders and errors are too light for WCAG AA. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#52626b',
    '--mantine-color-placeholder': '#627279',
    '--mantine-color-error': '#9c2323',
    '--mantine-color-anchor': '#0a625e',
    '--mantine-color-default-border': '#c2cdcf',
    '--mantine-color-disabled-color': '#627279',
  },
  dark: {
    '--mantine-color-body': '#182127',
    '--mantine-color-dimmed': '#a7b6bd',
    '--mantine-color-placeholder': '#92a2a9',
    '--mantine-color-error': '#f59a9a',
    '--mantine-color-anchor': '#78c5be',
    '--mantine-color-default': '#1d272e',
    '--mantine-color-default-border': '#3d4b53',
    '--mantine-color-disabled-color': '#92a2a9',
  },
});

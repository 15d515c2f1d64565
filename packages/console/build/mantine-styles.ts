import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import type { Plugin } from 'vite';
import { cssVariables, theme } from '../src/theme.ts';

const THEME_CSS = 'virtual:mantine-theme.css';
const BASE_STYLES = ['baseline', 'default-css-variables', 'global'];
const styles = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), 'styles');

/**
 * Makes Mantine work without inline styles, which the content security policy forbids:
 * - The theme's variables and the classes for screen sizes become a style sheet.
 * - Each component brings its own style sheet, in the layer `mantine`.
 * - Inline style elements become constructed style sheets.
 *
 * It relies on files inside Mantine. The build fails if a new version has moved them.
 */
export function mantineStyles(): Plugin {
  let isReplaced = false;
  let isStyled = false;
  return {
    name: 'mantine-styles',
    resolveId: (id) => (id === THEME_CSS ? `\0${THEME_CSS}` : undefined),
    load: (id) => (id === `\0${THEME_CSS}` ? themeCss() : undefined),
    transform(code, id) {
      if (/\/core\/InlineStyles\/InlineStyles\.mjs$/.test(id)) {
        isReplaced = true;
        if (!code.includes('dangerouslySetInnerHTML') || !code.includes('stylesToString(props)'))
          this.error('InlineStyles of Mantine has changed: adapt mantine-styles.ts');
        return { code: INLINE_STYLES, map: null };
      }
      const component = id.includes('/@mantine/core/') ? /\/([A-Z]\w*)\.module\.mjs$/.exec(id)?.[1] : undefined;
      if (component === undefined) return undefined;
      const sheet = `${component}.layer.css`;
      if (!existsSync(join(styles, sheet))) return undefined;
      isStyled = true;
      return { code: `import '@mantine/core/styles/${sheet}';\n${code}`, map: null };
    },
    buildEnd(error) {
      if (!error && !isReplaced && this.environment.mode === 'build')
        this.error('InlineStyles of Mantine was not found: adapt mantine-styles.ts');
      if (!error && !isStyled && this.environment.mode === 'build')
        this.error('No style sheet of a component of Mantine was found: adapt mantine-styles.ts');
    },
  };
}

function themeCss(): string {
  const whole = mergeMantineTheme(DEFAULT_THEME, theme);
  const variables = deepMerge(defaultCssVariablesResolver(whole), cssVariables(whole));
  const base = BASE_STYLES.map((name) => readFileSync(join(styles, `${name}.layer.css`), 'utf8'));
  const screenSizes = Object.entries(whole.breakpoints).flatMap(([name, size]) => [
    `@media (max-width: calc(${size} - 0.1px)) {.mantine-visible-from-${name} {display: none !important;}}`,
    `@media (min-width: ${size}) {.mantine-hidden-from-${name} {display: none !important;}}`,
  ]);
  return [...base, convertCssVariables(variables), ...screenSizes].join('\n');
}

const INLINE_STYLES = `
import { useInsertionEffect } from 'react';
import { stylesToString } from './styles-to-string/styles-to-string.mjs';

const sheets = new Map();

function adopt(css) {
  const held = sheets.get(css);
  if (held) {
    held.uses += 1;
    return;
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  sheets.set(css, { sheet, uses: 1 });
}

function release(css) {
  const held = sheets.get(css);
  if (!held || (held.uses -= 1) > 0) return;
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== held.sheet);
  sheets.delete(css);
}

export function InlineStyles({ deduplicate, ...props }) {
  const css = stylesToString(props);
  useInsertionEffect(() => {
    adopt(css);
    return () => release(css);
  }, [css]);
  return null;
}
`;

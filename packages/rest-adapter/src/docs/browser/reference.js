// Shows the document by Redoc, which knows no colour schemes: it gets the colours of the present scheme, and is started again when that changes.
const fonts = {
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  mono: 'ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
};
const schemes = {
  light: {
    page: '#ffffff',
    card: '#f4f7f8',
    ink: '#17232b',
    soft: '#4c5b64',
    line: '#dbe3e6',
    accent: '#0a625e',
    good: '#11643a',
    bad: '#b42318',
    warn: '#8f5600',
    code: '#8f2a2a',
    samples: '#17232b',
  },
  dark: {
    page: '#0f161a',
    card: '#182127',
    ink: '#e6edf0',
    soft: '#a7b6bd',
    line: '#2c3940',
    accent: '#6fd3c9',
    good: '#7fd8a4',
    bad: '#f59a9a',
    warn: '#f0bf6d',
    code: '#f5b3b3',
    samples: '#141c21',
  },
};

function themeOf({ page, card, ink, soft, line, accent, good, bad, warn, code, samples }) {
  const result = (color) => ({ color, backgroundColor: card, tabTextColor: color });
  return {
    colors: {
      primary: { main: accent },
      success: { main: good },
      error: { main: bad },
      warning: { main: warn },
      gray: { 50: card, 100: card },
      text: { primary: ink, secondary: soft },
      border: { dark: line, light: line },
      responses: {
        success: { ...result(good), tabTextColor: '#7fd8a4' },
        error: { ...result(bad), tabTextColor: '#f59a9a' },
      },
    },
    schema: {
      linesColor: line,
      nestedBackground: card,
      typeNameColor: soft,
      requireLabelColor: bad,
      arrow: { color: soft },
    },
    typography: {
      fontSize: '15px',
      fontFamily: fonts.fontFamily,
      headings: { fontFamily: fonts.fontFamily, fontWeight: '600' },
      code: { fontFamily: fonts.mono, color: code, backgroundColor: card },
      links: { color: accent, visited: accent, hover: accent },
    },
    sidebar: {
      backgroundColor: page,
      textColor: soft,
      activeTextColor: accent,
      arrow: { color: soft },
      groupItems: { activeBackgroundColor: card, activeTextColor: accent },
      level1Items: { activeBackgroundColor: card, activeTextColor: accent },
    },
    rightPanel: {
      backgroundColor: samples,
      textColor: '#e6edf0',
      servers: { overlay: { backgroundColor: card, textColor: ink }, url: { backgroundColor: page } },
    },
    codeBlock: { backgroundColor: '#0b1114' },
    fab: { backgroundColor: card, color: accent },
  };
}

const rest = {
  hideDownloadButton: false,
  expandResponses: '200',
  requiredPropsFirst: false,
  nativeScrollbars: true,
  // The search of these pages finds operations too.
  scrollYOffset: '.top',
  disableSearch: true,
};
let shown;

function show(scheme) {
  if (scheme === shown) return;
  shown = scheme;
  document.documentElement.dataset.shown = scheme;
  const place = document.createElement('div');
  document.getElementById('content').replaceChildren(place);
  Redoc.init('/docs/openapi.json', { ...rest, theme: themeOf(schemes[scheme]) }, place);
}

document.documentElement.addEventListener('themechange', ({ detail }) => show(detail));

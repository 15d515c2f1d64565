import { guidePath, guides } from './guides.ts';

export interface PageParts {
  title: string;
  path: string;
  /** The content, as trusted HTML. */
  body: string;
  /** `wide`: the content has its own navigation and uses the whole width. */
  layout?: 'text' | 'wide';
}

const places = [
  { path: '/docs', title: 'Guides' },
  { path: '/docs/reference', title: 'Reference' },
  { path: '/docs/doctor', title: 'Doctor' },
];

const link = (path: string, title: string, isCurrent: boolean): string =>
  `<a href="${path}"${isCurrent ? ' aria-current="page"' : ''}>${title}</a>`;

/** A whole page of the documentation. */
export function renderPage({ title, path, body, layout = 'text' }: PageParts): string {
  const isGuide = guides.some(({ name }) => guidePath(name) === path);
  const links = places.map((place) =>
    place.path === '/docs'
      ? `<a href="/docs"${isGuide ? ' class="current"' : ''}>Guides</a>`
      : link(place.path, place.title, place.path === path),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tidegate</title>
<link rel="icon" href="data:,">
<script src="/docs/theme.js"></script>
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body class="${layout}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="/docs">Tidegate <span>docs</span></a>
<nav class="places" aria-label="Documentation">${links.join('\n')}</nav>
<button type="button" id="search" aria-keyshortcuts="/">Search <kbd aria-hidden="true">/</kbd></button>
<button type="button" id="theme" aria-label="Switch the colours"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9" /><path d="M12 3a9 9 0 0 1 0 18z" /></svg></button>
</header>
${layout === 'wide' ? body : textLayout(path, body, isGuide)}
<div id="announcements" aria-live="polite"></div>
<script type="module" src="/docs/docs.js"></script>
</body>
</html>
`;
}

function textLayout(path: string, body: string, isGuide: boolean): string {
  const links = guides.map(({ name, title }) => link(guidePath(name), title, guidePath(name) === path));
  return `<div class="frame">
<div class="side"><button type="button" id="menu" aria-expanded="false" aria-controls="guides">All guides</button>
<nav id="guides" aria-label="Guides">${links.join('\n')}</nav></div>
<main id="content" class="text" tabindex="-1">${body}${isGuide ? neighbours(path) : ''}</main>
${contents(body)}</div>`;
}

/** The table of contents of a page with several sections. */
function contents(body: string): string {
  const headings = [...body.matchAll(/<h([23]) id="([^"<>]{1,200})">/g)].map((found) => {
    const [tag, depth = '', id = ''] = found;
    const start = found.index + tag.length;
    return { depth, id, html: body.slice(start, body.indexOf(`</h${depth}>`, start)) };
  });
  const most = headings.length > 16 ? '2' : '3';
  const items = headings.flatMap(({ depth, id, html }) =>
    depth > most ? [] : `<li class="depth-${depth}"><a href="#${id}">${html.replaceAll(/<[^<>]+>/g, '')}</a></li>`,
  );
  if (items.length < 2) return '';
  return `<nav class="contents" aria-labelledby="contents-title"><p id="contents-title">On this page</p><ul>${items.join('\n')}</ul></nav>`;
}

function neighbours(path: string): string {
  const at = guides.findIndex(({ name }) => guidePath(name) === path);
  const [before, after] = [guides[at - 1], guides[at + 1]];
  const links = [
    before && `<a href="${guidePath(before.name)}">← Previous: ${before.title}</a>`,
    after && `<a class="next" href="${guidePath(after.name)}">Next: ${after.title} →</a>`,
  ];
  return `<nav class="neighbours" aria-label="Previous and next guide">${links.filter(Boolean).join('\n')}</nav>`;
}

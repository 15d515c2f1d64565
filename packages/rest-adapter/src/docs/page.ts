/** A place of the documentation in its navigation. */
export interface NavigationEntry {
  path: string;
  title: string;
}

/** A whole page; `body` is HTML of ours. */
export function renderPage(title: string, body: string, navigation: readonly NavigationEntry[], path: string): string {
  const links = navigation.map((entry) => {
    const current = entry.path === path ? ' aria-current="page"' : '';
    return `<a href="${entry.path}"${current}>${entry.title}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tidegate</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<nav aria-label="Documentation">${links.join('\n')}</nav>
${body}
</body>
</html>
`;
}

export const styles = `body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: #1b1f24; background: #fff; }
nav { position: sticky; top: 0; z-index: 10; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.25rem; background: #0b2545; }
nav a { color: #e6edf7; text-decoration: none; }
nav a[aria-current] { color: #fff; font-weight: 600; border-bottom: 2px solid #fff; }
nav a:focus-visible { outline: 2px solid #fff; outline-offset: 2px; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
h1, h2, h3 { line-height: 1.25; }
code { font: .9em ui-monospace, monospace; background: #f1f3f6; padding: .1em .25em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: #f1f3f6; padding: .75rem 1rem; overflow-x: auto; border-radius: 4px; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem; border-bottom: 1px solid #d7dce3; }
.note { padding: 1rem 1.25rem; }
`;

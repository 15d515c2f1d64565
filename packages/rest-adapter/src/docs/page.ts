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

/**
 * Everything below `nav` is for pages of our own text (`main.text`): the reference's renderer brings its own styles, and its samples
 * are unreadable on ours.
 */
export const styles = `body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: #1b1f24; background: #fff; }
nav { position: sticky; top: 0; z-index: 10; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.25rem; background: #0b2545; }
nav a { color: #e6edf7; text-decoration: none; }
nav a[aria-current] { color: #fff; font-weight: 600; border-bottom: 2px solid #fff; }
nav a:focus-visible { outline: 2px solid #fff; outline-offset: 2px; }
.text { max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
.text h1, .text h2, .text h3 { line-height: 1.25; scroll-margin-top: 4rem; }
.text code { font: .9em ui-monospace, monospace; background: #f1f3f6; padding: .1em .25em; border-radius: 3px; overflow-wrap: anywhere; }
.text pre { background: #f1f3f6; padding: .75rem 1rem; overflow-x: auto; border-radius: 4px; }
.text pre code { padding: 0; background: none; overflow-wrap: normal; }
.table { overflow-x: auto; }
.text table { border-collapse: collapse; }
.text th, .text td { text-align: left; vertical-align: top; padding: .35rem .75rem; border-bottom: 1px solid #d7dce3; }
.text label { display: block; margin-top: 1.25rem; font-weight: 600; }
.hint { margin: .15rem 0; color: #4a5360; }
.text textarea { box-sizing: border-box; width: 100%; padding: .5rem; border: 1px solid #7a8594; border-radius: 4px; font: .9em ui-monospace, monospace; }
.text button { padding: .5rem 1.5rem; border: 0; border-radius: 4px; font: inherit; font-weight: 600; color: #fff; background: #0b2545; cursor: pointer; }
.text button:focus-visible, .text textarea:focus-visible, .text a:focus-visible { outline: 2px solid #1f6feb; outline-offset: 2px; }
.finding { margin: 1rem 0; padding: .1rem 1rem .5rem; border-left: 4px solid #7a8594; }
.finding pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.finding h3 { margin: .5rem 0; font-size: 1rem; }
.finding.wrong { border-color: #b42318; }
.finding.suspect { border-color: #b26a00; }
.finding.right { border-color: #1a7f37; }
.note { padding: 1rem 1.25rem; }
@media (max-width: 40rem) {
nav { position: static; }
.text h1, .text h2, .text h3 { scroll-margin-top: 1rem; }
.text th, .text td { padding: .3rem .4rem; font-size: .875rem; }
}
`;

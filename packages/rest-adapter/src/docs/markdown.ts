import GithubSlugger from 'github-slugger';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import { Marked, type Token, type Tokens } from 'marked';

for (const [name, language] of Object.entries({ sh: bash, go, java, js: javascript, php, python }))
  hljs.registerLanguage(name, language);

/** Markdown as HTML: headings have anchors, code is coloured, and consecutive blocks with `tab=NAME` become tabs. */
export function renderMarkdown(text: string): string {
  const slugger = new GithubSlugger();
  const marked = new Marked({
    renderer: {
      code: (token) => showCode(token),
      heading({ depth, tokens }) {
        const html = this.parser.parseInline(tokens);
        return depth === 1 ? `<h1>${html}</h1>\n` : showHeading(depth, html, slugger);
      },
    },
  });
  const html = marked.parser(joinTabs(marked.lexer(text)));
  // A block that is wider than the page can be scrolled, also by the keyboard.
  return html.replaceAll('<table>', '<div class="table" tabindex="0"><table>').replaceAll('</table>', '</table></div>');
}

/** Has the same anchor as in the repository. */
function showHeading(depth: number, html: string, slugger: GithubSlugger): string {
  const anchor = slugger.slug(html.replaceAll(/<[^<>]+>|&[#\w]+;/g, ''));
  return `<h${depth} id="${anchor}">${html}</h${depth}>\n`;
}

function showCode({ text, lang = '' }: { text: string; lang?: string | undefined }): string {
  const [language = '', ...words] = lang.split(' ');
  const html = hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escapeHtml(text);
  const file = words.find((word) => word.startsWith('file='))?.slice('file='.length);
  const name = file === undefined ? '' : `<p class="file-name">${escapeHtml(file)}</p>`;
  return `<div class="code">${name}<pre tabindex="0"><code>${html}\n</code></pre></div>\n`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const tabOf = (token: Token): string | undefined =>
  token.type === 'code' ? /(?:^| )tab=(\S+)/.exec(token.lang ?? '')?.[1]?.replaceAll('_', ' ') : undefined;

/** Joins consecutive code blocks with tabs into one token. */
function joinTabs(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  let open: Tokens.Code[] = [];
  let groups = 0;
  const close = (): void => {
    if (open.length === 0) return;
    groups += 1;
    joined.push({ type: 'html', raw: '', text: showTabs(open, groups), pre: false, block: true });
    open = [];
  };
  for (const token of tokens) {
    if (tabOf(token) !== undefined) open.push(token as Tokens.Code);
    else if (token.type !== 'space') {
      close();
      joined.push(token);
    }
  }
  close();
  return joined;
}

/** Every panel is in the page; a script shows the chosen one. */
function showTabs(blocks: readonly Tokens.Code[], group: number): string {
  const languages = [...new Set(blocks.map((block) => tabOf(block) ?? ''))];
  const tabs = languages.map((language, at) => {
    const state = `aria-selected="${at === 0}"${at === 0 ? '' : ' tabindex="-1"'}`;
    return `<button type="button" role="tab" id="tab-${group}-${at}" aria-controls="panel-${group}-${at}" ${state}>${language}</button>`;
  });
  const panels = languages.map((language, at) => {
    const code = blocks.filter((block) => tabOf(block) === language).map(showCode);
    const chosen = at === 0 ? ' chosen' : '';
    return `<div class="panel${chosen}" role="tabpanel" id="panel-${group}-${at}" aria-labelledby="tab-${group}-${at}"><p class="language">${language}</p>\n${code.join('')}</div>`;
  });
  return `<div class="tabs"><div role="tablist" aria-label="Language">${tabs.join('')}</div>\n${panels.join('\n')}</div>\n`;
}

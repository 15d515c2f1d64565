import GithubSlugger from 'github-slugger';

/** Reads pages and sources without moving their text: parts that are left out become blanks. */

const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');

/** The number of the line, from 1, in which `at` lies. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/** A page without its blocks of code and its comments. */
export function proseOf(page: string): string {
  return page.replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2 *$|<!--[\s\S]*?-->/gm, blank);
}

/** The comments of a source file. A `//` within a string counts too: better too much is checked than too little. */
export function commentsOf(text: string, path: string): string {
  const pattern = /\.(ts|mts|mjs|js|css)$/.test(path)
    ? /\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm
    : /(?:^|\s)(#|--|;) .*$/gm;
  let at = 0;
  let comments = '';
  for (const match of text.matchAll(pattern)) {
    comments += blank(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return comments + blank(text.slice(at));
}

/** The anchors that GitHub gives to the headings of a page. */
export function headingAnchors(page: string): Set<string> {
  const slugger = new GithubSlugger();
  const headings = proseOf(page).matchAll(/^#{1,6} +(.+?) *#*$/gm);
  const textOf = (heading: string) => heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return new Set([...headings].map(([, heading = '']) => slugger.slug(textOf(heading))));
}

// What every page of the documentation does in a browser. Without it all text can be read.
import { addCopyButtons } from '/docs/copy.js';
import { startTabs } from '/docs/tabs.js';

const root = document.documentElement;

addCopyButtons();
startTabs();
startThemeSwitch();
startMenu();
markSection();
startSearch();

/** A choice is remembered; without one the system's scheme applies. */
function startThemeSwitch() {
  const button = document.querySelector('#theme');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const current = () => root.dataset.theme ?? (dark.matches ? 'dark' : 'light');
  const other = () => (current() === 'dark' ? 'light' : 'dark');
  const show = () => {
    button.setAttribute('aria-label', `Switch to ${other()} colours`);
    root.dispatchEvent(new CustomEvent('themechange', { detail: current() }));
  };
  button.addEventListener('click', () => {
    root.dataset.theme = other();
    localStorage.setItem('tidegate-docs-theme', root.dataset.theme);
    show();
  });
  dark.addEventListener('change', show);
  show();
}

/** Starts the button that opens the list of guides on a phone. */
function startMenu() {
  const button = document.querySelector('#menu');
  button?.addEventListener('click', () => {
    const isOpen = root.classList.toggle('menu-open');
    button.setAttribute('aria-expanded', String(isOpen));
  });
}

/** Marks the section that is read in the contents of the page. */
function markSection() {
  const links = new Map([...document.querySelectorAll('.contents a')].map((link) => [link.hash.slice(1), link]));
  if (links.size === 0) return;
  const headings = [...links.keys()].map((id) => document.getElementById(id));
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 140);
    const current = (passed.at(-1) ?? headings[0]).id;
    for (const [id, link] of links)
      if (id === current) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
  };
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  mark();
}

/** The search is loaded when it is first opened: by its button, `/`, or Ctrl and K. */
function startSearch() {
  const open = async () => {
    const { openSearch } = await import('/docs/search.js');
    openSearch();
  };
  document.querySelector('#search').addEventListener('click', open);
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isSlash && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
}

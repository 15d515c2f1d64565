import MiniSearch from '/docs/minisearch.js';
import { index, options } from '/docs/search-index.js';

const MOST = 12;
const search = MiniSearch.loadJSON(index, options);

let dialog;

/** Opens the search over guides, error codes and the reference. */
export function openSearch() {
  dialog ??= makeDialog();
  if (!dialog.open) dialog.showModal();
  dialog.querySelector('input').select();
}

function makeDialog() {
  const made = document.createElement('dialog');
  made.className = 'search';
  made.setAttribute('aria-label', 'Search');
  made.innerHTML = `<input inputmode="search" role="combobox" aria-label="Search the documentation" aria-expanded="true" aria-controls="found"
 placeholder="Search guides, error codes, fields" autocomplete="off" spellcheck="false">
<div id="found" role="listbox" aria-label="Results"></div><p class="hint"></p>`;
  const [input, list, hint] = made.children;
  const show = () => {
    const found = input.value.trim() === '' ? [] : search.search(input.value).slice(0, MOST);
    list.replaceChildren(...found.map(showResult));
    hint.textContent = hintFor(input.value.trim(), found.length);
    choose(input, list.firstElementChild);
  };
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const chosen = list.querySelector('[aria-selected=true]');
    if (event.key === 'Enter') chosen?.click();
    const next = { ArrowDown: chosen?.nextElementSibling, ArrowUp: chosen?.previousElementSibling }[event.key];
    if (next == null) return;
    event.preventDefault();
    choose(input, next);
  });
  made.addEventListener('click', ({ target }) => {
    if (target === made || target.closest('a') !== null) made.close();
  });
  document.body.append(made);
  show();
  return made;
}

function hintFor(wanted, count) {
  if (wanted === '') return 'Try “signature”, “40103” or “bankCode”.';
  return count === 0 ? `Nothing was found for “${wanted}”.` : '↑ ↓ to choose, Enter to open, Esc to close';
}

function showResult({ id, title, page, text }, at) {
  const link = document.createElement('a');
  link.href = id;
  link.id = `found-${at}`;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  for (const [className, content] of Object.entries({ 'found-title': title, 'found-page': page, 'found-text': text })) {
    const part = document.createElement('span');
    part.className = className;
    part.textContent = content;
    link.append(part);
  }
  return link;
}

function choose(input, option) {
  for (const one of option?.parentElement.children ?? []) one.setAttribute('aria-selected', String(one === option));
  if (option == null) return input.removeAttribute('aria-activedescendant');
  input.setAttribute('aria-activedescendant', option.id);
  option.scrollIntoView({ block: 'nearest' });
}

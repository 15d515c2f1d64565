const KEPT_AS = 'tidegate-docs-language';

/** Shows one language of each example. The choice holds for all examples, and is remembered. */
export function startTabs() {
  for (const list of document.querySelectorAll('[role=tablist]')) {
    const tabs = [...list.children];
    list.addEventListener('click', ({ target }) => tabs.includes(target) && choose(target));
    list.addEventListener('keydown', (event) => {
      const next = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      choose(tabs[(tabs.indexOf(document.activeElement) + next + tabs.length) % tabs.length]);
      document.activeElement.closest('[role=tablist]')?.querySelector('[aria-selected=true]').focus();
    });
  }
  const kept = localStorage.getItem(KEPT_AS);
  if (kept !== null) show(kept);
}

/** What was under the finger stays there, though examples above it may become longer or shorter. */
function choose(tab) {
  const before = tab.getBoundingClientRect().top;
  show(tab.textContent);
  localStorage.setItem(KEPT_AS, tab.textContent);
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
}

function show(language) {
  for (const list of document.querySelectorAll('[role=tablist]')) {
    const tabs = [...list.children];
    if (!tabs.some(({ textContent }) => textContent === language)) continue;
    for (const tab of tabs) {
      const isChosen = tab.textContent === language;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).classList.toggle('chosen', isChosen);
    }
  }
}

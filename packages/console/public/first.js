// What is done before the scripts of the page are there. The content security policy allows no script within the page.

// Asks who is signed in. src/session/session.ts takes the answer: it is there when the scripts are.
window.tidegateSession = fetch('/console/session', {
  headers: { 'x-tidegate-console': '1' },
  signal: AbortSignal.timeout(15_000),
}).catch(() => null);

// Sets the colours before the first paint. The same key is in src/preferences/color-scheme.ts.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem('tidegate-colors');
  } catch {
    // Storage is blocked: follow the system.
  }
  const isDark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();

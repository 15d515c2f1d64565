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

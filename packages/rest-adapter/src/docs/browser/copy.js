const SHOWN_FOR_MS = 2_000;

/** Every block of code gets a button that copies it. */
export function addCopyButtons() {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await copy(block.querySelector('code'));
      button.textContent = 'Copied';
      announce('Copied to the clipboard');
      setTimeout(() => {
        button.textContent = 'Copy';
      }, SHOWN_FOR_MS);
    });
    block.append(button);
  }
}

/** Browsers have a clipboard on https:// and on this machine only; elsewhere the older command copies what is selected. */
async function copy(code) {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(code.textContent.replace(/\n$/, ''));
  const selection = getSelection();
  selection.selectAllChildren(code);
  document.execCommand('copy');
  selection.removeAllRanges();
}

function announce(text) {
  document.querySelector('#announcements').textContent = text;
}

// Runs before the page is shown, so that no page flashes in the wrong colours.
document.documentElement.classList.add('js');
const chosenTheme = localStorage.getItem('tidegate-docs-theme');
if (chosenTheme !== null) document.documentElement.dataset.theme = chosenTheme;

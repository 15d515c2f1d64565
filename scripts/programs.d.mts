/** The path of the browser that tests use; undefined if none is installed. */
export function findBrowser(): string | undefined;

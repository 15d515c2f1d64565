// Finds programs on the PATH. Plain JavaScript: an older Node reads it too.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Either of them serves. The first has no windows: a page takes it three quarters of the processor time. */
export const BROWSERS = ['chromium-headless-shell', 'chromium'];

/** The path of a program; undefined if it is not installed. */
export function findOnPath(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The path of the browser that tests use; undefined if none is installed. */
export function findBrowser() {
  return BROWSERS.map(findOnPath).find((path) => path !== undefined);
}

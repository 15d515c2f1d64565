/** The version of this package, as its package.json says it: a test compares the two. */
export const VERSION = '0.1.0';

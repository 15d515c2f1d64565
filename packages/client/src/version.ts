/** The version of this package. A test compares it with package.json. */
export const VERSION = '1.0.0';

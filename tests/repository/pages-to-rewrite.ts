/** Pages with sentences of more than 25 words. The list only gets shorter. */
export const PAGES_TO_REWRITE: readonly string[] = [];

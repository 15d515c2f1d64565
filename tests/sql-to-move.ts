/** Files whose SQL is still to be moved to the `statements.ts` of their capability. Nothing is added here. */
export const SQL_TO_MOVE: readonly string[] = [];

/** The schema's description of the argument `expectedVersion`. `creates`: the operation may also create the row. */
export function expectedVersion(versioned: string, creates = false): string {
  const creating = creates ? ' `new`: there was none.' : '';
  return `\`version\` of the ${versioned} that you saw.${creating} If it has changed since, nothing is done: VERSION_OUTDATED. Default: any.`;
}

/** The version that the caller saw; undefined if the argument is null or left out. */
export function versionGiven(args: { expectedVersion?: string | null | undefined }): string | undefined {
  return args.expectedVersion ?? undefined;
}

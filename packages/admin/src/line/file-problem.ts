/** Errors of the file system, and of the reading of a compressed file. */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'you may not read or write it',
  EPERM: 'you may not read or write it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'it exists already',
  ENOTEMPTY: 'it is not empty',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EROFS: 'the disk cannot be written',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk does not work',
  ERR_INVALID_ARG_VALUE: 'its name is no name of a file',
  Z_DATA_ERROR: 'it is no whole gzip file',
  Z_BUF_ERROR: 'it is no whole gzip file',
};

/** What is wrong with a file or folder, in words; null if the error is about none. */
export function fileProblem(error: unknown): string | null {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code !== 'string') return null;
  return words[code] ?? (isOfFiles(syscall) ? 'the system refuses it' : null);
}

function isOfFiles(syscall: string | undefined): boolean {
  return (
    syscall !== undefined && /^(?:open|read|write|stat|mkdir|scandir|rename|access|chmod|fsync|close)$/.test(syscall)
  );
}

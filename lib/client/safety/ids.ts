/** Longest id of a record that is taken; those of real deployments have 36 characters. */
const LONGEST = 256;
/** Control, format and unpaired characters, line ends, and what servers may read as part of a path. */
const UNUSABLE = /[\p{C}\p{Zl}\p{Zp}/\\?#;%]/u;

/** True for an id that names one record in a path, however a server reads it: bounded, well-formed and without separators. */
export function isUsableId(id: string): boolean {
  return id !== '' && id === id.trim() && id.length <= LONGEST && id !== '.' && id !== '..' && !UNUSABLE.test(id);
}

export const isPattern = (name: string): boolean => name.includes('*');

/** True if a pattern, in which `*` stands for any characters, fits a text. */
export function fits(pattern: string, text: string): boolean {
  if (pattern === text) return true;
  if (!isPattern(pattern)) return false;
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(text);
}

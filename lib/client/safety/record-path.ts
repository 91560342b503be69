/** Family and id in the path of a request for one record, as `encodeURIComponent` writes them; undefined for any other path. */
export function recordInPath(path: string): { readonly family: string; readonly id: string } | undefined {
  const [, , , family, segment, more] = path.split('?')[0]?.split('/') ?? [];
  if (family === undefined || segment === undefined || more !== undefined) return undefined;
  try {
    const id = decodeURIComponent(segment);
    return encodeURIComponent(id) === segment ? { family, id } : undefined;
  } catch {
    return undefined;
  }
}

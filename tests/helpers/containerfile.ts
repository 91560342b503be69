/** Reads the stages of a Containerfile: instructions in their order, with their continued lines joined. */
export function stagesOf(text: string) {
  const lines = text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const stages: { name: string; from: string; instructions: { name: string; value: string }[] }[] = [];
  for (const line of lines) {
    const [, name = '', value = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    const [from = '', as = ''] = value.split(' AS ');
    if (name === 'FROM') stages.push({ name: as, from, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, value });
  }
  return stages;
}

/** Values of a line such as `ENV A=b C="d e"`. */
export const pairsOf = (value: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...value.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, key, a, b]) => [key, a ?? b ?? '']));

export const valuesOf = (stage: ReturnType<typeof stagesOf>[number] | undefined, name: string): readonly string[] =>
  stage?.instructions.flatMap((one) => (one.name === name ? [one.value] : [])) ?? [];

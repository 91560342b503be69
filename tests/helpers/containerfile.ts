/** One stage of a Containerfile; instructions in their order, with their continued lines joined. */
type Stage = ReturnType<typeof stagesOf>[number];

/** Reads the stages of a Containerfile. */
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

export const valuesOf = (stage: Stage | undefined, name: string): readonly string[] =>
  stage?.instructions.flatMap((one) => (one.name === name ? [one.value] : [])) ?? [];

/**
 * A shell script, for root in a mount namespace of its own, that carries out the instructions of a stage in a copy-on-write view of
 * this machine: what the image of the stage would bring has to be here already. `root` gets the view.
 */
export function stageScript(stage: Stage, root: string, context: string): string {
  const within = (folder: string, command: string) =>
    `env ${env.join(' ')} unshare --root=${root} --wd=${folder} sh -euc '${command.replaceAll("'", "'\\''")}'`;
  const env: string[] = [];
  let folder = '/';
  const steps = stage.instructions.map(({ name, value }) => {
    if (name === 'COPY')
      return `cp ${value
        .split(' ')
        .map((path, at) => (at === 0 ? `${context}/${path}` : root + path))
        .join(' ')}`;
    if (name === 'WORKDIR') {
      folder = value;
      return `mkdir -p ${root}${value}`;
    }
    if (name === 'ENV') {
      env.push(...Object.entries(pairsOf(value)).map(([key, text]) => `${key}=${text}`));
      return '';
    }
    if (name === 'RUN') return within(folder, value);
    throw new Error(`${name} is not carried out here`);
  });
  return [
    'set -eu',
    `mkdir -p ${root}.layer && mount -t tmpfs tmpfs ${root}.layer && mkdir -p ${root} ${root}.layer/up ${root}.layer/work`,
    `mount -t overlay overlay -o lowerdir=/,upperdir=${root}.layer/up,workdir=${root}.layer/work ${root}`,
    `mount --rbind /dev ${root}/dev && mount -t proc proc ${root}/proc`,
    ...steps,
  ].join('\n');
}

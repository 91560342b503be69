import { resolve } from 'node:path';
import { addSecretMembers } from '../client/redaction/redact.ts';
import { FAMILIES } from '../contract/families.ts';
import { type ImportedFamily, registerFamilies, secretNames } from '../contract/register.ts';
import { type Family, type Field, type FieldType, fieldsOf as membersOf } from '../contract/types.ts';
import { defined } from '../defined.ts';
import type { UsageError } from '../errors.ts';
import { YamlFile } from '../yaml-file.ts';
import { FamiliesFile, type FamilyFile, type FieldFile } from './file.ts';

/** Families of a whole product take this much; more is something else. */
const MOST_BYTES = 2 * 1024 * 1024;

/** A member of the file in the type of the contract. A secret that bodies need is in no answer. */
function fieldOf(name: string, { required, readOnly, secret, nullable, oneOf, ...given }: FieldFile): Field {
  const type: FieldType = oneOf === undefined ? given.type : { oneOf };
  const { form, limits, samples, members } = given;
  const isUuid = name === 'id' || (given.refersTo !== undefined && given.refersBy === undefined);
  return {
    type,
    ...(required === true && secret !== true ? { required } : {}),
    ...(secret === true ? { secret } : {}),
    ...(nullable === true ? { nullable } : {}),
    ...defined({
      sentOn: readOnly === true ? ('never' as const) : name === 'id' ? ('update' as const) : given.sentOn,
      form: form ?? (isUuid ? ('uuid' as const) : undefined),
      limits,
      samples,
      refersTo: given.refersTo,
      refersBy: given.refersBy,
    }),
    ...(members === undefined ? {} : { members: fieldsOf(members) }),
  };
}

function fieldsOf(fields: Readonly<Record<string, FieldFile>>): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(name, field)]));
}

/** Member that a record is recognized by: its name, else the first text that takes any. */
function nameOf(fields: Readonly<Record<string, Field>>): string | undefined {
  const isFree = ({ type, form, secret, refersTo, sentOn }: Field) =>
    type === 'string' && form === undefined && secret !== true && refersTo === undefined && sentOn === undefined;
  const texts = Object.keys(fields).filter((member) => isFree(fields[member] as Field));
  return 'name' in fields ? undefined : (texts.find((member) => member !== 'description') ?? texts[0]);
}

/** True for what an answer need not show as it was sent: what a definition takes in one body alone, the other may undo. Secrets inside are left out by themselves. */
const isOneWay = ({ writeOnly, sentOn, members = {} }: FieldFile): boolean =>
  writeOnly === true || sentOn !== undefined || Object.values(members).some(isOneWay);

const byPath = (fields: Readonly<Record<string, FieldFile>>, prefix = ''): readonly [string, FieldFile][] =>
  Object.entries(fields).flatMap(([name, field]): [string, FieldFile][] => [
    [`${prefix}${name}`, field],
    ...byPath(field.members ?? {}, `${prefix}${name}.`),
  ]);

function familyOf(name: string, file: FamilyFile): ImportedFamily {
  const fields = fieldsOf(file.fields);
  const names = (takes: (field: Field, member: string) => boolean) =>
    Object.keys(fields).filter((member) => takes(fields[member] as Field, member));
  const bodies = names(
    ({ sentOn }, member) => file.fields[member]?.required === true && (sentOn ?? 'create') === 'create',
  );
  // A filter on something that no member holds: a record may still show it.
  const queried = [...file.filters, ...file.sorts].filter((field) => !(file.reads?.[field] ?? field in fields));
  return {
    family: {
      ...{ name, title: `${file.title} (imported)`, versions: [] },
      ...{ imported: file.definition, ops: file.operations, fields, filters: file.filters, sorts: file.sorts },
      roots: defined({ resource: file.root, bulk: file.bulkRoot }),
    },
    facts: {
      mediaType: file.mediaType ?? `${name}.1.0`,
      versionInfo: file.versions ?? { current: '1.0', supported: '1.0' },
      listMembers: file.listed ?? ['name', 'description'].filter((member) => member in fields),
      members: Object.fromEntries(queried.map((field) => [field, 'string' as const])),
      unique: file.unique ?? names((_, member) => member === 'name'),
      requiredOnCreate: bodies,
      // A definition says what a body needs. Records of real deployments are known to leave such members out.
      toleratedAbsent: bodies,
      serverFilled: names(({ secret }, member) => secret === true || isOneWay(file.fields[member] as FieldFile)),
      toleratedTypes: Object.fromEntries(
        byPath(file.fields).flatMap(([path, { alsoSeen }]) => (alsoSeen === undefined ? [] : [[path, alsoSeen]])),
      ),
      guessedTypes: byPath(file.fields).flatMap(([path, { guessed }]) => (guessed === true ? [path] : [])),
      ...defined({ readRoot: file.root }),
      fieldMembers: { ...defined({ name: nameOf(fields) }), ...file.reads },
    },
  };
}

/** Families of a file. Throws `UsageError` that names the line. */
export function readFamilies(path: string): readonly ImportedFamily[] {
  const file = new YamlFile(path, { code: 'bad-families', mostBytes: MOST_BYTES });
  const parsed = FamiliesFile.safeParse(file.plain(file.root));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path ?? [];
    const message = (issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message) ?? 'malformed';
    const what = message.replace(/^Invalid input: expected (\w+), received undefined$/, 'missing; type $1');
    throw file.fault(file.at(where), `${where.join('.') || 'file'}: ${what}`, HINT);
  }
  return Object.entries(parsed.data.families).map(([name, family]) => {
    const at = file.at(['families', name]);
    if (Object.hasOwn(FAMILIES, name)) throw file.fault(at, `the family ${name} is there already`, TAKEN);
    checkNames(family, (where, what) => file.fault(file.at(['families', name, ...where]), what, HINT));
    return familyOf(name, family);
  });
}

const HINT = '`ers-harness families import` writes such a file; docs/families.schema.json describes it';
const TAKEN =
  'the twelve families of the specification are built in and cannot be replaced; a name stands in one file only';

/** Names that must be those of members, and operations that need something else. */
function checkNames(
  { fields, filters, sorts, reads = {}, listed = [], unique = [], operations, root, bulkRoot }: FamilyFile,
  fault: (where: readonly string[], what: string) => UsageError,
): void {
  for (const [where, names] of Object.entries({ listed, unique, reads: Object.values(reads) })) {
    const unknown = names.find((name) => !Object.hasOwn(fields, name));
    if (unknown !== undefined) throw fault([where], `${unknown} is no member of fields`);
  }
  const lacks = (['read', 'delete'] as const).find((op) => !operations.includes(op));
  if (operations.includes('create') && lacks !== undefined)
    throw fault(['operations'], `a create without ${lacks} would leave records behind`);
  if (!operations.includes('list')) throw fault(['operations'], 'a family without a list cannot be checked');
  const sends = operations.filter((op) => ['create', 'update', 'updateByName'].includes(op));
  if (sends.length > 0 && root === undefined) throw fault(['operations'], `${sends[0]} needs a root`);
  const writes = operations.filter((op) => [...sends, 'delete', 'deleteByName'].includes(op));
  if (writes.length > 0 && !operations.includes('create'))
    throw fault(['operations'], `${writes[0]} without a create: a run writes to nothing but its own records`);
  if (operations.some((op) => op.endsWith('ByName')) && !Object.hasOwn(fields, 'name'))
    throw fault(['operations'], 'operations by name need the member name');
  if (operations.includes('bulkSubmit') && bulkRoot === undefined)
    throw fault(['operations'], 'bulkSubmit needs a bulkRoot');
  for (const [where, names] of Object.entries({ filters, sorts }))
    if (new Set(names).size < names.length) throw fault([where], 'a name stands there twice');
}

/** Variable that holds the files of a run, joined by commas: programs that it starts read it, and take the same families. */
const FAMILIES_VARIABLE = 'ERS_FAMILIES';

const loaded = new Set<string>();

/** Puts the families of files beside the twelve, each file once, and gives the names of all that are beside them. Throws `UsageError` with file and line. */
export function loadFamilies(files: readonly string[], env: NodeJS.ProcessEnv = process.env): readonly string[] {
  for (const file of files.map((one) => resolve(one))) {
    if (loaded.has(file)) continue;
    const families = readFamilies(file);
    registerFamilies(families);
    addSecretMembers(families.flatMap(({ family }) => secretNames(membersOf(family))));
    loaded.add(file);
  }
  if (loaded.size > 0) env[FAMILIES_VARIABLE] = [...loaded].join(',');
  return Object.values<Family>(FAMILIES).flatMap(({ name, imported }) => (imported === undefined ? [] : [name]));
}

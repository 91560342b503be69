import * as z from 'zod';
import { groupBy } from '../../../lib/group-by.ts';
import { type Option, optionsOf } from '../../../lib/option.ts';
import { COMMAND_SPECS } from '../specs.ts';

/** Options by their names, each with every command that has it. */
export type Uses = ReadonlyMap<string, readonly { readonly command: string; readonly option: Option }[]>;

function usesOf(commands: readonly string[]): Uses {
  const all = commands.flatMap((command) =>
    optionsOf(COMMAND_SPECS[command as keyof typeof COMMAND_SPECS]).map((option) => ({ command, option })),
  );
  const lasting = all.filter(({ option: { given, name } }) => given.once !== true && name !== 'target');
  return groupBy(lasting, ({ option }) => option.name);
}

/** Options of each command that may stand in its section, by command. */
export const SECTIONS: ReadonlyMap<string, Uses> = new Map(
  Object.keys(COMMAND_SPECS).map((name) => [name, usesOf([name])]),
);

/** Options that may stand at the top or under a target: they hold for all commands that talk to one. */
export const SHARED: Uses = usesOf(Object.keys(COMMAND_SPECS).filter((name) => name !== 'serve'));

const reference = z.strictObject({ env: z.string().min(1).describe('environment variable that holds it') });

/** Where the login of a target comes from; a configuration file never holds it. */
export const CredentialsReference = z.union([
  z.strictObject({
    file: z.string().min(1).describe('file with the login, mode 0600, as ERS_CREDENTIALS_FILE names it'),
  }),
  z.strictObject({ username: reference, password: reference }),
]);
export type CredentialsReference = z.infer<typeof CredentialsReference>;

/** The schema of one value, with its description; the default is the program's. */
function member({ schema, given, list }: Option): z.ZodType {
  const inner = schema instanceof z.ZodDefault ? (schema.unwrap() as z.ZodType) : schema;
  const value = list ? z.union([inner, z.string()]) : inner;
  return value.optional().describe(given.text);
}

const members = (uses: Uses) =>
  Object.fromEntries(
    [...uses].flatMap(([name, [first]]) => (first === undefined ? [] : [[name, member(first.option)]])),
  );

/** JSON Schema of the configuration file, for completion in editors. */
export function configJsonSchema(): Record<string, unknown> {
  const shared = members(SHARED);
  const target = z.strictObject({
    credentials: CredentialsReference.optional().describe('where the login comes from; the environment wins'),
    ...shared,
  });
  const file = z.strictObject({
    target: z.string().optional().describe('target that is used unless --target names another'),
    targets: z.record(z.string(), target).optional().describe('deployments by name'),
    ...shared,
    ...Object.fromEntries(
      [...SECTIONS].map(([name, uses]) => [
        name,
        z.strictObject(members(uses)).optional().describe(`options of \`ers-harness ${name}\` alone`),
      ]),
    ),
  });
  const { $schema, ...schema } = z.toJSONSchema(file, { target: 'draft-2020-12', io: 'input', reused: 'inline' });
  return { $schema, $id: 'urn:ers-harness:config:1', title: 'ers-harness.yaml', ...schema };
}

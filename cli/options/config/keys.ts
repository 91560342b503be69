import * as z from 'zod';
import { type Option, optionsOf } from '../../../lib/option.ts';
import { COMMAND_SPECS } from '../specs.ts';

/** Options of a schema that a configuration file may hold. */
function lasting(schema: z.ZodObject): readonly Option[] {
  return optionsOf(schema).filter(({ given, name }) => given.once !== true && name !== 'target');
}

/** Options of each command that may stand in its section, by command. */
export const SECTIONS: ReadonlyMap<string, readonly Option[]> = new Map(
  Object.entries(COMMAND_SPECS).map(([name, schema]) => [name, lasting(schema)]),
);

/** Commands that talk to a target: what stands outside a section holds for all of them. */
const RUNS = Object.keys(COMMAND_SPECS).filter((name) => name !== 'serve');

/** Options that may stand at the top or under a target: each with every command that has it. */
export const SHARED: ReadonlyMap<string, readonly { readonly command: string; readonly option: Option }[]> = new Map(
  [...new Set(RUNS.flatMap((command) => (SECTIONS.get(command) ?? []).map(({ name }) => name)))].map((name) => [
    name,
    RUNS.flatMap((command) => {
      const option = SECTIONS.get(command)?.find((one) => one.name === name);
      return option === undefined ? [] : [{ command, option }];
    }),
  ]),
);

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

const members = (options: readonly Option[]) =>
  Object.fromEntries(options.map((option) => [option.name, member(option)]));

/** JSON Schema of the configuration file, for completion in editors. */
export function configJsonSchema(): Record<string, unknown> {
  const shared = members([...SHARED.values()].flatMap(([first]) => (first === undefined ? [] : [first.option])));
  const target = z.strictObject({
    credentials: CredentialsReference.optional().describe('where the login comes from; the environment wins'),
    ...shared,
  });
  const file = z.strictObject({
    target: z.string().optional().describe('target that is used unless --target names another'),
    targets: z.record(z.string(), target).optional().describe('deployments by name'),
    ...shared,
    ...Object.fromEntries(
      [...SECTIONS].map(([name, options]) => [
        name,
        z.strictObject(members(options)).optional().describe(`options of \`ers-harness ${name}\` alone`),
      ]),
    ),
  });
  const { $schema, ...schema } = z.toJSONSchema(file, { target: 'draft-2020-12', io: 'input', reused: 'inline' });
  return { $schema, $id: 'urn:ers-harness:config:1', title: 'ers-harness.yaml', ...schema };
}

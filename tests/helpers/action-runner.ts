import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../../lib/package-root.ts';
import { runProgram } from './cli.ts';

type Values = Readonly<Record<string, string>>;

type Step = { readonly [Key in 'id' | 'uses' | 'run' | 'if']?: string } & {
  readonly [Key in 'env' | 'with']?: Values;
};

/** What a job of GitHub came to. */
export interface JobResult {
  /** Exit code of the first step that failed; 0 of a green job. */
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  /** Folders that were uploaded and exist. */
  readonly uploaded: readonly string[];
}

export interface JobOptions {
  /** The checkout. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly vars: Values;
  readonly secrets: Values;
  /** What the cache of the repository holds: text of a file by key. */
  readonly cache: Map<string, string>;
  readonly runId: string;
}

/** Actions whose work the machine has done already. */
const PREPARED = ['actions/checkout@', 'actions/setup-node@'];

/** Puts values for `${{ … }}`; throws for an expression that this runner does not know. */
function expand(text: string, contexts: Readonly<Record<string, Values>>): string {
  return text.replace(/\$\{\{\s*(.+?)\s*\}\}/g, (_whole, expression: string) => {
    const [, context = '', name = ''] = /^(\w+(?:\.\w+\.outputs)?)\.([\w-]+)$/.exec(expression) ?? [];
    const values = contexts[context];
    if (values === undefined) throw new Error(`the runner does not know ${expression}`);
    return values[name] ?? '';
  });
}

const expandAll = (values: Values = {}, contexts: Readonly<Record<string, Values>>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(String(value), contexts)]));

/** Fetches a file from the cache by its key, or else by the newest one that begins as told; or keeps it there. */
function cacheStep(uses: string, { path = '', key = '', 'restore-keys': start }: Values, { cwd, cache }: JobOptions) {
  const file = join(cwd, path);
  if (uses.startsWith('actions/cache/save@')) {
    if (existsSync(file)) cache.set(key, readFileSync(file, 'utf8'));
    return;
  }
  const [found] = [...cache]
    .reverse()
    .filter(([held]) => held === key || (start !== undefined && held.startsWith(start)));
  if (found === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, found[1]);
}

/** Runs the steps of a composite action as GitHub would: bash, its files for outputs and summary, `if: always()`. */
async function runComposite(steps: readonly Step[], inputs: Values, options: JobOptions): Promise<JobResult> {
  const { cwd, env, runId } = options;
  const contexts: Record<string, Values> = { inputs, github: { run_id: runId } };
  const summaryFile = join(cwd, '.summary');
  writeFileSync(summaryFile, '');
  const uploaded: string[] = [];
  let [code, log] = [0, ''];
  for (const step of steps) {
    if (code !== 0 && step.if !== 'always()') continue;
    if (step.uses?.startsWith('actions/upload-artifact@')) {
      const path = expand(step.with?.['path'] ?? '', contexts);
      if (existsSync(join(cwd, path))) uploaded.push(path);
      continue;
    }
    if (step.uses?.startsWith('actions/cache/')) {
      cacheStep(step.uses, expandAll(step.with, contexts), options);
      continue;
    }
    if (step.run === undefined) throw new Error(`the runner does not know ${step.uses}`);
    const outputFile = join(cwd, '.output');
    writeFileSync(outputFile, '');
    const own = { GITHUB_OUTPUT: outputFile, GITHUB_STEP_SUMMARY: summaryFile };
    const command = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', expand(step.run, contexts)];
    const ran = await runProgram(command, { cwd, env: { ...env, ...expandAll(step.env, contexts), ...own } });
    log += ran.stdout + ran.stderr;
    if (code === 0) code = ran.code ?? 1;
    if (step.id === undefined) continue;
    const lines = readFileSync(outputFile, 'utf8')
      .split('\n')
      .filter((line) => line.includes('='));
    contexts[`steps.${step.id}.outputs`] = Object.fromEntries(lines.map((line) => line.split('=', 2)));
  }
  return { code, log, summary: readFileSync(summaryFile, 'utf8'), uploaded };
}

/** Runs the job of a workflow that prepares, and then uses the composite action of this repository. */
export async function runJob(workflow: string, job: string, options: JobOptions): Promise<JobResult> {
  const action = parse(readFileSync(join(packageRoot(), 'action.yml'), 'utf8'));
  const { env, steps } = parse(workflow).jobs[job] as { readonly env?: Values; readonly steps: readonly Step[] };
  const contexts = { vars: options.vars, secrets: options.secrets };
  const own = steps.filter(({ uses = '' }) => !PREPARED.some((name) => uses.startsWith(name)));
  const [use, ...more] = own;
  if (!use?.uses?.startsWith('ers-harness/ers-harness@') || more.length > 0) throw new Error('other steps than known');
  const defaults = Object.entries(action.inputs as Record<string, { default?: string }>);
  const given = expandAll(use.with, contexts);
  const unknown = Object.keys(given).filter((name) => !defaults.some(([known]) => known === name));
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`);
  const inputs = Object.fromEntries(defaults.map(([name, { default: value = '' }]) => [name, given[name] ?? value]));
  const jobEnv = { ...options.env, ...expandAll(env, contexts) };
  return runComposite(action.runs.steps, inputs, { ...options, env: jobEnv });
}

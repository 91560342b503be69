import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitOf } from '../cli/session/signals.ts';
import { HINTS } from '../lib/client/http/transport-fault.ts';
import * as errors from '../lib/errors.ts';
import type { ExitCode } from '../lib/exit-codes.ts';
import { packageRoot } from '../lib/package-root.ts';
import { roomOf } from './rooms.ts';

/** What is known of an error by its code: how the command ends, and the words it comes with. `…` stands for what differs. */
export interface ErrorCode {
  readonly exit: readonly ExitCode[];
  readonly messages: readonly string[];
  readonly hints: readonly string[];
}

const LITERAL = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;
const CLASSES = { ...errors };
type Thrown = Exclude<keyof typeof CLASSES, 'FINAL_CODES' | 'messageOf'>;
const THROWN = new RegExp(`new (\\w+Error)\\(\\s*'([a-z0-9-]+)',\\s*(?:(${LITERAL}),)?`, 'g');
const OF_FILES = /\bcode(?::| =) '(bad-[a-z-]+)'/g;
const HINT = new RegExp(`^[^;]*?\\bhint:\\s*(${LITERAL})`);
/** An expression in a template, with a level of braces in it. */
const EXPRESSION = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;

/** Text of a literal; of a template that holds another one only where it is whole. */
function textOf(literal: string | undefined): readonly string[] {
  if (literal === undefined) return [];
  const text = literal.slice(1, -1).replace(EXPRESSION, '…').replace(/\\(.)/g, '$1');
  return text.includes('${') ? [] : [text];
}

const sorted = <Item extends string | number>(items: Iterable<Item>): readonly Item[] => [...new Set(items)].sort();

function sourceText(): string {
  const files = readdirSync(packageRoot(), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /^(?!node_modules|dist|tests|tools).*\.tsx?$/.test(path) && roomOf(path) !== undefined)
    .sort();
  return files.map((file) => readFileSync(join(packageRoot(), file), 'utf8')).join('\n');
}

export function errorCodes(): Readonly<Record<string, ErrorCode>> {
  const source = sourceText();
  const thrown = [...source.matchAll(THROWN)].filter(([, kind = '']) => kind in CLASSES);
  const bare = (of: errors.UsageError | errors.TargetError, ...hints: readonly string[]) => ({
    ...{ code: of.code, exit: exitOf(of) },
    messages: [],
    hints,
  });
  const found = [
    ...[...source.matchAll(OF_FILES)].map(([, code = '']) => bare(new errors.UsageError(code, ''))),
    ...Object.entries(HINTS).map(([code, hint]) => bare(new errors.TargetError(code, ''), hint)),
    ...thrown.map(({ 0: all, 1: kind, 2: code = '', 3: message, index }) => ({
      ...{ code, exit: exitOf(new CLASSES[kind as Thrown](code, '')), messages: textOf(message) },
      hints: textOf(HINT.exec(source.slice(index + all.length, index + all.length + 600))?.[1]),
    })),
  ];
  return Object.fromEntries(
    sorted(found.map(({ code }) => code)).map((code) => {
      const own = found.filter((one) => one.code === code);
      return [
        code,
        {
          exit: sorted(own.map(({ exit }) => exit)),
          messages: sorted(own.flatMap(({ messages }) => messages)),
          hints: sorted(own.flatMap(({ hints }) => hints)),
        },
      ];
    }),
  );
}

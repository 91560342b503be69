import { basename } from 'node:path';
import { isMap, isNode, isSeq, LineCounter, type ParsedNode, parseDocument, visit, type YAMLMap } from 'yaml';
import { defined } from './defined.ts';
import { messageOf, UsageError } from './errors.ts';
import { plainText } from './plain-file.ts';

/** A file that people write is some lines; more than this is something else. */
const MOST_BYTES = 256 * 1024;
const STAR = 'put what begins with a star in quotes: "*"';

export interface Member {
  readonly key: string;
  readonly at: ParsedNode;
  readonly value: ParsedNode | null;
}

/** Reads YAML that is bounded: of a limited size, without aliases, each key once. Throws `UsageError` that names the line. */
export class YamlFile {
  readonly #path: string;
  readonly #code: string;
  readonly #lines = new LineCounter();
  readonly #document: ReturnType<typeof parseDocument>;
  readonly #root: ParsedNode | null;

  constructor(
    path: string,
    { code = 'bad-config', mostBytes = MOST_BYTES, hint }: { code?: string; mostBytes?: number; hint?: string } = {},
  ) {
    this.#path = path;
    this.#code = code;
    const document = this.#parse(mostBytes, hint);
    this.#document = document;
    visit(document, {
      Alias: (_, node) => {
        throw this.fault(node as unknown as ParsedNode, 'aliases (*name) are not supported', STAR);
      },
      Map: (_, { items }) => {
        const seen = new Set<string>();
        for (const { key } of items) {
          const name = String(key);
          if (name === '__proto__') throw this.fault(key as ParsedNode, '__proto__ is no key');
          if (seen.has(name)) throw this.fault(key as ParsedNode, `${name} stands there twice`);
          seen.add(name);
        }
      },
    });
    this.#root = document.contents as ParsedNode | null;
  }

  /** The mapping that the file is; null if it is empty. */
  get root(): YAMLMap.Parsed | null {
    if (this.#root === null || isMap(this.#root)) return this.#root;
    throw this.fault(this.#root, 'this is not a mapping', 'write one "key: value" per line');
  }

  /** The entries of the list that the file is. */
  get items(): readonly ParsedNode[] {
    if (isSeq(this.#root)) return this.#root.items as ParsedNode[];
    if (this.#root === null) return [];
    throw this.fault(this.#root, 'this is not a list');
  }

  #parse(mostBytes: number, hint: string | undefined) {
    try {
      const text = plainText(this.#path, mostBytes);
      // The parser compares each key with all before it, which takes hours in a wide file.
      const document = parseDocument(text, { lineCounter: this.#lines, uniqueKeys: false });
      const [first] = document.errors;
      if (first === undefined) return document;
      throw new Error((first.message.split('\n')[0] ?? 'malformed').replace(/:$/, ''));
    } catch (cause) {
      const what = messageOf(cause);
      const star = /alias/i.test(what) ? `; ${STAR}` : '';
      throw new UsageError(this.#code, `${this.#path} cannot be read: ${what}${star}`, { cause, ...defined({ hint }) });
    }
  }

  line(node: ParsedNode | null | undefined): number | undefined {
    return node?.range == null ? undefined : this.#lines.linePos(node.range[0]).line;
  }

  where(node: ParsedNode | null | undefined): string {
    const line = this.line(node);
    return `${basename(this.#path)}${line === undefined ? '' : `, line ${line}`}`;
  }

  fault(node: ParsedNode | null | undefined, what: string, hint?: string): UsageError {
    return new UsageError(this.#code, `${this.where(node)}: ${what}`, defined({ hint }));
  }

  /** Members of a mapping: key, node of the key, node of the value. */
  members(map: YAMLMap.Parsed): readonly Member[] {
    return map.items.map((pair) => ({
      key: String(pair.key),
      at: pair.key as ParsedNode,
      value: pair.value as ParsedNode,
    }));
  }

  map(key: string, at: ParsedNode, value: ParsedNode | null): YAMLMap.Parsed {
    if (value !== null && isMap(value)) return value;
    throw this.fault(at, `${key}: a mapping is needed`, 'indent its members below it');
  }

  /** The node at a path of keys, or the nearest one above it: for faults of what was read. */
  at(path: readonly PropertyKey[]): ParsedNode | null {
    for (let length = path.length; length > 0; length -= 1) {
      const node = this.#document.getIn(path.slice(0, length), true);
      if (isNode(node)) return node as ParsedNode;
    }
    return this.#root;
  }

  plain(value: ParsedNode | null): unknown {
    return value === null ? null : value.toJS(this.#document);
  }
}

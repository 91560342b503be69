import { basename } from 'node:path';
import { isMap, isNode, isScalar, LineCounter, type ParsedNode, parseDocument, visit, type YAMLMap } from 'yaml';
import { defined } from './defined.ts';
import { messageOf, UsageError } from './errors.ts';
import { plainText } from './plain-file.ts';

/** A file that people write is some lines; more than this is something else. */
const MOST_BYTES = 256 * 1024;

export interface Member {
  readonly key: string;
  readonly at: ParsedNode;
  readonly value: ParsedNode | null;
}

/** Reads YAML that is bounded: of a limited size, without aliases, each key once. Throws `UsageError` that names the line. */
export class YamlFile {
  readonly #path: string;
  readonly #code: string;
  readonly #mostBytes: number;
  readonly #lines = new LineCounter();
  readonly #document: ReturnType<typeof parseDocument>;
  readonly root: YAMLMap.Parsed | null;

  constructor(path: string, { code = 'bad-config', mostBytes = MOST_BYTES } = {}) {
    this.#path = path;
    this.#code = code;
    this.#mostBytes = mostBytes;
    const document = this.#parse();
    this.#document = document;
    visit(document, {
      Alias: (_, node) => {
        throw this.fault(node as unknown as ParsedNode, 'aliases (*name) are not supported', 'write the value out');
      },
    });
    visit(document, {
      Pair: (_, { key }) => {
        if (isScalar(key) && key.value === '__proto__') throw this.fault(key as ParsedNode, '__proto__ is no key');
      },
    });
    const root = document.contents;
    if (root !== null && !isMap(root))
      throw this.fault(root, 'this is not a mapping', 'write one "key: value" per line');
    this.root = root;
  }

  #parse() {
    try {
      const document = parseDocument(plainText(this.#path, this.#mostBytes), { lineCounter: this.#lines });
      const [first] = document.errors;
      if (first === undefined) return document;
      throw new Error(first.message.split('\n')[0] ?? 'malformed');
    } catch (cause) {
      throw new UsageError(this.#code, `${this.#path} cannot be read: ${messageOf(cause)}`, { cause });
    }
  }

  where(node: ParsedNode | null | undefined): string {
    const line = node?.range == null ? '' : `, line ${this.#lines.linePos(node.range[0]).line}`;
    return `${basename(this.#path)}${line}`;
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
    return this.root;
  }

  plain(value: ParsedNode | null): unknown {
    return value === null ? null : value.toJS(this.#document);
  }
}

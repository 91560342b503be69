import { XMLBuilder } from 'fast-xml-parser';
import { visibleText } from '../../lib/text.ts';

export type XmlAttributes = Readonly<Record<string, string | number>>;

/** One element with its children in order, as `XMLBuilder` takes it. */
export type XmlElement = Readonly<Record<string, unknown>>;

/** One element with its attributes and children. White space in attributes becomes a blank: readers would do so anyway. */
export function element(name: string, attributes: XmlAttributes, children: readonly XmlElement[] = []): XmlElement {
  const written = Object.entries(attributes).map(([key, value]) => [
    key,
    visibleText(String(value)).replace(/\s/g, ' '),
  ]);
  return { [name]: children, ':@': Object.fromEntries(written) };
}

export function textElement(name: string, attributes: XmlAttributes, text: string): XmlElement {
  return element(name, attributes, [{ '#text': visibleText(text) }]);
}

const builder = new XMLBuilder({
  // Children stay where they are, whatever their names.
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  // Each element on a line of its own, for people who compare two files.
  format: true,
  indentBy: '',
  suppressEmptyNode: true,
});

/** The file of a document with this root, escaped and ended by a line break. */
export function xmlDocument(root: XmlElement): string {
  const declaration = { '?xml': [{ '#text': '' }], ':@': { version: '1.0', encoding: 'UTF-8' } };
  return `${builder.build([declaration, root]).trim()}\n`;
}

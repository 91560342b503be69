import { visibleText } from '../../lib/text.ts';

export type XmlAttributes = Readonly<Record<string, string | number>>;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text that is safe between tags and in quoted attributes of XML 1.0. */
export function xmlText(text: string): string {
  return visibleText(text).replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}

/** One element with its children, each on lines of its own. */
export function element(name: string, attributes: XmlAttributes, children: readonly string[] = []): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlText(String(value)).replace(/\s/g, ' ')}"`,
  );
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>\n${children.join('\n')}\n</${name}>`;
}

/** One element that holds text. */
export function textElement(name: string, attributes: XmlAttributes, text: string): string {
  return element(name, attributes, [xmlText(text)]);
}

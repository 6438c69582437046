import { type Element, readXml } from '../../support/read-xml.ts';

const TAG = /<([A-Za-z][\w-]*)((?:\s(?:"[^"<]*"|[^<>"])*?)?)(\/?)>/g;
const ATTRIBUTE = /\s+([\w-]+)="([^"<]*)"/g;

/**
 * Reads JUnit XML and throws where it is not well-formed. An attribute comes out as a child named
 * `a.<name>`, so that its text is held to the same rules as any other.
 */
export function readJunit(document: string): Element {
  const [declaration = '', ...rest] = document.split('\n');
  const tags = rest.join('\n').replace(TAG, (_all, name: string, list: string, end: string) => {
    const left = list.replace(ATTRIBUTE, '').trim();
    if (left !== '') throw new SyntaxError(`<${name}> has what is no attribute: ${left}`);
    const children = [...list.matchAll(ATTRIBUTE)].map(
      // In an attribute it may stand as it is.
      ([, key, value]) => `<a.${key}>${value?.replaceAll('>', '&gt;')}</a.${key}>`,
    );
    return `<${name}>${children.join('')}${end === '' ? '' : `</${name}>`}`;
  });
  return readXml(`${declaration}\n${tags}`);
}

/** The value of an attribute. */
export function attributeOf({ children }: Element, name: string): string | undefined {
  return children.find((child) => child.name === `a.${name}`)?.text;
}

/** Every element of that name, at any depth. */
export function elementsOf(element: Element, name: string): readonly Element[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsOf(child, name),
  ]);
}

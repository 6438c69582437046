import { type HTMLElement, parse } from 'node-html-parser';
import type { Answer } from '../http/answer.ts';

/** What a page shows and loads, as a browser would read it. */
export interface PageContent {
  /** What can be read on it, in one line. */
  readonly text: string;
  /** Absolute addresses of what it loads by itself: scripts, styles, images, frames. */
  readonly loaded: readonly string[];
  /** Absolute addresses that it leads to by itself (Refresh, in a header or an element), or by its forms. */
  readonly leads: readonly string[];
  /** Absolute addresses that it links to. */
  readonly links: readonly string[];
  /** Whether it has an element of that name, or an attribute of that name anywhere. */
  has(name: string): boolean;
}

/** Of an answer that is HTML; of any other an empty one. */
export function readContent(answer: Answer, url: string): PageContent {
  const isPage = /^(text\/html|application\/xhtml\+xml)$/.test(answer.mediaType);
  const root = parse(isPage ? answer.text : '');
  const elements = root.querySelectorAll('*');
  const addresses = (found: readonly (string | undefined)[]) =>
    found.flatMap((address) =>
      address !== undefined && URL.canParse(address, url) ? [new URL(address, url).href] : [],
    );
  return {
    loaded: addresses(elements.map(loadedBy)),
    links: addresses(
      elements.filter(({ tagName }) => tagName === 'A').map((link) => link.getAttribute('href')),
    ),
    leads: addresses([
      refreshOf(answer.header('refresh') ?? ''),
      ...elements
        .filter((each) => each.getAttribute('http-equiv')?.toLowerCase() === 'refresh')
        .map((each) => refreshOf(each.getAttribute('content') ?? '')),
      ...elements.map((each) =>
        each.tagName === 'FORM' ? each.getAttribute('action') : each.getAttribute('formaction'),
      ),
    ]),
    has: (name) =>
      elements.some(
        ({ attributes, tagName }) =>
          tagName.toLowerCase() === name ||
          Object.keys(attributes).some((each) => each.toLowerCase() === name),
      ),
    text: textOf(root),
  };
}

/** `0; url=…`, in quotes or not (HTML, shared declarative refresh steps). */
function refreshOf(value: string): string | undefined {
  return /^[\s\d.]*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(value)?.[1]?.trim();
}

function loadedBy(element: HTMLElement): string | undefined {
  if (element.tagName !== 'LINK')
    return element.getAttribute('src') ?? element.getAttribute('data');
  const relation = element.getAttribute('rel') ?? '';
  return /stylesheet|icon|preload|manifest/.test(relation)
    ? element.getAttribute('href')
    : undefined;
}

function textOf(root: HTMLElement): string {
  const body = root.querySelector('body') ?? root;
  for (const hidden of body.querySelectorAll('script, style, template')) hidden.remove();
  return body.textContent.replace(/\s+/g, ' ').trim();
}

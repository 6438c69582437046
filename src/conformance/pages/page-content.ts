import { type HTMLElement, parse } from 'node-html-parser';
import type { Answer } from '../http/answer.ts';

/** The text and the URLs of a page, as a browser reads them. */
interface PageContent {
  /** The title of its head. */
  readonly title: string;
  /** Its visible text, in one line. */
  readonly text: string;
  /** Absolute URLs of what it loads: scripts, styles, images, frames. */
  readonly loaded: readonly string[];
  /** Absolute URLs that it refreshes to (header or element), or submits forms to. */
  readonly leads: readonly string[];
  /** Absolute URLs that it links to. */
  readonly links: readonly string[];
  /** Whether it has an element or an attribute of that name. */
  has(name: string): boolean;
}

/** Empty for an answer that is not HTML. */
export function readContent(answer: Answer, url: string): PageContent {
  const isPage = /^(text\/html|application\/xhtml\+xml)$/.test(answer.mediaType);
  const root = parse(isPage ? answer.text : '');
  const elements = root.querySelectorAll('*');
  const urls = (found: readonly (string | undefined)[]) =>
    found.flatMap((link) =>
      link !== undefined && URL.canParse(link, url) ? [new URL(link, url).href] : [],
    );
  return {
    title: root.querySelector('title')?.text.replace(/\s+/g, ' ').trim() ?? '',
    loaded: urls(elements.map(loadedBy)),
    links: urls(
      elements.filter(({ tagName }) => tagName === 'A').map((link) => link.getAttribute('href')),
    ),
    leads: urls([
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

/** The URL of a page of which only text is read: no link is resolved. */
const NO_URL = 'about:blank';

/**
 * What a page says, without what differs from try to try: numbers, in digits and in words, what they count, and the
 * time that is left, which says "9 minutes 59 seconds" once and "9 minutes" once.
 */
export function pageShape(answer: Answer, asksAgain: boolean): string {
  const words = readContent(answer, NO_URL)
    .text.toLowerCase()
    .replace(/[\p{L}]*\d[\p{L}\d-]*/gu, '#')
    .replace(/\b(no|one|two|three|four|five|six|seven|eight|nine|ten)\b/g, '#')
    .replace(/# (hour|min|minute|sec|second)s?\b/g, '#')
    .replace(/#(?:,? (?:and )?#)+/g, '#')
    .replace(/\b(attempt|tr(?:y|ie)|time|chance|code)s?\b/g, '*')
    .replace(/\b(is|are)\b/g, '~');
  return `${answer.status} ${asksAgain} ${words}`;
}

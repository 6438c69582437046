import { type MapOrigin, replaceOrigins } from './replace-origins.ts';

/** What is text up to its end tag, whatever looks like a tag in it (HTML Standard §13.1.2). */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);
const NAME = /[a-z][^\s/>]*/iy;
/** `://` as templates write it, which escape slashes. */
const ESCAPED = /(https?)(?::|&#58;|&#x3a;|&colon;)(?:\/|&#47;|&#x2f;|&sol;){2}/gi;

/**
 * A page in which the origins of absolute URLs in attributes are replaced: links, forms, what a redirect of
 * the page names. Its text, its scripts and its styles stay as they are.
 */
export function mapHtmlUrls(html: string, map: MapOrigin): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = after(html, '-->', at + 4);
      continue;
    }
    NAME.lastIndex = at + 1;
    const name = NAME.exec(html)?.[0];
    if (name === undefined) {
      at += 1;
      continue;
    }
    const end = endOfTag(html, at + 1 + name.length);
    const tag = html.slice(at, end);
    const mapped = replaceOrigins(plain(tag), map);
    if (mapped !== plain(tag)) {
      parts.push(html.slice(from, at), mapped);
      from = end;
    }
    at = TEXT_ELEMENTS.has(name.toLowerCase()) ? endOfText(html, name, end) : end;
  }
  return from === 0 ? html : parts.join('') + html.slice(from);
}

function plain(tag: string): string {
  return tag.replace(ESCAPED, '$1://');
}

/** After the `>` that is in no quotes. */
function endOfTag(html: string, start: number): number {
  for (let at = start; at < html.length; at += 1) {
    const char = html[at];
    if (char === '>') return at + 1;
    // A quotation mark begins a value after an equals sign alone.
    if ((char === '"' || char === "'") && /=\s*$/.test(html.slice(Math.max(start, at - 16), at))) {
      const closing = html.indexOf(char, at + 1);
      if (closing === -1) return html.length;
      at = closing;
    }
  }
  return html.length;
}

function endOfText(html: string, name: string, start: number): number {
  const closing = new RegExp(`</${name.replace(/[^\w-]/g, '')}(?=[\\s/>])`, 'gi');
  closing.lastIndex = start;
  return closing.exec(html)?.index ?? html.length;
}

function after(html: string, what: string, start: number): number {
  const found = html.indexOf(what, start);
  return found === -1 ? html.length : found + what.length;
}

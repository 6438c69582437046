import { displayText } from '../protocol/index.ts';
import type { Hint } from './model.ts';
import { webUrl } from './url.ts';

/** No more of a text is read, in characters. */
const LONGEST_TEXT = 256 * 1024;
const MOST_HINTS = 20;

const URLS = /https?:\/\/[^\s<>"'`)\]}\\|]{1,500}/g;

/** Paths that are named after an HTTP method, as in `POST /agent/identity`. */
const PATHS = /\b(?:POST|GET|PUT|DELETE)\s+(\/[^\s<>"'`)\]}\\|]{1,300})/g;

/** The URLs of a skill file that look like those of this protocol, then the others; none is checked. */
export function readHints(text: string | undefined, at: string | undefined): readonly Hint[] {
  if (typeof text !== 'string') return [];
  const read = text.slice(0, LONGEST_TEXT);
  const home = webUrl(at);
  const urls = [...read.matchAll(URLS)].map(([url]) => url.replace(/[.,;:!?*_]+$/, ''));
  const paths =
    home === undefined
      ? []
      : [...read.matchAll(PATHS)].map(
          ([, path = '']) => home.origin + path.replace(/[.,;:!?*_]+$/, ''),
        );
  const hints = [...new Set([...urls, ...paths])]
    .filter((url) => webUrl(url) !== undefined)
    .map((url): Hint => ({ kind: kindOf(url), url: displayText(url, 300) }));
  return ORDER.flatMap((kind) => hints.filter((hint) => hint.kind === kind)).slice(0, MOST_HINTS);
}

const ORDER: readonly Hint['kind'][] = ['metadata', 'register', 'claim', 'token', 'other'];

function kindOf(url: string): Hint['kind'] {
  const path = webUrl(url)?.pathname ?? '';
  if (path.includes('/.well-known/oauth-')) return 'metadata';
  if (/\/claims?(\/|$)/.test(path)) return 'claim';
  if (/\/token\/?$/.test(path)) return 'token';
  return /\/agents?\/(identity|auth|register|registration)(\/register)?\/?$/.test(path)
    ? 'register'
    : 'other';
}

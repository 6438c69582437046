import type { TextAnswer } from '../../../agent/http/peer.ts';
import type { RuleId } from '../../../discovery/rules/rule-table.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { mediaTypeOf } from '../../../protocol/media-type.ts';
import { displayText } from '../../../protocol/text.ts';
import { readJson } from './read-json.ts';
import type { Visit } from './visitor.ts';

/** Why a place has no document, where it is not simply empty. */
export interface Trouble {
  readonly rule: RuleId;
  readonly document: string;
  readonly message: string;
  readonly instead?: string;
}

interface ReadAnswer {
  /** A few words. */
  readonly learnt: string;
  readonly trouble?: Trouble;
  /** Of a 200 that was read whole, even where it is no JSON. */
  readonly text?: string;
  readonly json?: JsonObject;
  readonly mediaType?: string;
  readonly byteOrderMark?: true | undefined;
}

/** What a place of metadata answered. A 404 is no trouble: agents go on to the next place. */
export function readMetadataAnswer(visit: Visit, url: string): ReadAnswer {
  const text = readText(visit, url);
  if (text.text === undefined) return text;
  const read = readJson(text.text);
  if (read.ok) return { ...text, learnt: 'found', json: read.json };
  return {
    learnt: read.problem.replace(/^is /, ''),
    trouble: {
      rule: read.isPage ? 'html-for-json' : 'not-json',
      document: url,
      message: `It ${read.problem}.`,
    },
  };
}

/** The text of a 200. */
export function readText(visit: Visit, url: string): ReadAnswer {
  if (!visit.ok) {
    const { message } = visit.error;
    return {
      learnt: 'no answer',
      trouble: { rule: 'document-unreachable', document: url, message },
    };
  }
  const { answer } = visit;
  const { status, body } = answer;
  if (status === 404 || status === 410) return { learnt: 'not found' };
  if (status >= 300 && status < 400)
    return { learnt: 'a redirect', trouble: redirected(answer, url) };
  if (status !== 200) {
    const message = `It answers ${status}.`;
    return { learnt: 'refused', trouble: { rule: 'document-unreachable', document: url, message } };
  }
  if (body.ok) {
    const { byteOrderMark, text } = body;
    return { learnt: 'found', text, mediaType: mediaTypeOf(answer), byteOrderMark };
  }
  const isLarge = body.problem === 'too_large';
  return {
    learnt: isLarge ? 'too large' : 'not UTF-8',
    trouble: {
      rule: isLarge ? 'document-too-large' : 'document-not-utf8',
      document: url,
      message: isLarge ? 'It is larger than agents read.' : 'It is not UTF-8.',
    },
  };
}

function redirected({ headers }: TextAnswer, url: string): Trouble {
  const location = headers.get('location');
  const to = location === null || !URL.canParse(location, url) ? undefined : new URL(location, url);
  return {
    rule: 'document-redirected',
    document: url,
    message:
      to === undefined
        ? 'It answers with a redirect, which agents do not follow.'
        : `It redirects to ${displayText(to.origin + to.pathname, 200)}, which agents do not follow.`,
    instead: 'Serve the document at this URL itself.',
  };
}

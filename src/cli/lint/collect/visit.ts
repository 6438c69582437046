import { AgentError } from '../../../agent/agent-error.ts';
import { SKILL_LIMIT } from '../../../agent/discovery/explain-failure.ts';
import type { Hops } from '../../../agent/discovery/hops.ts';
import { ANSWER_LIMIT } from '../../../agent/http/answer.ts';
import type { Peer, TextAnswer } from '../../../agent/http/peer.ts';
import { MEDIA_TYPE } from '../../../protocol/constants.ts';
import { mediaTypeOf } from '../../../protocol/media-type.ts';
import { displayText } from '../../../protocol/text.ts';
import { withoutQuery } from '../../../protocol/urls.ts';
import type { LintDocument, Looked, Report } from '../finding.ts';
import { isTrouble, readJson, type Trouble } from './read-text.ts';

/** What looks for documents, and what was found so far. */
export interface Search {
  readonly peer: Peer;
  /** Redirects and differences are reported, and tolerated. */
  readonly hops: Hops;
  readonly report: Report;
  /** The URL that the documents are about. */
  readonly service: string;
  readonly documents: LintDocument[];
  readonly looked: Looked[];
  /** The places that were asked: each is asked once. */
  readonly visits: Map<string, Promise<Visit>>;
}

/** What came of a request: of a 200 that was read whole the text, else why there is none. */
export interface Visit {
  readonly status?: number;
  readonly learnt: string;
  readonly trouble?: Trouble;
  readonly text?: string;
  readonly byteOrderMark?: boolean | undefined;
  readonly mediaType?: string | undefined;
}

/** The JSON at a place, noted as looked at. */
export async function visitMetadata(search: Search, url: string) {
  const visited = await visit(search, url, MEDIA_TYPE.json);
  const json = visited.text === undefined ? undefined : readJson(visited.text);
  const isWrong = json !== undefined && isTrouble(json);
  const learnt = isWrong ? json[1].replace(/^It (?:is )?|\.$/g, '') : visited.learnt;
  search.looked.push(lookedAt(url, visited.status, learnt));
  return isWrong ? { ...visited, json: undefined, trouble: json } : { ...visited, json };
}

export function visit(search: Search, url: string, accept: string): Promise<Visit> {
  const { hops, peer, visits } = search;
  const known = visits.get(url);
  if (known !== undefined) return known;
  const limit = accept === MEDIA_TYPE.json ? ANSWER_LIMIT : SKILL_LIMIT;
  const asked = peer.readText(url, { headers: { accept } }, limit, hops.signal).then(
    (answer) => readAnswer(answer, url),
    (error: unknown): Visit => {
      if (!(error instanceof AgentError) || hops.signal?.aborted) throw error;
      return { learnt: 'no answer', trouble: ['document-unreachable', error.message] };
    },
  );
  visits.set(url, asked);
  return asked;
}

/** What a place answered. A 404 is no trouble: agents go on to the next place. */
function readAnswer({ status, headers, body }: TextAnswer, url: string): Visit {
  if (status === 404 || status === 410) return { status, learnt: 'not found' };
  if (status >= 300 && status < 400) {
    const to = headers.get('location') ?? '';
    const shown = URL.canParse(to, url) ? withoutQuery(new URL(to, url).href) : 'nowhere';
    const message = `It redirects to ${displayText(shown, 200)}, which agents do not follow.`;
    const instead = 'Serve the document at this URL itself.';
    return { status, learnt: 'a redirect', trouble: ['document-redirected', message, instead] };
  }
  if (status !== 200) {
    const trouble: Trouble = ['document-unreachable', `It answers ${status}.`];
    return { status, learnt: 'refused', trouble };
  }
  if (body.ok) {
    const { byteOrderMark, text } = body;
    return { status, learnt: 'found', text, byteOrderMark, mediaType: mediaTypeOf({ headers }) };
  }
  return body.problem === 'too_large'
    ? {
        ...{ status, learnt: 'too large' },
        trouble: ['document-too-large', 'It is larger than agents read.'],
      }
    : { status, learnt: 'not UTF-8', trouble: ['document-not-utf8', 'It is not UTF-8.'] };
}

/** A place as it is listed among those that were looked at. */
export function lookedAt(url: string, status: number | undefined, learnt: string): Looked {
  return { name: displayText(withoutQuery(url)), status, learnt };
}

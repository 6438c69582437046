import {
  displayWord,
  isLoopbackHost,
  isSameOrigin,
  type JsonObject,
  MEDIA_TYPE,
  mediaTypeOf,
  urlProblem,
} from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { type Answer, requireJson } from '../http/answer.ts';
import type { Peer } from '../http/peer.ts';
import type { Hop } from '../model.ts';
import type { Step } from '../next-step.ts';
import { ONCE_MENDED, readProblem, tooManyRequests, wordsBeside } from '../problems/problem.ts';
import type { Hops } from './hops.ts';

type MetadataStep = Exclude<Hop['step'], 'challenge' | 'skill_file'>;

const WHO = {
  resource_metadata: 'The protected resource metadata',
  server_metadata: 'The authorization server metadata',
} as const satisfies Record<MetadataStep, string>;

/**
 * One metadata document, or `undefined` after a 404. `learn` judges it and describes it in a few
 * words; the hop is recorded either way. A page or a refusal in place of a resource's metadata counts as a
 * 404, with a warning: a server may serve its own metadata alone. So does a page in place of a server's where
 * `skip` takes its error: an application of one page answers everything with it.
 * @throws AgentError for any other answer. Redirects are not followed.
 */
export async function fetchMetadata<T>(
  peer: Peer,
  step: MetadataStep,
  url: string,
  hops: Hops,
  learn: (document: JsonObject) => readonly [value: T, learnt: string],
  skip?: (error: AgentError) => void,
): Promise<T | undefined> {
  const request = { url, method: 'GET', headers: { accept: MEDIA_TYPE.json } } as const;
  let answer: Answer;
  try {
    answer = await peer.send(request, hops.signal);
  } catch (error) {
    hops.hop(step, url, null, 'no answer');
    throw error;
  }
  if (answer.status === 404) {
    hops.hop(step, url, 404, 'not found');
    return undefined;
  }
  if (step === 'resource_metadata' && isNoMetadata(answer)) {
    hops.hop(step, url, answer.status, 'no metadata');
    hops.tolerate(
      'resource_metadata_unusable',
      `${WHO[step]} (${answer.where}) answered ${answer.status}${answer.status < 300 ? ' with something that is not JSON' : ''}, so it is skipped.`,
    );
    return undefined;
  }
  try {
    const limited = tooManyRequests(WHO[step], answer);
    if (limited !== undefined) throw limited;
    const document = requireDocument(answer, step, hops);
    const [value, learnt] = learn(document);
    hops.hop(step, url, answer.status, learnt);
    return value;
  } catch (error) {
    const isPage = error instanceof AgentError && answer.status < 300 && isNoMetadata(answer);
    const isSkipped = isPage && skip !== undefined;
    hops.hop(step, url, answer.status, isSkipped ? 'no metadata' : 'cannot be used');
    if (!isSkipped) throw error;
    skip(error);
    return undefined;
  }
}

/** A refusal, or a success that is no JSON. A 429, a 5xx and a redirect are errors instead. */
function isNoMetadata({ status, body }: Answer): boolean {
  if (status >= 400 && status < 500) return status !== 429;
  return status < 300 && !body.ok && NO_JSON.has(body.problem);
}

const NO_JSON: ReadonlySet<string> = new Set(['empty', 'not_utf8', 'not_json', 'not_an_object']);

function requireDocument(answer: Answer, step: MetadataStep, hops: Hops): JsonObject {
  const { status, where } = answer;
  if (status >= 400) {
    const problem = readProblem(answer, 'resource');
    const words = problem === undefined ? '' : wordsBeside(problem, '');
    throw new AgentError(`${WHO[step]} (${where}) answered ${status}.${words}`, {
      code: status >= 500 ? 'server_error' : 'metadata_invalid',
      ...(status >= 500 && { hint: words === '' ? 'Try again later.' : ONCE_MENDED }),
      problem,
    });
  }
  const document = requireJson(answer, WHO[step]);
  if (status !== 200) {
    throw new AgentError(`${WHO[step]} (${where}) answered ${status}, not 200.`, {
      code: 'metadata_invalid',
    });
  }
  const mediaType = mediaTypeOf(answer);
  if (mediaType !== MEDIA_TYPE.json) {
    hops.tolerate('media_type', `${WHO[step]} (${where}) is not served as ${MEDIA_TYPE.json}.`);
  }
  if (answer.body.ok && answer.body.byteOrderMark) {
    hops.tolerate(
      'byte_order_mark',
      `${WHO[step]} (${where}) begins with a byte order mark (RFC 8259 §8.1).`,
    );
  }
  return document;
}

/**
 * What to type instead, when two URLs differ in how they name this machine alone, or in the path
 * behind one host; `undefined` when they are of two parties.
 */
export function otherSpelling(named: string, asked: string): OtherSpelling | undefined {
  if (urlProblem(named) !== undefined || urlProblem(asked) !== undefined) return undefined;
  if (isSameOrigin(named, asked)) return spelling(named);
  const its = new URL(named);
  const ours = new URL(asked);
  const isSamePlace =
    isLoopbackHost(its.hostname) &&
    isLoopbackHost(ours.hostname) &&
    its.protocol === ours.protocol &&
    its.port === ours.port;
  return isSamePlace ? spelling(its.origin) : undefined;
}

interface OtherSpelling {
  readonly hint: string;
  readonly next: Step;
}

function spelling(url: string): OtherSpelling {
  return {
    hint: `It calls itself ${displayWord(url, 200)}: use that URL.`,
    next: { command: 'discover', args: [displayWord(url, 2048)] },
  };
}

import { displayLines, mediaTypeOf } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { Peer, type TextAnswer } from '../http/peer.ts';
import { requirePeerUrl } from '../http/url-policy.ts';
import type { SkillFile } from '../outcomes.ts';
import { tooManyRequests } from '../problems/problem-error.ts';
import type { DiscoverTarget } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { discover } from './discover.ts';

/** Far more than instructions need, in bytes. */
const SKILL_LIMIT = 256 * 1024;

/**
 * The skill file that a service's metadata names. It may lie anywhere, so it is asked for without
 * credentials, and nothing is learnt from it: endpoints come from the metadata alone (AMD-12).
 */
export async function skill(
  tools: Tools,
  target: DiscoverTarget,
  signal: AbortSignal | undefined,
): Promise<SkillFile> {
  const { service } = await discover(tools, target, signal);
  if (service.skill === undefined) {
    throw new AgentError(`${service.name ?? service.issuer} names no skill file.`, {
      code: 'no_skill',
      hint: 'Not every service has one. What it offers is shown by discover.',
    });
  }
  const url = requirePeerUrl(service.skill, 'The URL of the skill file', service.issuer);
  const headers = { accept: 'text/markdown, text/plain;q=0.9' };
  const peer = new Peer(tools.context);
  const answer = await peer.readText(url, headers, SKILL_LIMIT, signal);
  const limited = tooManyRequests('The skill file', answer, peer.now());
  if (limited !== undefined) throw limited;
  const { mediaType, text } = requireText(answer);
  return { service, url, mediaType, text: displayLines(text) };
}

/** @throws AgentError `redirected`, `server_error`, `answer_too_large` or `bad_answer`. */
function requireText({ where, status, headers, body }: TextAnswer) {
  const at = `The skill file (${where})`;
  if (status >= 300 && status < 400) {
    throw new AgentError(`${at} answered with a redirect, which is not followed.`, {
      code: 'redirected',
    });
  }
  if (status !== 200) {
    throw new AgentError(`${at} answered ${status}, not 200.`, {
      code: status >= 500 ? 'server_error' : 'bad_answer',
    });
  }
  const mediaType = mediaTypeOf({ headers });
  if (!/^text\/[a-z0-9.+-]+$/.test(mediaType)) {
    throw new AgentError(`${at} is not served as text, so it is not shown.`, {
      code: 'bad_answer',
    });
  }
  if (!body.ok) {
    throw new AgentError(
      body.problem === 'too_large'
        ? `${at} is larger than ${SKILL_LIMIT / 1024} KiB.`
        : `${at} is not UTF-8 text, so it is not shown.`,
      { code: body.problem === 'too_large' ? 'answer_too_large' : 'bad_answer' },
    );
  }
  return { mediaType, text: body.text };
}

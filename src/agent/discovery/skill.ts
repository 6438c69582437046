import { displayLines, mediaTypeOf } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import { redirected } from '../http/answer.ts';
import { Peer, type TextAnswer } from '../http/peer.ts';
import { requirePeerUrl } from '../http/url-policy.ts';
import type { SkillFile } from '../outcomes.ts';
import { tooManyRequests } from '../problems/problem.ts';
import type { DiscoverTarget } from '../requests.ts';
import type { Tools } from '../tools.ts';
import { discover } from './discover.ts';
import { SKILL_FOUND, SKILL_HEADERS, SKILL_LIMIT } from './explain-failure.ts';

/**
 * The skill file that a service's metadata names, or that lies at the usual place where there is no
 * registration. It may lie anywhere, so it is asked for without credentials, and nothing is learnt from it:
 * endpoints come from the metadata alone (AMD-12).
 */
export async function skill(tools: Tools, target: DiscoverTarget): Promise<SkillFile> {
  const { service, source, named, home } = await findSkill(tools, target);
  const url = requirePeerUrl(tools.policy, named, 'The URL of the skill file', home);
  const peer = new Peer(tools.context);
  const answer = await peer.readText(url, { headers: SKILL_HEADERS }, SKILL_LIMIT, tools.signal);
  const limited = tooManyRequests('The skill file', answer);
  if (limited !== undefined) throw limited;
  const { mediaType, text } = requireText(answer);
  return { service, source, url, mediaType, text: displayLines(text) };
}

interface NamedSkill extends Pick<SkillFile, 'service' | 'source'> {
  readonly named: string;
  /** Whose word the URL is: it must not lead from another machine to this one. */
  readonly home: string;
}

async function findSkill(tools: Tools, target: DiscoverTarget): Promise<NamedSkill> {
  try {
    const { service } = await discover(tools, target);
    const source = { name: service.name, issuer: service.issuer };
    if (service.skill !== undefined) {
      return { service, source, named: service.skill, home: service.issuer };
    }
    throw new AgentError(`${service.name ?? service.issuer} names no skill file.`, {
      code: 'no_skill',
      hint: 'Not every service has one. What it offers is shown by discover.',
    });
  } catch (error) {
    if (!(error instanceof AgentError) || error.recognition === undefined) throw error;
    const { endpoints, name, issuer } = error.recognition;
    // Nobody can register there, or not without more: what it tells agents can be read all the same.
    const home =
      'issuer' in target ? target.issuer : 'resource' in target ? target.resource : target.address;
    const loose = error.hops?.find(({ learnt }) => learnt === SKILL_FOUND);
    const named = endpoints.skill ?? loose?.url;
    if (named === undefined) throw error;
    return {
      service: undefined,
      source: { name, issuer: issuer ?? new URL(home).origin },
      named,
      home,
    };
  }
}

/** @throws AgentError `redirected`, `server_error`, `answer_too_large` or `bad_answer`. */
function requireText({ where, status, headers, body }: TextAnswer) {
  const at = `The skill file (${where})`;
  if (status >= 300 && status < 400) throw redirected(at);
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

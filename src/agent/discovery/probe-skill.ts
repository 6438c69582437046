import { displayText, mediaTypeOf, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { AgentContext } from '../context.ts';
import { Peer, type TextAnswer } from '../http/peer.ts';
import type { Hops } from './hops.ts';

/** Far more than instructions need, in bytes. */
export const SKILL_LIMIT = 256 * 1024;

/** What a skill file is asked for with: never with credentials. */
export const SKILL_HEADERS = { accept: 'text/markdown, text/plain;q=0.9' } as const;

/** What is learnt where there is one. */
export const SKILL_FOUND = 'a skill file, which no metadata names';

/** A skill file that no metadata names, at one of the usual places. */
export interface LooseSkill {
  readonly url: string;
  readonly text: string;
}

/**
 * Looks for `auth.md` where nothing else was found: at the URL itself when it is that of a Markdown file, else
 * below it and at the root of its host. Pages are none: an application of one page answers everything.
 */
export async function probeSkill(
  context: AgentContext,
  given: string,
  hops: Hops,
  signal?: AbortSignal,
): Promise<LooseSkill | undefined> {
  const peer = new Peer(context);
  for (const url of places(given)) {
    let answer: TextAnswer;
    try {
      answer = await peer.readText(url, { headers: SKILL_HEADERS }, SKILL_LIMIT, signal);
    } catch (error) {
      if (!(error instanceof AgentError) || error.code === 'aborted') throw error;
      hops.hop('skill_file', url, null, 'no answer');
      return undefined;
    }
    const text = textOf(answer);
    hops.hop('skill_file', url, answer.status, text === undefined ? 'no skill file' : SKILL_FOUND);
    if (text !== undefined) return { url: displayText(url, 500), text };
  }
  return undefined;
}

function places(given: string): readonly string[] {
  const { origin, pathname } = new URL(given);
  if (pathname.endsWith('.md')) return [origin + pathname];
  return [...new Set([`${origin}${withoutFinalSlash(pathname)}/auth.md`, `${origin}/auth.md`])];
}

function textOf({ status, headers, body }: TextAnswer): string | undefined {
  if (status !== 200 || !body.ok) return undefined;
  const mediaType = mediaTypeOf({ headers });
  if (!/^text\/[a-z0-9.+-]+$/.test(mediaType) || mediaType === 'text/html') return undefined;
  return /^\s*(<!doctype|<html|\{)/i.test(body.text) || body.text.trim() === ''
    ? undefined
    : body.text;
}

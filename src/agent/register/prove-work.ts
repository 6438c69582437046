import { MEDIA_TYPE } from '../../protocol/index.ts';
import {
  type Challenge,
  type ProofOfWork,
  readChallenge,
  solve,
} from '../dialects/parts/proof-of-work.ts';
import type { Answer } from '../http/answer.ts';
import { requireEndpoint } from '../http/url-policy.ts';
import { jsonRequest } from '../http/wire-requests.ts';
import type { Service } from '../model.ts';
import { peerOf, type Tools } from '../tools.ts';

/**
 * The work that a service wants before a registration, where its metadata names an endpoint for the challenge.
 * One that gives none is registered at without: its refusal says what is wrong, or carries the challenge.
 */
export async function workBefore(
  tools: Tools,
  service: Service,
  signal: AbortSignal | undefined,
): Promise<ProofOfWork | undefined> {
  const { challengeEndpoint, issuer } = service;
  if (challengeEndpoint === undefined) return undefined;
  const url = requireEndpoint(tools.policy, issuer, challengeEndpoint, 'The challenge endpoint');
  const peer = peerOf(tools, issuer);
  let answer = await peer.send(jsonRequest(url, {}), signal);
  // No document says by which method it is asked.
  if (answer.status === 404 || answer.status === 405) {
    answer = await peer.send({ url, method: 'GET', headers: { accept: MEDIA_TYPE.json } }, signal);
  }
  const { body, status } = answer;
  const challenge = status < 300 && body.ok ? readChallenge(body.json) : undefined;
  return challenge && solve(tools.context, challenge, signal);
}

/** The work that a refusal asks for. */
export function workIn({ status, body }: Answer): Challenge | undefined {
  return status >= 400 && body.ok ? readChallenge(body.json) : undefined;
}

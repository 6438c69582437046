import { AgentError } from '../../../agent/agent-error.ts';
import { Hops } from '../../../agent/discovery/hops.ts';
import { readServerMetadata } from '../../../agent/discovery/server-metadata.ts';
import { ANSWER_LIMIT } from '../../../agent/http/answer.ts';
import { requirePeerUrl, requireUrl } from '../../../agent/http/url-policy.ts';
import { peerOf, type Tools } from '../../../agent/tools.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../../protocol/json.ts';
import { PRIVATE_KEY_MEMBERS } from '../../../protocol/jwk.ts';
import type { Judged } from './rule.ts';

/** Verifies the signature of an ID-JAG with the keys that its issuer publishes. Nothing of it is sent. */
export async function verifySignature(
  tools: Tools,
  idJag: string,
  issuer: unknown,
): Promise<Judged> {
  const part = { part: 'signature', name: 'signature' } as const;
  try {
    const keys = await fetchKeys(tools, String(issuer));
    if (keys.some((key) => PRIVATE_KEY_MEMBERS.some((member) => member in key))) {
      const message = 'The issuer publishes a private key: anybody can sign as it does.';
      return { ...part, verdict: 'fail', message, source: 'RFC 7517 §9.2' };
    }
    const message = await whyWrong(idJag, keys);
    const source = 'RFC 7515 §5.2';
    return message === undefined
      ? { ...part, verdict: 'pass', message: 'A key of the issuer made it.', source }
      : { ...part, verdict: 'fail', message, source };
  } catch (error) {
    if (!(error instanceof AgentError) || tools.signal?.aborted) throw error;
    const message = `The keys of the issuer cannot be had, so no server could verify it. ${error.message}`;
    return { ...part, verdict: 'fail', message, source: 'RFC 8414 §2' };
  }
}

async function fetchKeys(tools: Tools, issuer: string): Promise<readonly JsonObject[]> {
  requireUrl(tools.policy, issuer, 'The issuer');
  const peer = peerOf(tools, issuer);
  const question = { issuer, describe: () => 'a provider' };
  const metadata = await readServerMetadata(peer, question, new Hops(tools));
  const uri = metadata?.document['jwks_uri'];
  if (typeof uri !== 'string') throw unusable('Its metadata has no jwks_uri.');
  const url = requirePeerUrl(tools.policy, uri, 'Its jwks_uri', issuer);
  const accept = { headers: { accept: 'application/json' } };
  const { body, status, where } = await peer.readText(url, accept, ANSWER_LIMIT, tools.signal);
  const parsed = body.ok ? parseJsonObject(body.text) : undefined;
  const keys = parsed?.ok ? parsed.value['keys'] : undefined;
  if (status !== 200 || !Array.isArray(keys) || !keys.every(isJsonObject)) {
    throw unusable(`${where} did not answer 200 with a key set (RFC 7517 §5).`);
  }
  return keys;
}

function unusable(message: string): AgentError {
  return new AgentError(message, { code: 'metadata_invalid' });
}

/** `undefined`: the signature is right. */
async function whyWrong(idJag: string, keys: readonly JsonObject[]): Promise<string | undefined> {
  const { compactVerify, createLocalJWKSet, errors } = await import('jose');
  try {
    await compactVerify(idJag, createLocalJWKSet({ keys: keys.map((key) => ({ ...key })) }));
    return undefined;
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      return 'It is not the signature of the key that kid and alg name.';
    }
    if (error instanceof errors.JWKSNoMatchingKey) {
      return `The issuer publishes no key for its kid and alg. It has ${describeKeys(keys)}.`;
    }
    if (error instanceof errors.JWKSMultipleMatchingKeys) {
      return 'Several keys of the issuer fit: name one by kid.';
    }
    if (error instanceof errors.JOSEError) return `It cannot be verified: ${error.message}.`;
    throw error;
  }
}

function describeKeys(keys: readonly JsonObject[]): string {
  const ids = keys.map(({ kid, alg, kty }) => `${kid ?? 'a key without kid'} (${alg ?? kty})`);
  return ids.length === 0 ? 'none' : ids.join(', ');
}

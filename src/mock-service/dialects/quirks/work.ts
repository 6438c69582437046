import { DIALECT_IDS, isJsonObject, MINUTE } from '../../../protocol/index.ts';
import { constantTimeEqual, hashOf, hmacSha256, randomToken } from '../../../runtime/index.ts';
import { PATHS } from '../../config/paths.ts';
import type { WorkDemand } from '../dialect.ts';
import type { Quirk } from './quirk.ts';

/** Some thousand hashes: an agent notices nothing of it, and a test does not wait. */
const BITS = 12;
const LIFETIME = 5 * MINUTE;

/**
 * The hash of `nonce:solution` begins with zero bits. Services that ask for work were only ever described
 * (SHA3-256, a challenge of an endpoint of its own, or in the refusal), so the members are ours.
 */
const WORK: WorkDemand = {
  challenge: ({ key, now, random }) => {
    const start = randomToken(random, `${now + LIFETIME}.`);
    return {
      algorithm: 'sha3-256',
      bits: BITS,
      nonce: `${start}.${hmacSha256(key, `challenge ${start}`)}`,
    };
  },
  solved: ({ proof_of_work: proof }, { key, now }) => {
    if (!isJsonObject(proof)) return undefined;
    const { nonce, solution } = proof;
    if (typeof nonce !== 'string' || typeof solution !== 'string') return undefined;
    const [, start = '', end = '', mac = ''] = /^((\d{1,15})\.[\w-]+)\.([\w-]+)$/.exec(nonce) ?? [];
    const expiresAt = Number(end);
    const isOurs = constantTimeEqual(mac, hmacSha256(key, `challenge ${start}`));
    if (!isOurs || now >= expiresAt || !/^\d{1,20}$/.test(solution)) return undefined;
    return zeroBits(hashOf('sha3-256', `${nonce}:${solution}`)) >= BITS
      ? { nonce, expiresAt }
      : undefined;
  },
};

/** The zero bits that bytes begin with. */
function zeroBits(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? bytes.length * 8 : first * 8 + Math.clz32(bytes[first] ?? 0) - 24;
}

export const WORK_QUIRKS = {
  'proof-of-work': {
    description:
      'A registration needs a proof of work, for a challenge of `challenge_endpoint` or of the refusal.',
    fits: DIALECT_IDS,
    over: (right) => ({
      ...right,
      work: WORK,
      metadata: (config) => {
        const members = right.metadata(config);
        const challenge_endpoint = config.issuer + PATHS.challenge;
        return { ...members, agent_auth: { ...members.agent_auth, challenge_endpoint } };
      },
      routes: (endpoints) => {
        const { api, claimPages } = right.routes(endpoints);
        return { api: [...api, endpoints.challenge], claimPages };
      },
    }),
  },
} as const satisfies Readonly<Record<string, Quirk>>;

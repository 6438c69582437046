import { displayText, isJsonObject, type JsonObject } from '../../../protocol/index.ts';
import { hashOf } from '../../../runtime/index.ts';
import { AgentError } from '../../agent-error.ts';
import type { AgentContext } from '../../context.ts';

/**
 * A proof of work for a registration: the text `nonce:solution` has a hash that begins with `bits` zero bits.
 * Services that want one were only ever described (SHA3-256, 20 bits, a challenge from an endpoint of its own or
 * in a refusal), so that this form is ours: `proof_of_work: { nonce, solution }` in the body of the registration,
 * the solution a decimal number.
 */
export interface Challenge {
  readonly algorithm: 'sha3-256' | 'sha-256';
  readonly bits: number;
  readonly nonce: string;
}

export interface ProofOfWork {
  readonly nonce: string;
  readonly solution: string;
}

/** More takes minutes, and a service could ask for hours. */
const MOST_BITS = 26;
/** Hashes between two looks at the signal, some milliseconds. */
const BATCH = 4096;

/**
 * The challenge in an answer: as an object in `challenge`, in `proof_of_work` or in the error, else the answer
 * itself. `undefined`: there is none. @throws AgentError `bad_answer` for one that cannot be read.
 */
export function readChallenge(json: JsonObject): Challenge | undefined {
  const { error } = json;
  const places = [json, ...(isJsonObject(error) ? [error] : [])];
  const named = places.flatMap((place) => [place['challenge'], place['proof_of_work']]);
  const found = named.find(isJsonObject) ?? (hasBits(json) ? json : undefined);
  if (found === undefined) return undefined;
  const algorithm = readAlgorithm(found['algorithm'] ?? found['alg']);
  const bits = BITS.map((name) => found[name]).find((value) => value !== undefined);
  const nonce = ['nonce', 'challenge', 'seed'].map((name) => found[name]).find(isText);
  if (nonce === undefined || typeof bits !== 'number' || !Number.isSafeInteger(bits) || bits < 1) {
    throw new AgentError('The service asks for a proof of work that this agent cannot read.', {
      code: 'bad_answer',
    });
  }
  return { algorithm, bits, nonce };
}

const BITS = ['bits', 'difficulty', 'difficulty_bits'] as const;

function hasBits(json: JsonObject): boolean {
  return BITS.some((name) => json[name] !== undefined);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1024;
}

function readAlgorithm(given: unknown): Challenge['algorithm'] {
  const name = typeof given === 'string' ? given.toLowerCase().replace(/[-_]/g, '') : '';
  if (given === undefined || name === 'sha3256') return 'sha3-256';
  if (name === 'sha256') return 'sha-256';
  throw new AgentError(
    `The service asks for a proof of work by ${displayText(String(given), 40)}, which this agent cannot do.`,
    { code: 'not_offered' },
  );
}

/**
 * Tries numbers from 0 on, and lets others work between batches.
 * @throws AgentError `not_offered` where it asks for more than {@link MOST_BITS} bits, `aborted`.
 */
export async function solve(
  { sleep }: Pick<AgentContext, 'sleep'>,
  { algorithm, bits, nonce }: Challenge,
  signal?: AbortSignal,
): Promise<ProofOfWork> {
  if (bits > MOST_BITS) {
    throw new AgentError(
      `The service asks for a proof of work of ${bits} bits; this agent does at most ${MOST_BITS}.`,
      { code: 'not_offered', hint: 'Ask the service for another way to register.' },
    );
  }
  for (let start = 0; ; start += BATCH) {
    for (let number = start; number < start + BATCH; number += 1) {
      const solution = String(number);
      if (leadingZeros(hashOf(algorithm, `${nonce}:${solution}`)) >= bits) {
        return { nonce, solution };
      }
    }
    await yieldTo(sleep, signal);
  }
}

async function yieldTo(sleep: AgentContext['sleep'], signal: AbortSignal | undefined) {
  try {
    await sleep(0, signal);
    signal?.throwIfAborted();
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new AgentError('The proof of work was interrupted.', { code: 'aborted', cause: error });
  }
}

/** The zero bits that bytes begin with. */
export function leadingZeros(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  if (first === -1) return bytes.length * 8;
  return first * 8 + Math.clz32(bytes[first] ?? 0) - 24;
}

import {
  displayText,
  isJsonObject,
  type JsonObject,
  parseChallenges,
  retryAfter,
  wireCode,
} from '../../protocol/index.ts';
import type { AgentSurface, Problem } from '../agent-error.ts';
import type { Answer } from '../http/answer.ts';

/** Spellings that mean a code of the list (wire.md §3). */
const SYNONYMS: ReadonlyMap<string, string> = new Map([['issuer_not_enabled', 'invalid_issuer']]);

/**
 * The error of an answer in one shape, whatever the envelope: RFC 6749, RFC 8935, nested, or only a
 * challenge. The code decides, whatever the status; a success status with an `error` is an error.
 * `undefined` when there is none. A redirect says nothing, whatever is in it: nobody but the reader of
 * the success decides about it, and refuses it.
 */
export function readProblem(
  answer: Answer,
  surface: AgentSurface,
  now: number,
): Problem | undefined {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) return undefined;
  const json = answer.body.ok ? answer.body.json : {};
  const failed = status >= 400;
  const challenge = failed ? readChallenge(headers) : {};
  const sent =
    codeIn(json['error']) ??
    (failed ? (codeIn(json['err']) ?? codeIn(json['code'])) : undefined) ??
    codeIn(challenge['error']);
  if (!failed && sent === undefined) return undefined;
  const code = sent === undefined ? undefined : (SYNONYMS.get(sent) ?? sent);
  return {
    surface,
    code,
    move:
      (code === undefined ? undefined : wireCode(surface, code)?.next) ??
      (status === 429 || status >= 500 ? 'retry_later' : 'stop'),
    description: descriptionIn(json) ?? textIn(challenge['error_description']),
    status,
    retryAfter: retryAfter(headers, now),
    maxAge: secondsIn(json['max_age']) ?? secondsIn(Number(challenge['max_age'])),
    scope: textIn(challenge['scope'] ?? json['scope'])?.split(' '),
  };
}

/** The parameters of whichever challenge carries an error. */
function readChallenge(headers: Headers): Readonly<Record<string, string | undefined>> {
  const field = headers.get('www-authenticate') ?? '';
  const ours = parseChallenges(field).filter(({ scheme }) => /^(agentauth|bearer)$/i.test(scheme));
  return ours.find(({ params }) => params['error'] !== undefined)?.params ?? {};
}

function codeIn(value: unknown): string | undefined {
  const code = isJsonObject(value) ? value['code'] : value;
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : undefined;
}

function descriptionIn(json: JsonObject): string | undefined {
  const nested = json['error'];
  return (
    textIn(json['error_description']) ??
    textIn(json['message']) ??
    textIn(json['description']) ??
    (isJsonObject(nested) ? textIn(nested['message']) : undefined)
  );
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? displayText(value) || undefined : undefined;
}

function secondsIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

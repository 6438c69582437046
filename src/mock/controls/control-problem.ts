import { buildChallenge } from '../../protocol/challenge.ts';
import { wireText } from '../../protocol/text.ts';
import { json, WireProblem } from '../http/response.ts';
import type { Envelope } from '../http/route.ts';

/** Why a control call was refused. These codes are not part of the protocol. */
const KINDS = {
  invalid_request: 400,
  invalid_token: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  misdirected_request: 421,
} as const;

type ControlProblemKind = keyof typeof KINDS;

/** @param description public: says to the caller what to do. */
export function controlProblem(kind: ControlProblemKind, description: string): WireProblem {
  return new WireProblem({
    surface: 'transport',
    code: kind,
    status: KINDS[kind],
    description,
    members: {},
    headers:
      kind === 'invalid_token'
        ? { 'www-authenticate': buildChallenge('Bearer', { realm: 'mock-control' }) }
        : {},
  });
}

/** `/__mock`: `{ error, error_description }`. */
export const controlEnvelope: Envelope = ({ code, description, headers, members, status }) =>
  json({ error: code, error_description: wireText(description), ...members }, { status, headers });

/** @throws WireProblem where what was given is refused as an option would be. */
export function checked<T>(resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (error instanceof TypeError) throw controlProblem('invalid_request', error.message);
    throw error;
  }
}

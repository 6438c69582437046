import { Secret } from '../../runtime/index.ts';
import { AgentError } from '../agent-error.ts';

/**
 * `AGENT_AUTH_TOKEN`, which beats the credential file; `undefined` when it is not set or empty.
 * @throws AgentError `bad_token` when it could not travel in a header.
 */
export function environmentToken(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Secret | undefined {
  const value = environment['AGENT_AUTH_TOKEN']?.trim();
  if (!value) return undefined;
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new AgentError('AGENT_AUTH_TOKEN contains characters that a token cannot contain.', {
      code: 'bad_token',
      hint: 'Set it to the token alone, or unset it.',
    });
  }
  return new Secret(value);
}

/** `AGENT_AUTH_SERVICE`: the service that a token of the environment is for; `undefined` when it is not set or empty. */
export function environmentService(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  return environment['AGENT_AUTH_SERVICE']?.trim() || undefined;
}

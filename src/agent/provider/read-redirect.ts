import { displayText } from '../../protocol/index.ts';
import { AgentError } from '../agent-error.ts';
import type { PageSignIn } from '../model.ts';
import type { Provider } from './provider.ts';

/** What a browser brought back. */
export type RedirectAnswer =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'denied' };

/**
 * Judges the answer to an authorization request before anything of it is used: it is the one to this request (`state`),
 * and of this provider (`iss`, RFC 9207 §2.4).
 * @throws AgentError `sign_in_mismatch`, or what the provider refused with.
 */
export function readRedirect(
  answer: URLSearchParams,
  { state }: Pick<PageSignIn, 'state'>,
  { issuer, namesIssuer }: Pick<Provider, 'issuer' | 'namesIssuer'>,
): RedirectAnswer {
  const only = (name: string) => {
    const [value, another] = answer.getAll(name);
    if (another !== undefined) throw mismatch(`it has two values of ${name}`);
    return value || undefined;
  };
  if (only('state') !== state.reveal()) throw mismatch('its state is not that of this sign-in');
  const iss = only('iss');
  if (iss === undefined ? namesIssuer : iss !== issuer) {
    throw mismatch(
      iss === undefined
        ? 'it does not name its issuer (iss), which the provider announces'
        : `it is of ${displayText(iss, 100)} (iss), not of ${displayText(issuer, 100)}`,
    );
  }
  const [code, error] = [only('code'), only('error')];
  if (error === 'access_denied') return { kind: 'denied' };
  if (error !== undefined || code === undefined) throw refused(error, only('error_description'));
  return { kind: 'code', code };
}

function mismatch(why: string): AgentError {
  return new AgentError(`The answer of the browser is not used: ${why}.`, {
    code: 'sign_in_mismatch',
    hint: 'Nothing was sent to the provider. Sign in again; if it goes on, somebody else answers in its place.',
  });
}

function refused(error = 'no reason', description: string | undefined): AgentError {
  const words = description === undefined ? '' : ` It says: "${displayText(description, 200)}".`;
  return new AgentError(
    `The provider did not sign the user in, for ${displayText(error, 64)}.${words}`,
    { code: 'unknown_problem' },
  );
}

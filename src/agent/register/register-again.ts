import { AgentError } from '../agent-error.ts';
import type { AccessToken, Registration, Service, Warning } from '../model.ts';
import type { ConsentRequired, LoginRequired } from '../outcomes.ts';
import type { Tools } from '../tools.ts';
import { registerMinted } from './register-minted.ts';
import { settleRegistration } from './settle-registration.ts';

interface RegisteredAgain {
  readonly token: AccessToken;
  readonly registration: Registration;
  readonly warnings: readonly Warning[];
}

/**
 * The last rung of wire contract §6: a fresh ID-JAG of the provider that the registration came from, when the
 * user is signed in there. `undefined` when the user is not, or the service refuses.
 * @throws AgentError `claim_pending` when the user has to confirm the link again, `login_needed` or
 *   `consent_needed` when the provider wants its user first.
 */
export async function registerAgain(
  given: Tools,
  service: Service,
  { provider, members }: Registration,
  signal: AbortSignal | undefined,
): Promise<RegisteredAgain | undefined> {
  const tools = { ...given, members: members ?? given.members };
  const { providers } = await tools.store.read();
  if (provider === null || !providers.some(({ issuer }) => issuer === provider)) return undefined;
  const minted = await registerMinted(tools, service, { provider, signal });
  if ('status' in minted) throw userNeeded(minted, provider, service);
  if (minted.result.kind === 'refused' || minted.result.kind === 'mint_again') return undefined;
  const outcome = await settleRegistration(tools, service, minted, signal);
  switch (outcome.status) {
    case 'registered':
      return {
        token: outcome.token,
        registration: outcome.registration,
        warnings: outcome.warnings,
      };
    case 'claim_needed':
    case 'claim_pending':
      throw new AgentError('The user has to confirm the link to the account again.', {
        code: 'claim_pending',
        hint: 'Show the user the code.',
        next: { command: 'claim', args: [] },
      });
    case 'login_required':
    case 'consent_required':
      throw userNeeded(outcome, provider, service);
  }
}

function userNeeded(
  need: LoginRequired | ConsentRequired,
  provider: string,
  service: Service,
): AgentError {
  if (need.status === 'login_required') {
    // A browser that is signed in already would bring back the sign-in that was too old.
    const fresh = need.askedBy === 'agent' ? [] : ['--fresh'];
    return new AgentError(
      'The registration is no longer valid, and the sign-in at the provider is too old to make another.',
      {
        code: 'login_needed',
        hint: 'Let the user sign in at the provider again.',
        next: { command: 'provider login', args: [provider, ...fresh] },
      },
    );
  }
  return new AgentError(
    'The registration is no longer valid, and the user’s consent at the provider is gone.',
    {
      code: 'consent_needed',
      hint: 'Ask the user to agree again.',
      next: { command: 'provider consent', args: [provider, '--audience', service.issuer] },
    },
  );
}

import { type Agent, AgentError, type ConnectUser } from '../../agent/index.ts';
import { Secret } from '../../runtime/index.ts';
import type { UserScript } from './user-script.ts';

/** A user is asked for the same thing so often; then something else is wrong. */
const MOST_ROUNDS = 5;

/** The user at the terminal of an agent: what `connect` takes as its `user`. */
export function userAt(script: UserScript, agent: Agent): ConnectUser {
  return {
    email: async () => script.email,
    claim: (_open, wait) => wait(),
    code: async ({ ceremony }) => {
      const code = await script.askedForCode(ceremony);
      return code === undefined ? undefined : new Secret(code);
    },
    atProvider: async ({ attempt, scopes, service }) => {
      for (let round = 0; round < MOST_ROUNDS; round += 1) {
        const outcome = await attempt();
        if (outcome.status === 'login_required') {
          await signIn(agent, outcome.provider ?? '', outcome.askedBy !== 'agent');
        } else if (outcome.status === 'consent_required') {
          const { audience, provider } = outcome;
          await agent.providerConsent({
            provider,
            audience,
            scopes,
            resource: service.resource,
            onConsentRequired: () => {},
          });
        } else {
          return outcome;
        }
      }
      throw notDone('The user did not act at the provider.');
    },
  };
}

async function signIn(agent: Agent, provider: string, isFresh: boolean): Promise<void> {
  const login = await agent.providerLogin({ provider, ...(isFresh && { prompt: 'login' }) });
  const { status } = await login.wait();
  if (status !== 'signed_in') throw notDone(`The sign-in at the provider ended: ${status}.`);
}

function notDone(message: string): AgentError {
  return new AgentError(message, {
    code: 'login_needed',
    hint: "Say what the user does: user.whenAsked('approve').",
  });
}

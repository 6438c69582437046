import { createMockService, type MockService, rewire, type ServiceFault } from 'agent-auth/mock-service';

const MINUTE = 60_000;

/** `config`: access tokens live five minutes. */
const shortTokens: ServiceFault = {
  name: 'shortTokens',
  description: 'issues access tokens for five minutes',
  config: (right) => ({ ...right, lifetimes: { ...right.lifetimes, accessToken: 5 * MINUTE } }),
};

/** `decisions`: of the checks of an ID-JAG, one is not made. */
const anyClient: ServiceFault = {
  name: 'anyClient',
  description: 'does not look at the client_id of an ID-JAG',
  decisions: rewire.omitting('idJagChecks', 'client'),
};

/** `parts`: user codes are made another way. */
const fixedPrefix: ServiceFault = {
  name: 'fixedPrefix',
  description: 'has user codes that begin with two zeros',
  parts: ({ secrets }) => ({
    secrets: { ...secrets, userCode: (attempt) => `00${secrets.userCode(attempt).slice(2)}` },
  }),
};

/** `answers`: a poll before the claim is answered 200. */
const pendingIsOk: ServiceFault = {
  name: 'pendingIsOk',
  description: 'answers a pending poll 200, with a status in place of an error',
  answers: rewire.on(
    (path, { status }) => path === '/oauth2/token' && status === 400,
    async (response) => {
      const { error } = (await response.clone().json()) as { readonly error: string };
      return error === 'authorization_pending' ? Response.json({ status: 'pending' }) : response;
    },
  ),
};

/** `noSlowDown` is a fault that the mock knows by name. */
export const ANOTHER_SERVICE = ['noSlowDown', shortTokens, anyClient, fixedPrefix, pendingIsOk];

/** The mock, behaving as that service does. */
export function anotherService(): Promise<MockService> {
  return createMockService({ baseUrl: 'https://another.example', faults: ANOTHER_SERVICE });
}

import { CannotTest } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import { openJwt, signatureProblem } from '../../jwt/open.ts';
import { providerScenario } from '../provider-scenario.ts';

export const deviceSignIn = providerScenario({
  id: 'device-sign-in',
  title: 'A user signs an agent in by its code',
  checks: {
    started: 'A device authorization is answered with both codes, an address and its life.',
    uncached: 'Answers with codes and tokens may not be kept by a cache.',
    pending: 'A poll before the user has acted is answered authorization_pending.',
    'slow-down': 'A poll right after another one is answered slow_down.',
    'signed-in': 'After the user has agreed, a poll brings an ID token.',
    'id-token-audience':
      "The ID token is the provider's, for the agent's client id, with sub, iat and exp.",
    'id-token-signature': 'The ID token is signed by a key of the published set.',
  },
  async run(judge, world) {
    const email = world.email();
    const started = await world.startSignIn();
    const isPositive = (name: string) => Number(started.answer.member(name)) > 0;
    judge.expect(
      'started',
      started.answer.status === 200 &&
        isPositive('expires_in') &&
        (started.answer.member('interval') === undefined || isPositive('interval')),
      started.answer,
    );
    const uncached = (answer: Answer) =>
      judge.expect(
        'uncached',
        answer.cacheControl.includes('no-store'),
        `Cache-Control: ${answer.header('cache-control') ?? 'missing'}`,
        { exchange: answer.exchange },
      );
    uncached(started.answer);
    const early = await world.client.poll(started.deviceCode);
    judge.expect('pending', early.errorCode === 'authorization_pending', early);
    const fast = await world.client.poll(started.deviceCode);
    judge.expect('slow-down', fast.errorCode === 'slow_down', fast);
    const { userCode, verificationUri } = started;
    await world.user.signIn({ verificationUri, userCode, email, decision: 'approve' });
    const answer = await world.collect({ ...started, interval: started.interval + 5 });
    const idToken = answer.string('id_token');
    const signedIn = answer.status === 200 && idToken !== undefined;
    if (!judge.expect('signed-in', signedIn, answer) || idToken === undefined) {
      throw new CannotTest('There is no ID token to look at.');
    }
    uncached(answer);
    const opened = openJwt(idToken);
    const { aud, exp, iat, iss, sub } = opened?.claims ?? {};
    const { clientId } = world.client;
    judge.expect(
      'id-token-audience',
      iss === world.facts.issuer &&
        [aud].flat().includes(clientId) &&
        typeof sub === 'string' &&
        typeof exp === 'number' &&
        typeof iat === 'number',
      JSON.stringify({ iss, aud, sub, iat, exp }),
      {
        expected: `iss ${world.facts.issuer}, aud ${clientId}, and sub, iat and exp`,
        exchange: answer.exchange,
      },
    );
    if (opened === undefined) return;
    const problem = signatureProblem(opened, await world.keySet());
    judge.expect('id-token-signature', problem === undefined, problem ?? '', {
      exchange: answer.exchange,
    });
  },
});

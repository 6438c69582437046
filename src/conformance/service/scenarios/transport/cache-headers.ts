import { header, matches, noStore } from '../../../engine/rows.ts';
import { serviceScenario } from '../../service-scenario.ts';

/** RFC 9111 §3.5: what lets a shared cache store an answer to a call with a token. */
const SHARED = /^(public|s-maxage=.*|must-revalidate)$/;

export const cacheHeaders = serviceScenario({
  id: 'cache-headers',
  title: 'Answers with secrets are not cached',
  checks: {
    tokens: 'A token answer has Cache-Control: no-store.',
    pragma: 'A token answer has Pragma: no-cache too.',
    registrations: 'Answers with assertions, claim tokens and codes have Cache-Control: no-store.',
    calls: 'No shared cache may store the answer to a call with a token.',
  },
  restsOn: {
    pragma: 'cache-headers.tokens',
    registrations: 'cache-headers.tokens',
  },
  async run(judge, world) {
    world.needType('anonymous');
    const { client } = world;
    const registered = await client.registerAnonymous();
    const assertion = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const claimToken = registered.string('claim_token');
    const answers = [registered];
    if (world.facts.claimEndpoint !== undefined && claimToken !== undefined) {
      answers.push(await client.startClaim(claimToken, world.userEmail()));
    }
    for (const answer of answers) judge.table(answer, { registrations: noStore });
    const granted = await client.exchange(assertion);
    const token = world.must(granted, 'access_token', 'an exchange');
    judge.table(granted, { tokens: noStore, pragma: header('Pragma', matches(/^no-cache$/i)) });
    if (world.facts.resource === undefined) return;
    const called = await client.call(token);
    const isShared = called.cacheControl.some((directive) => SHARED.test(directive));
    judge.table(called, { calls: header('Cache-Control', () => !isShared) });
  },
});

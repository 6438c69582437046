import { CannotTest } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { NoAnswer } from '../../../http/no-answer.ts';
import { readClaimBlock } from '../../claim-block.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { mustTakeRegistrations } from '../../steps/controls.ts';
import { someRegistration } from '../../steps/new-registration.ts';
import { namingHost } from '../../steps/urls.ts';

export const forgedHosts = serviceScenario({
  id: 'forged-hosts',
  title: 'A registration, a claim or a look at its page names a foreign host in its header',
  checks: {
    forwarded:
      'The host of a forwarding header appears in no answer to a registration or claim, and on no page.',
    host: 'A foreign Host appears in no answer to a registration or claim, and on no page.',
  },
  async run(judge, world) {
    await mustTakeRegistrations(world);
    const evil = world.elsewhere;
    const pages = await linkOf(world);
    for (const [check, headers] of namingHost(evil)) {
      for (const answer of await answersTo(world, headers, pages)) {
        // A server that does not serve this host may name it in its error.
        const isOurs = answer.status < 400;
        const all = [answer.text, ...answer.headers.map(([, value]) => value)].join('\n');
        const { exchange } = answer;
        const more = { case: headers.map(([name]) => name).join(', '), exchange };
        judge.expect(check, !(isOurs && all.includes(evil)), `${evil} in the answer`, more);
      }
    }
  },
});

/** The link of a claim; none where the service opens none. */
async function linkOf(world: ServiceWorld): Promise<readonly string[]> {
  const { claimEndpoint, identityTypes } = world.facts;
  if (identityTypes.includes('service_auth')) {
    return [(await world.byEmail(world.userEmail())).claim.verificationUri];
  }
  if (claimEndpoint === undefined) return [];
  const { claimToken } = await world.anonymous();
  return [(await world.openClaim(claimToken, world.userEmail())).verificationUri];
}

/** What a registration, its claim and some pages are answered, each with these header fields. */
async function answersTo(
  world: ServiceWorld,
  headers: HeaderList,
  pages: readonly string[],
): Promise<readonly Answer[]> {
  const { client, facts } = world;
  const answers: Answer[] = [];
  const take = async (sent: Promise<Answer>): Promise<Answer | undefined> => {
    const answer = await orClosed(sent);
    if (answer !== undefined) answers.push(answer);
    return answer;
  };
  const registered = await take(client.identity(someRegistration(world), headers));
  const claimToken = registered?.string('claim_token');
  const isOpen = registered !== undefined && readClaimBlock(registered) !== undefined;
  if (claimToken !== undefined && !isOpen && facts.claimEndpoint !== undefined) {
    const body = { claim_token: claimToken, email: world.userEmail() };
    await take(client.postJson(facts.claimEndpoint, body, { headers, from: 'agent' }));
  }
  for (const page of pages) await take(world.send(page, { headers, from: 'user' }));
  return answers;
}

/** Closing the connection refuses it too. @throws CannotTest where nothing is answered in time. */
async function orClosed(sent: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (error.kind === 'broken') return undefined;
    throw new CannotTest(`A request with a foreign host was not answered: ${error.message}`);
  }
}

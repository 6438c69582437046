import type { Answer } from '../../http/answer.ts';
import { readClaimBlock } from '../claim-block.ts';
import type { ServiceWorld } from '../service-world.ts';
import { Hops } from './hops.ts';
import type { Markup } from './injected-markup.ts';

/** A page that may show what an agent supplied about itself or its user. */
export interface ShownPage {
  readonly answer: Answer;
  readonly url: string;
}

/**
 * Local parts with markup: quoted (RFC 5321 §4.1.2), bare for a service that looks for an @ alone, and
 * one that every email may have.
 */
const localParts = (markup: string, { local }: Markup): readonly string[] => [
  `"${markup.replace(/"/g, '\\"')}"`,
  markup.replace(/"/g, ''),
  local,
];

/**
 * The pages that another user sees behind the link of a claim whose agent has put markup into the email
 * and into its User-Agent. An email that is refused is shown nowhere.
 */
export async function pagesWithAgentMarkup(
  world: ServiceWorld,
  markup: string,
  markups: Markup,
): Promise<readonly ShownPage[]> {
  const shown: ShownPage[] = [];
  for (const local of localParts(markup, markups)) {
    const link = await linkFor(world, `${local}@${world.elsewhere}`, markup);
    if (link !== undefined) shown.push(...(await seenByOtherUser(world, link)));
  }
  const email = world.freshEmail();
  const link = await linkFor(world, email, markup);
  if (link !== undefined) {
    shown.push(await new Hops(world).toCode(link, email));
  }
  return shown;
}

async function linkFor(
  world: ServiceWorld,
  email: string,
  markup: string,
): Promise<string | undefined> {
  const agent = [['user-agent', `${world.invented.word()} ${markup}`]] as const;
  if (world.facts.identityTypes.includes('service_auth')) {
    const answer = await world.client.identity({ type: 'service_auth', login_hint: email }, agent);
    return readClaimBlock(answer)?.verificationUri;
  }
  const { claimToken } = await world.anonymous();
  const answer = await world.client.postJson(
    world.client.endpoint('claimEndpoint'),
    { claim_token: claimToken, email },
    { headers: agent, from: 'agent' },
  );
  return readClaimBlock(answer)?.verificationUri;
}

async function seenByOtherUser(world: ServiceWorld, link: string): Promise<readonly ShownPage[]> {
  const hops = new Hops(world);
  const opened = await hops.visitor.open(link);
  return [opened, await hops.signIn(opened, world.freshEmail())];
}

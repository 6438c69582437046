import type { Answer } from '../../http/answer.ts';
import type { ServiceWorld } from '../service-world.ts';
import { readClaimBlock } from './claim-block.ts';
import { Hops } from './hops.ts';
import type { Markup } from './injected-markup.ts';

/** A page that shows what an agent said of itself or of its user. */
export interface Shown {
  readonly answer: Answer;
  readonly url: string;
}

/**
 * Local parts that hold markup: in quotes (RFC 5321 §4.1.2), bare where a service looks for an @ alone,
 * and one that every address may have.
 */
const localParts = (markup: string, { local }: Markup): readonly string[] => [
  `"${markup.replace(/"/g, '\\"')}"`,
  markup.replace(/"/g, ''),
  local,
];

/**
 * What a stranger sees who opens the link of a claim whose agent has put markup into the address, and
 * into its User-Agent. An address that is refused is shown nowhere.
 */
export async function pagesOfAgent(
  world: ServiceWorld,
  markup: string,
  markups: Markup,
): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for (const local of localParts(markup, markups)) {
    const link = await linkFor(world, `${local}@${world.elsewhere}`, markup);
    if (link !== undefined) shown.push(...(await seenByStranger(world, link)));
  }
  const email = world.freshEmail();
  const link = await linkFor(world, email, markup);
  if (link !== undefined) {
    const page = await new Hops(world).toCode(link, email);
    shown.push(page);
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

async function seenByStranger(world: ServiceWorld, link: string): Promise<readonly Shown[]> {
  const hops = new Hops(world);
  const opened = await hops.visitor.open(link);
  return [opened, await hops.signIn(opened, world.freshEmail())];
}

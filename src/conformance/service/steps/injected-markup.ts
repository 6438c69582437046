import type { Invented } from '../../engine/invented.ts';
import type { Answer } from '../../http/answer.ts';
import { readContent } from '../../pages/page-content.ts';
import type { Page } from '../../pages/visitor.ts';
import { readClaimBlock } from '../claim-block.ts';
import type { ServiceWorld } from '../service-world.ts';
import { Hops } from './hops.ts';

/** Markup that is sent as text, with an element and an attribute that no page of a service has. */
export class Markup {
  /** Texts that break out of a text, of an attribute in either kind of quotes, of a script. */
  readonly texts: readonly string[];
  /** Markup without a space and without angle brackets: allowed in the local part of every email. */
  readonly local: string;
  readonly #element: string;
  readonly #attribute: string;

  constructor(invented: Invented) {
    const element = invented.header();
    const attribute = `on${invented.word()}`;
    this.#element = element;
    this.#attribute = attribute;
    this.local = `'/${attribute}='1`;
    this.texts = [
      `<${element}></${element}>`,
      `"><${element}></${element}>`,
      `'><${element}></${element}>`,
      `" ${attribute}="1`,
      `' ${attribute}='1`,
      `</script><${element}></${element}>`,
    ];
  }

  /** Whether some of it has become part of a page. */
  isPartOf(answer: Answer, url: string): boolean {
    const content = readContent(answer, url);
    return content.has(this.#element) || content.has(this.#attribute);
  }
}

/** The text that a page shows. */
export function textOf({ answer, url }: Page): string {
  return readContent(answer, url).text;
}

/** Whether two texts differ, apart from times and other numbers, which differ from page to page. */
export function differ(one: string, another: string): boolean {
  return one.replace(/\d+/g, '') !== another.replace(/\d+/g, '');
}

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

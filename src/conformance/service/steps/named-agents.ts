import { CannotTest, NotApplicable } from '../../engine/judge.ts';
import { Answer } from '../../http/answer.ts';
import type { HeaderList } from '../../http/http-client.ts';
import { readContent } from '../../pages/page-content.ts';
import type { Page } from '../../pages/visitor.ts';
import { readClaimBlock } from '../claim-block.ts';
import type { ServiceWorld } from '../service-world.ts';
import { Hops } from './hops.ts';
import type { ShownPage } from './injected-markup.ts';
import { naming } from './naming-members.ts';
import { approveClaim, type OpenClaim } from './open-claim.ts';
import { isRegistered } from './present-id-jag.ts';

/** What an agent that names itself registers by. */
type Kind = 'service_auth' | 'anonymous';

/** Links of a page that are looked at, and those that are not: they would end the session. */
const MOST_LINKS = 4;
const ENDS_SESSION = /log-?out|sign-?out|log-?off|end-?session/i;
/** A mail comes later than its answer. Milliseconds. */
const MAIL_WAIT = 2000;

/** Agents that name themselves in members of their requests, and what users then see. */
export class NamedAgents {
  readonly #world: ServiceWorld;
  readonly #members: readonly string[];
  /** Empty: there is none. */
  #otherUser: string | undefined;
  readonly #taken = new Map<Kind, Promise<readonly string[]>>();

  /** @param members Each is sent, unless the service refuses a registration for it. */
  constructor(world: ServiceWorld, members: readonly string[]) {
    this.#world = world;
    this.#members = members;
  }

  /** The registrations that lead to a page. */
  get kinds(): readonly Kind[] {
    const { claimEndpoint, identityTypes } = this.#world.facts;
    return [
      ...(identityTypes.includes('service_auth') ? (['service_auth'] as const) : []),
      ...(identityTypes.includes('anonymous') && claimEndpoint !== undefined
        ? (['anonymous'] as const)
        : []),
    ];
  }

  /**
   * What is shown of an agent of this name: to its user before and after the decision, behind the links of
   * the last page, to another account, and in an HTML mail.
   */
  async shown(kind: Kind, name: string): Promise<readonly ShownPage[]> {
    const world = this.#world;
    const email = world.userEmail();
    const members = naming(await this.#takenMembers(kind, name), name);
    const open = await openNamed(world, kind, email, members);
    if (open === undefined) return [];
    const hops = new Hops(world);
    const pages = [await hops.signIn(await hops.visitor.open(open.claim.verificationUri), email)];
    pages.push(...(await this.#seenByOtherUser(open)));
    try {
      const { hops: signedIn, page } = await approveClaim(world, open);
      pages.push(page, ...(await behind(signedIn, page)));
    } catch (error) {
      // The pages before are judged all the same.
      if (!(error instanceof CannotTest || error instanceof NotApplicable)) throw error;
    }
    return [...pages, ...(await mailed(world, email))];
  }

  /** The page for another account; none where the run has one user alone. */
  async #seenByOtherUser({ claim }: OpenClaim): Promise<readonly Page[]> {
    this.#otherUser ??= anotherUser(this.#world);
    if (this.#otherUser === '') return [];
    const hops = new Hops(this.#world);
    const first = await hops.visitor.open(claim.verificationUri);
    return [await hops.signIn(first, this.#otherUser)];
  }

  /** The members that are taken at once; where they are refused, those that are taken one by one. */
  #takenMembers(kind: Kind, name: string): Promise<readonly string[]> {
    const known = this.#taken.get(kind) ?? this.#tryMembers(kind, name);
    this.#taken.set(kind, known);
    return known;
  }

  async #tryMembers(kind: Kind, name: string): Promise<readonly string[]> {
    const takes = async (members: readonly string[]) =>
      isRegistered(await register(this.#world, kind, naming(members, name)));
    if (await takes(this.#members)) return this.#members;
    const taken: string[] = [];
    for (const member of this.#members) if (await takes([member])) taken.push(member);
    return taken;
  }
}

function anotherUser(world: ServiceWorld): string {
  try {
    return world.freshEmail();
  } catch (error) {
    if (error instanceof NotApplicable) return '';
    throw error;
  }
}

function register(
  world: ServiceWorld,
  kind: Kind,
  members: Readonly<Record<string, unknown>>,
  email = world.userEmail(),
): Promise<Answer> {
  const own = kind === 'service_auth' ? { type: kind, login_hint: email } : { type: kind };
  return world.client.identity({ ...members, ...own });
}

/** Its claim is open; undefined where the service opens none for it. */
async function openNamed(
  world: ServiceWorld,
  kind: Kind,
  email: string,
  members: Readonly<Record<string, unknown>>,
): Promise<OpenClaim | undefined> {
  const registered = await register(world, kind, members, email);
  const claimToken = registered.string('claim_token');
  if (claimToken === undefined) return undefined;
  const answer =
    kind === 'service_auth'
      ? registered
      : await world.client.postJson(
          world.client.endpoint('claimEndpoint'),
          { ...members, claim_token: claimToken, email },
          { from: 'agent' },
        );
  const claim = readClaimBlock(answer);
  const id = registered.string('registration_id');
  return claim === undefined ? undefined : { id, answer, email, claimToken, claim };
}

/** The pages that a page of a signed-in user links to, at the same origin. */
async function behind({ visitor }: Hops, page: Page): Promise<readonly Page[]> {
  const { origin } = new URL(page.url);
  const links = [...new Set(readContent(page.answer, page.url).links)].filter(
    (link) => new URL(link).origin === origin && !ENDS_SESSION.test(link),
  );
  const pages: Page[] = [];
  for (const link of links.slice(0, MOST_LINKS)) pages.push(await visitor.open(link));
  return pages;
}

const HTML: HeaderList = [['content-type', 'text/html']];

/** The newest mail of a user as the page that a mail program shows, where it is one. */
async function mailed(world: ServiceWorld, email: string): Promise<readonly ShownPage[]> {
  const mail = await world.means.mailbox?.next(email, (text) => text, MAIL_WAIT);
  if (mail === undefined || !/<(?:html|body|p|div)\b/i.test(mail)) return [];
  return [{ answer: new Answer(200, HTML, mail, 0, 0), url: world.facts.issuer }];
}

import { CannotTest, NeedsOption, NotApplicable } from '../../engine/judge.ts';
import type { Answer } from '../../http/answer.ts';
import type { PageForm } from '../../pages/forms.ts';
import type { Page, Visitor } from '../../pages/visitor.ts';
import { buttonsOf, isDeny } from '../../user/form-fields.ts';
import { decide, denying } from '../../user/form-user.ts';
import { NoDenial, readPages } from '../../user/own-reading.ts';
import { codeIn, linkIn } from '../../user/read-mail.ts';
import { signIn } from '../../user/sign-in.ts';
import type { ServiceWorld } from '../service-world.ts';
import type { FoundDialect } from './find-dialect.ts';
import type { Spelling } from './spelling.ts';

/** A claim whose code nobody has handed in. */
export interface OpenReadBack {
  readonly claimToken: string;
  readonly email: string;
  /** The answer to the registration, or to the start of the claim. */
  readonly answer: Answer;
  readonly page: string | undefined;
  /** Where its code is handed in. */
  readonly url: string;
  /** When it ends, in milliseconds since the epoch. */
  readonly end: number;
}

/** What the user has of a claim: a code, and where it can be denied. */
interface Shown {
  readonly code: string;
  deny(): Promise<Answer>;
}

/** Claims whose code the user reads to the agent: who asks for them, and the user's part. */
export class ReadBack {
  readonly world: ServiceWorld;
  readonly spelling: Spelling;
  readonly #found: FoundDialect;

  constructor(world: ServiceWorld, spelling: Spelling, found: FoundDialect) {
    this.world = world;
    this.spelling = spelling;
    this.#found = found;
  }

  /** @throws NotApplicable when the service offers none. */
  async anonymous(): Promise<Answer> {
    return this.#register(this.spelling.anonymous(this.world.facts), 'an anonymous registration');
  }

  /** @throws NotApplicable when the service offers none. */
  async byEmail(email: string): Promise<Answer> {
    const body = this.spelling.byEmail(this.world.facts, email);
    await this.#noteMails(email);
    return this.#register(body, 'a registration by email');
  }

  async start(registered: Answer, email: string): Promise<Answer> {
    const token = this.mustHaveToken(registered);
    await this.#noteMails(email);
    return this.post(this.#urlOf(registered), this.spelling.start(token, email));
  }

  /** An anonymous registration, or one by email, and its claim. */
  async open(email = this.world.freshEmail()): Promise<OpenReadBack> {
    if (this.spelling.anonymous(this.world.facts) === undefined) {
      const answer = await this.byEmail(email);
      return this.opened(answer, answer, email);
    }
    const registered = await this.anonymous();
    return this.opened(registered, await this.start(registered, email), email);
  }

  /** @throws CannotTest where no claim was started. */
  opened(registered: Answer, answer: Answer, email: string): OpenReadBack {
    const { isMailed, page, end } = this.spelling;
    const at = page(answer);
    if (!answer.ok || (at === undefined && !isMailed)) {
      throw new CannotTest(`The start of a claim was answered ${answer.describe()}.`);
    }
    const told = Date.parse(String(end(answer)));
    return {
      claimToken: this.mustHaveToken(registered),
      email,
      answer,
      page: at,
      url: `${this.#urlOf(registered)}/complete`,
      end: Number.isNaN(told) ? Number.POSITIVE_INFINITY : told,
    };
  }

  /** Hands a code in. */
  complete({ claimToken, url }: OpenReadBack, code: string, token = claimToken): Promise<Answer> {
    return this.post(url, this.spelling.complete(token, code));
  }

  /** The user's part: a page is opened, its question answered, and the code read; or the mail is. */
  async show(claim: OpenReadBack): Promise<Shown> {
    return claim.page === undefined
      ? this.#fromMail(claim)
      : this.#fromPage(claim.page, claim.email);
  }

  /** What somebody else sees at the page; undefined where that is no code. */
  async shownTo(claim: OpenReadBack, email: string): Promise<string | undefined> {
    if (claim.page === undefined) throw new NotApplicable('The code comes by mail, not on a page.');
    const visitor = this.world.visitor();
    return codeOn(await approved(visitor, await this.#signedIn(visitor, claim.page, email)));
  }

  /** Whether what a claim or a registration gave opens the service. */
  async opens(access: string): Promise<Answer> {
    const { client } = this.world;
    if (!this.spelling.exchanges) return client.call(access);
    const exchanged = await client.exchange(access);
    const token = exchanged.string('access_token');
    return token === undefined ? exchanged : client.call(token);
  }

  /** @throws CannotTest */
  mustHaveToken(answer: Answer): string {
    const token = this.spelling.claimToken(answer);
    if (token !== undefined) return token;
    throw new CannotTest(
      `A registration was answered ${answer.describe()}, without a claim token.`,
    );
  }

  post(url: string, body: object): Promise<Answer> {
    return this.world.client.postJson(url, body, { from: 'agent' });
  }

  async #register(body: object | undefined, what: string): Promise<Answer> {
    if (body === undefined) throw new NotApplicable(`The service does not offer ${what}.`);
    return this.world.client.identity(body);
  }

  #urlOf(registered: Answer): string {
    const url = this.spelling.claimUrl(registered) ?? this.#found.claimUrl;
    if (url !== undefined && URL.canParse(url)) return url;
    throw new NotApplicable('The service names no URL for claims.');
  }

  async #noteMails(email: string): Promise<void> {
    if (!this.spelling.isMailed) return;
    const { mailbox } = this.world.means;
    if (mailbox !== undefined) return mailbox.note(email);
    throw new NeedsOption(
      'The code comes by mail: name a command that prints the newest one with --mail-command.',
      '--mail-command',
    );
  }

  async #fromMail({ email }: OpenReadBack): Promise<Shown> {
    const { facts, means } = this.world;
    const found = await means.mailbox?.next(email, (mail) => {
      const code = codeIn(mail);
      return code === undefined ? undefined : { code, link: linkIn(mail, facts.issuer) };
    });
    if (found === undefined) throw new CannotTest('No mail with a code came in time.');
    means.conceal?.(found.code);
    const deny = async () => {
      if (found.link === undefined) throw new NotApplicable('The mail has no link to deny.');
      const visitor = this.world.visitor();
      return denied(visitor, await this.#signedIn(visitor, found.link, email));
    };
    return { code: found.code, deny };
  }

  async #fromPage(url: string, email: string): Promise<Shown> {
    const visitor = this.world.visitor();
    const page = await approved(visitor, await this.#signedIn(visitor, url, email));
    const code = codeOn(page);
    if (code === undefined) {
      throw new CannotTest(`The page of the claim shows no code: ${page.answer.describe()}.`);
    }
    this.world.means.conceal?.(code);
    return { code, deny: () => denied(visitor, page) };
  }

  async #signedIn(visitor: Visitor, url: string, email: string): Promise<Page> {
    const { means, user } = this.world;
    const first = await visitor.open(url);
    const until = (page: Page) => denying(page) !== undefined || codeOn(page) !== undefined;
    return readPages(user, () => signIn(visitor, first, email, means, { until }));
  }
}

/** Answers the question of a page; one without it is left as it is. */
async function approved(visitor: Visitor, page: Page): Promise<Page> {
  const form = page.forms.find(asksToApprove);
  if (form === undefined) return page;
  return decide(visitor, page, form, { userCode: '', decision: 'approve' });
}

async function denied(visitor: Visitor, page: Page): Promise<Answer> {
  const form = denying(page);
  if (form === undefined) throw new NoDenial();
  return (await decide(visitor, page, form, { userCode: '', decision: 'deny' })).answer;
}

function asksToApprove(form: PageForm): boolean {
  const buttons = buttonsOf(form);
  return buttons.some(isDeny) && buttons.some((button) => !isDeny(button));
}

/** The code that a page shows. A page that still asks shows none. */
function codeOn({ answer, forms }: Page): string | undefined {
  if (!answer.ok || forms.some(asksToApprove)) return undefined;
  const text = answer.text.replace(/<(style|script|head)\b.*?<\/\1>/gis, ' ');
  return codeIn(text.replace(/<[^>]*>/g, ' ').replace(/[^\S\n]+/g, ' '));
}

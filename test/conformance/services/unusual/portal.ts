import { createHmac, randomBytes } from 'node:crypto';
import { Overlap } from '../support.ts';
import { type Call, json, type Reply, Stop } from './http.ts';
import { jsonForm, plain, same, withCookies } from './portal-parts.ts';
import { emailIn, type Thing, type Try, type World } from './world.ts';

interface Visitor {
  readonly id: string;
  readonly email: string | null;
}

const HEADERS = {
  'content-SECURITY-policy':
    "base-uri 'self'; frame-ancestors 'none'; default-src 'none'; form-action 'self'",
  'x-frame-options': 'deny',
  'REFERRER-policy': 'strict-origin, no-referrer',
  'cache-CONTROL': 'No-Store',
  'cONTENT-tYPE': 'text/html; charset=ISO-8859-1',
} as const;

/** Pages in German, in Latin-1, in the spelling of an older HTML. */
export class Portal {
  readonly #world: World;
  readonly #key = randomBytes(32);
  readonly #live = new Set<string>();
  readonly #racing = new Overlap();

  constructor(world: World) {
    this.#world = world;
  }

  /** `/k/LINK` moves on twice before a page comes. */
  start(call: Call): Reply {
    const link = call.url.pathname.slice('/k/'.length);
    return { status: 307, headers: { location: `../portal/./claim?k=${link}` } };
  }

  claim(call: Call): Reply {
    const visitor = this.#visitor(call);
    const link = call.url.searchParams.get('k') ?? '';
    if (visitor?.email == null) return { status: 302, headers: { location: `hello?k=${link}` } };
    const found = this.#world.byLink(link);
    if (found === undefined)
      return this.#page(404, 'Nicht gefunden', 'Diese Adresse gilt nicht mehr.');
    if (found.thing.email !== visitor.email) return this.#stranger(visitor, link);
    if (this.#stateOf(found) !== 'open')
      return this.#page(410, 'Vorbei', 'Hier ist nichts mehr zu tun.');
    const who = found.thing.jag === undefined ? 'Ein Agent' : 'Ein Agent eines Anbieters';
    return this.#page(
      200,
      'Zugriff erlauben?',
      `<P>Angemeldet als <B>${plain(visitor.email)}</B>. ${who} m\u00f6chte in Ihrem Namen handeln
(${found.thing.scope.join(', ')}). <SMALL>An agent asks for access to your account.</SMALL>
<INPUT TYPE=hidden NAME=claim_attempt_token VALUE="${plain(link)}" FORM=f>
<FORM ID=f METHOD=POST ACTION=../as/1/agent/identity/claim/complete>${this.#csrf(visitor)}
<LABEL>Code <INPUT NAME=user_code AUTOCAPITALIZE=characters SIZE=12></LABEL>
<INPUT TYPE=submit NAME=decision VALUE=approve ARIA-LABEL="Erlauben (approve)">
<BUTTON FORMACTION=../as/1/agent/identity/claim/complete?decision=deny>Ablehnen (deny)</BUTTON></FORM>`,
    );
  }

  hello(call: Call): Reply {
    const link = call.url.searchParams.get('k') ?? '';
    const known = this.#visitor(call);
    const visitor = known ?? this.#open(null);
    const reply = this.#page(
      200,
      'Anmelden',
      `<P>Testbetrieb: jede E-Mail-Adresse gilt, ein Passwort gibt es nicht.
<FORM METHOD=post ENCTYPE="multipart/form-data" ACTION=hello>${this.#csrf(visitor)}
<INPUT TYPE=hidden NAME=k VALUE="${plain(link)}">
<P><LABEL FOR=e>E-Mail</LABEL> <INPUT ID=e NAME=kennung TYPE=email REQUIRED>
<SELECT NAME=mandant><OPTION VALUE=a>A</OPTION><OPTION SELECTED VALUE=b>B</OPTION></SELECT>
<LABEL><INPUT TYPE=checkbox NAME=bedingungen VALUE=ja REQUIRED> Ich stimme den Bedingungen zu</LABEL>
<P><BUTTON>Weiter</BUTTON></FORM>`,
    );
    return known === undefined ? withCookies(reply, this.#cookies(visitor)) : reply;
  }

  async enter(call: Call): Promise<Reply> {
    const before = this.#visitor(call);
    const form = await this.#form(call, before);
    const email = emailIn(form.get('kennung'));
    if (email === undefined || form.get('bedingungen') !== 'ja')
      return this.#page(
        422,
        'Anmelden',
        'Bitte E-Mail und Zustimmung. <A HREF=hello>Zur\u00fcck</A>',
      );
    if (before !== undefined) this.#live.delete(before.id);
    const location = /^[0-9a-f]+$/.test(String(form.get('k')))
      ? `claim?k=${form.get('k')}`
      : 'agents';
    return withCookies({ status: 303, headers: { location } }, this.#cookies(this.#open(email)));
  }

  async leave(call: Call): Promise<Reply> {
    const visitor = this.#visitor(call);
    const link = String((await this.#form(call, visitor)).get('k') ?? '').replace(/[^0-9a-f]/g, '');
    if (visitor !== undefined && !this.#world.has('signOutOfBrowserOnly'))
      this.#live.delete(visitor.id);
    const gone = ['s.id=; path=/; max-age=0; httponly', 'lang=de; path=/'];
    return withCookies({ status: 303, headers: { location: `hello?k=${link}` } }, gone);
  }

  agents(call: Call): Reply {
    const visitor = this.#visitor(call);
    if (visitor?.email == null) return { status: 302, headers: { location: 'hello' } };
    const mine = [...this.#world.things.values()].filter(
      ({ owner, ended }) => owner?.email === visitor.email && !ended,
    );
    const rows = mine.map(
      ({ id }) => `<LI>${id} <FORM METHOD=post ACTION=end>${this.#csrf(visitor)}
<BUTTON NAME=id VALUE=${id}>Beenden (end)</BUTTON></FORM>`,
    );
    return this.#page(200, 'Ihre Agenten', `<UL>${rows.join('')}</UL>${this.#out(visitor)}`);
  }

  async end(call: Call): Promise<Reply> {
    const visitor = this.#visitor(call);
    const thing = this.#world.things.get(String((await this.#form(call, visitor)).get('id')));
    if (visitor?.email == null || thing?.owner?.email !== visitor.email)
      return this.#page(404, 'Nicht gefunden', 'Diesen Agenten haben Sie nicht.');
    thing.ended = true;
    return { status: 303, headers: { location: 'agents' } };
  }

  async complete(call: Call): Promise<Reply> {
    const scripted = call.type === 'application/json';
    const answer = (status: number, error: string, title: string): Reply =>
      scripted
        ? json(status, { error, error_description: title }, { 'cache-control': 'no-store' })
        : this.#page(status, title, 'Bitte wenden Sie sich an Ihren Agenten.');
    const visitor = this.#visitor(call);
    const form = scripted ? jsonForm(call) : await this.#form(call, visitor, true);
    if (visitor?.email == null) {
      if (scripted) return answer(401, 'login_required', 'Erst anmelden');
      const link = String(form.get('claim_attempt_token')).replace(/[^0-9a-f]/g, '');
      return { status: 303, headers: { location: `/portal/hello?k=${link}` } };
    }
    if (scripted && call.headers['x-csrf-token'] !== this.#csrfToken(visitor))
      return answer(403, 'csrf_failed', 'Fremdes Formular');
    const found = this.#world.byLink(String(form.get('claim_attempt_token')));
    if (found === undefined) return answer(404, 'invalid_claim_attempt', 'Unbekannt');
    if (found.thing.email !== visitor.email) return answer(403, 'wrong_account', 'Falsches Konto');
    const decision = call.url.searchParams.get('decision') ?? form.get('decision');
    const code = String(form.get('user_code') ?? '');
    const outcome = await this.#decide(visitor.email, found, decision === 'deny', code);
    if (outcome !== 'yes' && outcome !== 'no') return answer(...outcome);
    const done = outcome === 'yes' ? 'claimed' : 'denied';
    if (scripted)
      return json(
        200,
        { registration_id: found.thing.id, status: done },
        { 'cache-control': 'no-store' },
      );
    return { status: 303, headers: { location: `/portal/done?${done}` } };
  }

  done(call: Call): Reply {
    const claimed = call.url.search === '?claimed';
    return this.#page(
      200,
      claimed ? 'Erlaubt' : 'Abgelehnt',
      'Sie k\u00f6nnen dieses Fenster schlie\u00dfen.',
    );
  }

  async #decide(
    email: string,
    found: { readonly thing: Thing; readonly attempt: Try },
    deny: boolean,
    code: string,
  ): Promise<'yes' | 'no' | [status: number, error: string, title: string]> {
    const { thing, attempt } = found;
    const state = this.#stateOf(found);
    if (state === 'owned') return deny ? [409, 'already_claimed', 'Schon erlaubt'] : 'yes';
    if (state === 'no' && deny) return 'no';
    const late = state === 'late' && this.#world.has('expiredCompletes');
    const undone = state === 'no' && this.#world.has('denialForgotten');
    if (state !== 'open' && !late && !undone) {
      const guessed = state === 'guessed';
      return guessed
        ? [429, 'too_many_attempts', 'Zu oft']
        : [410, 'claim_attempt_expired', 'Vorbei'];
    }
    if (deny) {
      attempt.outcome = 'no';
      return 'no';
    }
    const typed = code.toUpperCase().replace(/[^A-Z]/g, '');
    if (!this.#world.isCode(attempt, typed)) {
      if (this.#world.has('racyTries')) await this.#racing.untilNext();
      attempt.wrong += 1;
      thing.wrongInAll += 1;
      return [400, 'invalid_user_code', 'Falscher Code'];
    }
    delete attempt.outcome;
    thing.owner = { email, at: this.#world.now() };
    return 'yes';
  }

  #stateOf({ thing, attempt }: { readonly thing: Thing; readonly attempt: Try }) {
    const { now } = this.#world;
    if (thing.ended || now() >= thing.until) return 'over';
    if (thing.owner !== undefined) return 'owned';
    if (attempt.outcome === 'no') return 'no';
    if (attempt.wrong >= 5) return 'guessed';
    return now() >= attempt.until ? 'late' : 'open';
  }

  #stranger(visitor: Visitor, link: string): Reply {
    const words = `Sie sind ${plain(visitor.email ?? '')}; gefragt ist jemand anderes.`;
    return this.#page(403, 'Falsches Konto', `${words} ${this.#out(visitor, link)}`);
  }

  #out(visitor: Visitor, link = ''): string {
    const back = `<INPUT TYPE=hidden NAME=k VALUE="${plain(link)}">`;
    return `<FORM METHOD=post ACTION=bye>${back}${this.#csrf(visitor)}<BUTTON>Abmelden (sign out)</BUTTON></FORM>`;
  }

  #page(status: number, title: string, body: string): Reply {
    const html = `<!DOCTYPE html><HTML LANG=de><TITLE>${title}</TITLE><BASE HREF="/portal/"><H1>${title}</H1>${body}`;
    const headers: Record<string, string> = { ...HEADERS };
    if (this.#world.has('pageCached')) headers['cache-CONTROL'] = 'private, max-age=600';
    if (this.#world.has('framed')) {
      headers['content-SECURITY-policy'] =
        "base-uri 'self'; default-src 'none'; form-action 'self'";
      delete headers['x-frame-options'];
    }
    return { status, headers, body: Buffer.from(html, 'latin1') };
  }

  #csrf(visitor: Visitor): string {
    return `<INPUT TYPE=hidden NAME=t VALUE=${this.#csrfToken(visitor)}>`;
  }

  #csrfToken({ id }: Visitor): string {
    return this.#sign(this.#world.has('csrfShared') ? 'form' : `form ${id}`);
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex');
  }

  #open(email: string | null): Visitor {
    const id = randomBytes(16).toString('hex');
    this.#live.add(id);
    return { id, email };
  }

  #cookies(visitor: Visitor): readonly string[] {
    const value = Buffer.from(JSON.stringify(visitor)).toString('base64url');
    return [
      `s.id=${value}.${this.#sign(value)}; samesite=lax; PATH=/; httponly; max-age=28800`,
      'lang=de; path=/',
    ];
  }

  /** What the cookie says, if it is signed by us and not signed out. */
  #visitor({ headers }: Call): Visitor | undefined {
    const [, value = '', mac = ''] =
      /(?:^|; *)s\.id=([\w-]+)\.(\w+)/.exec(headers.cookie ?? '') ?? [];
    if (value === '' || !(same(mac, this.#sign(value)) || this.#world.has('unsignedSession')))
      return undefined;
    try {
      const visitor = JSON.parse(Buffer.from(value, 'base64url').toString()) as Visitor;
      return this.#live.has(visitor.id) ? visitor : undefined;
    } catch {
      return undefined;
    }
  }

  /** The fields of a form of ours, from a page of ours. */
  async #form(call: Call, visitor: Visitor | undefined, mayBeNobody = false): Promise<FormData> {
    const { origin, 'sec-fetch-site': site } = call.headers;
    const own =
      origin === undefined ||
      origin === this.#world.origin ||
      (origin === 'null' && site === 'same-origin');
    if (!own || site === 'cross-site' || site === 'same-site') throw this.#foreign();
    const type = call.headers['content-type'] ?? '';
    const form = await new Response(call.body, { headers: { 'content-type': type } })
      .formData()
      .catch(() => undefined);
    if (form === undefined)
      throw new Stop(this.#page(415, 'Kein Formular', 'Bitte laden Sie die Seite neu.'));
    if (visitor === undefined && mayBeNobody) return form;
    if (visitor === undefined || !same(String(form.get('t')), this.#csrfToken(visitor)))
      throw this.#foreign();
    return form;
  }

  #foreign(): Stop {
    return new Stop(this.#page(403, 'Fremdes Formular', 'Bitte laden Sie die Seite neu.'));
  }
}

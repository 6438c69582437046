// A small whole agent: it discovers, registers, claims, exchanges, calls and leaves.
import { pollClaim, pollOnce, readAttempt, showAttempt } from './claim.js';
import { discover, discoverFrom, metadataNamedBy } from './discover.js';
import { ask, codeOf, patiently, postForm, postJson, Refusal } from './http.js';
import { ID_JAG, mint } from './provider.js';
import { load, save } from './state.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export class Agent {
  /** @param {import('./adapter.js').Context} context */
  constructor(context) {
    this.context = context;
    this.state = load();
    this.key = new URL(context.resource).origin;
  }

  /** Prints a text of whomever, without what could control a terminal. @param {string} text */
  say(text) {
    process.stdout.write(`${clean(text)}\n`);
  }

  /** @param {string} text */
  warn(text) {
    process.stderr.write(`${clean(text)}\n`);
  }

  get isRegistered() {
    return this.state.registrations[this.key] !== undefined;
  }

  get hasOpenClaim() {
    return (this.registration.attempt?.until ?? 0) > Date.now();
  }

  get registration() {
    const found = this.state.registrations[this.key];
    if (found === undefined) throw new Error('There is no registration.');
    return found;
  }

  async register() {
    const service = await discover(this.context.resource);
    const { json } = await this.#identify(service);
    this.state.registrations[this.key] = {
      service,
      assertion: json.identity_assertion,
      claimToken: json.claim_token,
    };
    if (json.claim !== undefined) this.#begin(json.claim);
    save(this.state);
  }

  /** @param {import('./discover.js').Service} service */
  async #identify(service) {
    const { type, email } = this.context;
    for (let tries = 1; ; tries += 1) {
      // An ID-JAG is sent once: `patiently` is for the others.
      const answer =
        type === 'identity_assertion'
          ? await postJson(service.identity, await this.#assertion(service))
          : await patiently(() =>
              postJson(service.identity, type === 'anonymous' ? { type } : { type, login_hint: email }),
            );
      const code = codeOf(answer.json);
      const needsUser = code === 'interaction_required' && answer.json?.claim !== undefined;
      if (answer.status === 200 || needsUser) return answer;
      if (code !== 'login_required' || tries > 1) throw new Refusal(answer);
      delete this.state.idTokens[this.context.provider ?? ''];
    }
  }

  /** @param {import('./discover.js').Service} service */
  async #assertion(service) {
    const { provider: issuer = '', client_id: clientId = 'agent-auth' } = this.context;
    const { idTokens } = this.state;
    const say = (/** @type {string} */ text) => this.say(text);
    const session = { issuer, clientId, idToken: idTokens[issuer], say };
    const assertion = await mint(session, service);
    if (session.idToken !== undefined) idTokens[issuer] = session.idToken;
    save(this.state);
    return { type: 'identity_assertion', assertion_type: ID_JAG, assertion };
  }

  async openClaim() {
    const { service, claimToken } = this.registration;
    const body = { claim_token: claimToken, email: this.context.email };
    const answer = await patiently(() => postJson(service.claim, body));
    if (answer.status !== 200) throw new Refusal(answer);
    this.#begin(answer.json?.claim_attempt);
  }

  /** @param {unknown} block */
  #begin(block) {
    const { registration, context } = this;
    registration.attempt = readAttempt(block);
    save(this.state);
    showAttempt(registration.attempt, registration.service.issuer, this, context.open_browser);
  }

  async waitForClaim() {
    for (;;) {
      const { attempt, claimToken, service } = this.registration;
      if (attempt === undefined || claimToken === undefined) throw new Error('No claim is open.');
      const claimed = await pollClaim(attempt, () => pollOnce(service, claimToken));
      if (claimed !== undefined) return this.#keepClaim(claimed);
      delete this.registration.attempt;
      save(this.state);
      // Another attempt is for the user to decide.
      if (!this.context.person_agrees) throw new Error('The code has expired. Claim again.');
      await this.openClaim();
    }
  }

  /** @param {any} json */
  #keepClaim(json) {
    const { service } = this.registration;
    const { identity_assertion: assertion, access_token: token } = json;
    this.state.registrations[this.key] = { service, assertion, token };
    save(this.state);
  }

  /** Calls with the lightest token that does. Never a new identity that nobody asked for. */
  async call() {
    const ways = [this.#kept, this.#exchange, this.#collect, this.#registerAgain];
    for (const way of ways) {
      if (!(await way.call(this))) continue;
      const { token = '' } = this.registration;
      const { status, headers } = await ask(this.context.resource, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (status === 200) return this.say('The call was answered.');
      if (status !== 401) throw new Error(`The call was answered ${status}.`);
      const named = metadataNamedBy(headers);
      if (named !== undefined) await discoverFrom(named, this.context.resource);
    }
    throw new Error('The access has ended. Ask your user before you register again.');
  }

  async #kept() {
    return this.registration.token !== undefined;
  }

  async #exchange() {
    const { assertion, service } = this.registration;
    if (assertion === undefined) return false;
    const answer = await patiently(() =>
      postForm(service.token, { grant_type: JWT_BEARER, assertion }),
    );
    if (codeOf(answer.json) === 'invalid_grant') return false;
    if (answer.status !== 200) throw new Refusal(answer);
    const { access_token: token, token_type: type } = answer.json ?? {};
    const isBearer = /^bearer$/i.test(type) && /^[\w\-.~+/]+=*$/.test(token);
    if (!isBearer || !Object.hasOwn(answer.json, 'access_token'))
      throw new Error('This is no bearer token.');
    this.registration.token = token;
    save(this.state);
    return true;
  }

  /** The claim may have been completed meanwhile: one poll shows it. */
  async #collect() {
    const { claimToken, attempt, service } = this.registration;
    if (claimToken === undefined || attempt === undefined) return false;
    const { status, json } = await pollOnce(service, claimToken);
    if (status === 200) this.#keepClaim(json);
    return status === 200;
  }

  /** By the provider where its user is signed in, and only once. */
  async #registerAgain() {
    const { type, provider = '' } = this.context;
    const isSignedIn = this.state.idTokens[provider] !== undefined;
    if (type !== 'identity_assertion' || !isSignedIn || this.hasOpenClaim) return false;
    await this.register();
    return this.#exchange();
  }

  async leave() {
    const { service, token } = this.registration;
    const { revoke } = service;
    if (revoke !== undefined && token !== undefined) {
      const { status } = await patiently(() => postForm(revoke, { token }));
      if (status !== 200) throw new Error('The token is still in force. Try again.');
    }
    delete this.state.registrations[this.key];
    save(this.state);
    this.say('The token was revoked, and the registration forgotten.');
  }

  async showSkill() {
    const { skill } = this.isRegistered
      ? this.registration.service
      : await discover(this.context.resource);
    const { status, text } = await ask(skill);
    if (status !== 200) throw new Error('There is no skill file.');
    this.say(text);
  }

  async showDirectory() {
    const { json } = await ask(this.context.resource);
    if (!Array.isArray(json?.data)) throw new Error('This is no directory.');
    for (const row of json.data) this.say(`${row?.service_name ?? '-'}  ${row?.service_url ?? ''}`);
  }
}

/** @param {string} text */
function clean(text) {
  return text.replace(/[^\P{Cc}\n]/gu, '').replace(/\p{Cf}/gu, '');
}

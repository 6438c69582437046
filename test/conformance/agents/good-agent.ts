import { type Json, Kit, type Reply, Stop } from './agent-kit.ts';
import { mint, type Session } from './ask-provider.ts';
import type { Break } from './breaks.ts';
import { callResource } from './call-resource.ts';
import { type Connected, connect } from './connect.ts';
import { type FoundService, findService } from './find-service.ts';
import type { InProcessAgent } from './memory-harness.ts';
import { type Attempt, pollClaim, readAttempt, showAttempt } from './poll-claim.ts';

/** What is kept of one service. */
export interface Kept {
  assertion?: string | undefined;
  firstAssertion?: string | undefined;
  token?: string | undefined;
  claimToken?: string | undefined;
  claimUrl?: string | undefined;
  attemptId?: string | undefined;
  attempt?: Attempt | undefined;
  service: FoundService;
}

interface State {
  services: Record<string, Kept>;
  /** By provider. */
  sessions: Record<string, Session>;
  /** By resource. */
  connected?: Record<string, Connected>;
  /** For an agent that mixes its services up. */
  firstToken?: string | undefined;
}

const STATE = 'home/agent/state.json';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

/** A small agent, written for the tests: right, except for its breaks. */
export function makeAgent(...breaks: readonly Break[]): InProcessAgent {
  return async (tools) => {
    const kit = new Kit(tools, new Set(breaks));
    const agent = new TestAgent(kit);
    try {
      return await agent.perform();
    } catch (error) {
      if (!(error instanceof Stop) && !(error instanceof Error && error.name === 'NetworkError')) {
        throw error;
      }
      if (!(kit.is('endsQuietly') && kit.context.task === 'claim')) kit.warn(error.message);
      return kit.is('endsQuietly') ? 0 : error instanceof Stop ? error.code : 1;
    }
  };
}

export class TestAgent {
  readonly kit: Kit;
  state: State = { services: {}, sessions: {} };

  constructor(kit: Kit) {
    this.kit = kit;
  }

  async perform(): Promise<number> {
    const { kit } = this;
    const { task } = kit.context;
    const text = kit.tools.read(STATE);
    if (text !== undefined) this.state = JSON.parse(text) as State;
    if (task === 'directory') return this.#directory();
    if (task === 'skill') return this.#skill();
    if (task === 'leave') return this.#leave();
    if (task === 'connect') {
      const { resource } = kit.context;
      const kept = this.state.connected?.[resource] ?? {};
      this.state.connected = { ...this.state.connected, [resource]: kept };
      return connect(kit, kept, () => this.save());
    }
    const isNew = this.kept === undefined || (task === 'resume' && kit.is('registersOnResume'));
    const waits = isNew ? await this.register() : this.kept?.attempt;
    if (task === 'begin') {
      if (waits === undefined) await this.#open();
      if (kit.is('forgetsClaim')) delete this.kept?.claimToken;
      this.save();
      return 0;
    }
    if (task === 'claim') await this.#claim(waits);
    if (
      task === 'resume' &&
      this.kept?.attempt !== undefined &&
      this.kept.claimToken !== undefined
    ) {
      await pollClaim(kit, this.kept.service, this.kept, this.kept.attempt);
      this.save();
    }
    if (task === 'resume' && kit.is('forgetsClaim')) return 1;
    if (kit.is('neverCalls')) return 0;
    return callResource(this);
  }

  get key(): string {
    return new URL(this.kit.context.resource).origin;
  }

  get kept(): Kept | undefined {
    return this.state.services[this.key];
  }

  get session(): Session {
    const { provider = '' } = this.kit.context;
    this.state.sessions[provider] ??= {};
    return this.state.sessions[provider];
  }

  save(): void {
    const { kit } = this;
    this.state.firstToken ??= this.kept?.token;
    const mode = kit.is('openFile') ? 0o644 : 0o600;
    kit.tools.write(STATE, JSON.stringify(this.state), mode, kit.is('followsLinks'));
    const token = this.kept?.token ?? '';
    if (kit.is('secretInArguments'))
      kit.tools.spawn('curl', '-H', `Authorization: Bearer ${token}`);
    if (kit.is('printsToken')) kit.say(token);
  }

  /** Registers as the context says; resolves to the attempt that came with it. */
  async register(): Promise<Attempt | undefined> {
    const { kit } = this;
    let service = await findService(kit);
    kit.say(`Registering at ${service.name}`);
    if (kit.is('readsSkill')) service = await this.#obeySkill(service);
    const reply = await this.#identify(service);
    const json = reply.json ?? {};
    const kept: Kept = {
      service,
      assertion: text(json['identity_assertion']),
      claimToken: text(json['claim_token']),
      claimUrl: text(json['claim_url']),
    };
    this.state.services[this.key] = kept;
    const block = json['claim'] as Json | undefined;
    if (block !== undefined) kept.attempt = readAttempt(kit, block);
    this.save();
    if (kept.attempt !== undefined) await showAttempt(kit, service, kept.attempt);
    return kept.attempt;
  }

  async #identify(service: FoundService): Promise<Reply> {
    const { kit } = this;
    for (let tries = 1; ; tries += 1) {
      const body = await this.#identityBody(service);
      const send = () =>
        kit.is('formRegistration')
          ? kit.postForm(service.identity, body as Record<string, string>)
          : kit.postJson(service.identity, body);
      const reply = await kit.patiently(send).catch((error: unknown) => {
        if (kit.isLoss(error) && kit.is('repeatsAfterLoss')) return send();
        throw error;
      });
      if (reply.status === 200 || this.#isInteraction(reply)) return reply;
      const error = kit.errorOf(reply);
      if (error === 'login_required' && tries === 1) {
        this.session.idToken = undefined;
        continue;
      }
      if (reply.status === 401 && kit.is('rediscoversOn401') && tries < 4) {
        await findService(kit);
        continue;
      }
      const refusal = await kit.refused(reply);
      const known = ['invalid_issuer', 'issuer_not_enabled'];
      throw new Stop(refusal.message, known.includes(error ?? '') ? 5 : 1);
    }
  }

  #isInteraction(reply: Reply): boolean {
    return this.kit.errorOf(reply) === 'interaction_required';
  }

  async #identityBody(service: FoundService): Promise<Json> {
    const { kit } = this;
    const { type, email } = kit.context;
    if (type === 'anonymous') return { type };
    if (type === 'service_auth') {
      if (kit.is('sendsEmailMember')) return { type, email };
      return { type, login_hint: email, ...(kit.is('sendsTwoHints') && { id_token_hint: email }) };
    }
    const { session } = this;
    const again = kit.is('repeatsIdJag') ? session.idJag : undefined;
    if (again !== undefined) await mint(kit, service, { idToken: session.idToken });
    const idJag = again ?? (await mint(kit, service, session));
    this.save();
    if (kit.is('bearsIdJag')) {
      await kit.send(kit.context.resource, { headers: { authorization: `Bearer ${idJag}` } });
    }
    const member = kit.is('otherAssertionMember') ? 'id_jag' : 'assertion';
    return { type, [member]: idJag, assertion_type: ID_JAG };
  }

  /** Opens an attempt, and shows it. */
  async #open(): Promise<Attempt> {
    const { kit, kept } = this;
    if (kept?.claimToken === undefined) throw new Stop('There is nothing to claim.');
    const { email } = kit.context;
    const isOwn =
      new URL(kept.claimUrl ?? kept.service.claim).origin === new URL(kept.service.issuer).origin;
    const url =
      kept.claimUrl !== undefined && (isOwn || kit.is('trustsClaimUrl'))
        ? kept.claimUrl
        : kept.service.claim;
    const reply = await kit.postJson(url, {
      claim_token: kept.claimToken,
      email: kit.is('sendsTaggedEmail') ? email.replace('@', '+agent@') : email,
    });
    if (reply.status !== 200) throw await kit.refused(reply);
    kept.attemptId = text(reply.json?.['claim_attempt_id']);
    const isFirst = kept.attempt === undefined;
    kept.attempt = readAttempt(kit, (reply.json?.['claim_attempt'] ?? {}) as Json);
    this.save();
    if (isFirst || !kit.is('showsFirstAttempt')) await showAttempt(kit, kept.service, kept.attempt);
    return kept.attempt;
  }

  async #claim(open: Attempt | undefined): Promise<void> {
    const { kit } = this;
    let attempt = open ?? (await this.#open());
    for (;;) {
      const { kept } = this;
      if (kept === undefined) return;
      const end = await pollClaim(kit, kept.service, kept, attempt);
      if (kit.is('keepsFirstAssertion') && end === 'claimed') kept.assertion = kept.firstAssertion;
      this.save();
      if (end === 'claimed') return;
      const isDenied = end === 'denied';
      const wanted = isDenied
        ? kit.is('reopensAfterDenial')
        : (kit.context.person_agrees || kit.is('reopensUnasked')) && !kit.is('neverReopens');
      if (!isDenied && kit.is('registersOnExpired')) await this.register();
      if (!wanted) throw new Stop(`The claim is ${end}.`, isDenied ? 5 : 6);
      attempt = await this.#open();
      if (kit.is('forgetsReopened')) throw new Stop('Come back later.', 8);
    }
  }

  async #leave(): Promise<number> {
    const { kit, kept } = this;
    const { revoke } = kept?.service ?? {};
    let words = 'The token was revoked.';
    if (revoke !== undefined && kept?.token !== undefined && !kit.is('forgetsUnrevoked')) {
      const { token } = kept;
      const reply = await kit.patiently(() => kit.postForm(revoke, { token }));
      if (reply.status !== 200 && !kit.is('alwaysSaysRevoked'))
        words = 'The token is still active.';
    }
    if (!kit.is('keepsAfterLeave')) this.#forget();
    this.save();
    kit.say(words);
    return 0;
  }

  #forget(): void {
    const token = this.kept?.token;
    delete this.state.services[this.key];
    if (this.state.firstToken === token) delete this.state.firstToken;
  }

  async #skill(): Promise<number> {
    const { kit, kept } = this;
    const skill = (kept?.service ?? (await findService(kit))).skill;
    if (skill === undefined) throw new Stop('There is no skill file.');
    const authorization = `Bearer ${kept?.token ?? ''}`;
    const reply = await kit.send(skill, {
      headers: kit.is('skillWithToken') ? { authorization } : {},
    });
    if (kit.is('printsSkillRaw')) kit.tools.say(reply.text);
    else kit.say(reply.text);
    if (kit.is('readsSkill')) await this.#followSkill(reply.text);
    return 0;
  }

  async #followSkill(skill: string): Promise<void> {
    const named = /https?:\/\/[^\s`)]+[^\s`).]/.exec(skill)?.[0];
    if (named !== undefined) await this.kit.send(named);
  }

  async #obeySkill(service: FoundService): Promise<FoundService> {
    if (service.skill !== undefined) await this.kit.send(service.skill);
    return service;
  }

  async #directory(): Promise<number> {
    const { kit } = this;
    const { json } = await kit.send(kit.context.resource);
    const rows = json?.['data'];
    if (!Array.isArray(rows)) throw new Stop('That is no directory.');
    for (const row of rows as Json[]) {
      const name = row['service_name'];
      if (name === null && kit.is('strictDirectory')) throw new Stop('A service without a name.');
      kit.say(String(name ?? '-'));
    }
    return 0;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

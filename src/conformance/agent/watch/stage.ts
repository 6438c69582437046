import type { Clock, Random, Sleep } from '../../../runtime/index.ts';
import type { Invented } from '../../engine/invented.ts';
import { Recorder } from '../../http/recorder.ts';
import { changeJson, refusal } from '../agent-world.ts';
import { isResponse, type PeerContext, type Rule } from '../peer.ts';
import type { ReceivedRequest } from '../received-request.ts';
import { type ServicePeer, startProvider, startService } from '../service-peer.ts';
import { grantingLess } from '../steps/call-rows.ts';
import { type CrossApp, startCrossApp } from '../steps/cross-app.ts';
import { invalidToken } from '../steps/ended-access.ts';
import { publishDiscovery } from '../steps/publish-discovery.ts';

export interface StageOptions {
  readonly clock: Clock;
  readonly sleep: Sleep;
  readonly random: Random;
  readonly invented: Invented;
  /** Serves on loopback; resolves to the origin. */
  readonly host: PeerContext['harness']['host'];
}

/** The user has typed the code at this poll. */
const COMPLETED_AT = 4;
/** The second poll is answered slow_down. */
const SLOWED_AT = 2;
/** How long after an attempt was opened its user has typed the code, though nobody polls. Milliseconds. */
const USER_TAKES = 20_000;

/** A service for an agent that nobody starts, with its user, who claims what the agent opens. */
export class Stage implements PeerContext {
  readonly harness: PeerContext['harness'];
  readonly recorder: Recorder;
  readonly invented: Invented;
  readonly traffic: ReceivedRequest[] = [];
  /** There are no runs to be cut off: whoever started the agent ends it. */
  get runBegan(): number {
    return Math.max(0, this.traffic.length - 1);
  }
  /** The watch was interrupted: the agent may have gone on. */
  isCut = false;
  /** Whom the agent acts for. */
  readonly email: string;
  /** A scope that the metadata lists and no registration offers. */
  readonly needless: string;
  readonly #options: StageOptions;
  readonly #over = new AbortController();
  readonly #closing: (() => Promise<void>)[] = [];
  #both: Omit<CrossApp, 'world'> | undefined;
  #completed = false;
  #claimedToken: string | undefined;

  constructor(options: StageOptions) {
    const { clock, random, host, invented } = options;
    this.#options = options;
    this.invented = invented;
    this.email = invented.email();
    this.needless = invented.scope();
    this.recorder = new Recorder(clock);
    this.harness = {
      clock,
      random,
      host,
      endRun: () => {},
      silence: () => new Promise(() => {}),
    };
  }

  async open(): Promise<ServicePeer> {
    const { email, invented, needless } = this;
    const closing = (close: () => Promise<void>) => this.#closing.push(close);
    this.#both = await startCrossApp({
      invented,
      service: (options) => startService(this, options, closing),
      provider: (options) => startProvider(this, { email, ...options }, closing),
    });
    const { service } = this.#both;
    const scopes = { scopes_supported: ['api.read', 'api.write', needless] };
    const odd = {
      [invented.member()]: { [invented.word()]: [1, { [invented.word()]: null }] },
      [invented.member()]: invented.word(),
    };
    service.move('well-known');
    publishDiscovery(service, {
      resource: { ...odd, ...scopes },
      server: { ...odd, ...scopes },
      agentAuth: odd,
    });
    service.on('exchange', grantingLess);
    service.on(
      ['identity', 'exchange'],
      changeJson((body) => ({ ...odd, ...body })),
    );
    service.on('poll', ({ nth }, next) =>
      nth === SLOWED_AT ? refusal(400, { error: 'slow_down' }) : next(),
    );
    service.on('poll', async ({ nth }, next) => {
      if (nth === COMPLETED_AT) await this.#complete();
      return next();
    });
    service.on(['claim', 'identity'], this.#whenOpened);
    service.on('resource', this.#onceClaimed);
    return service;
  }

  /** The service, and the provider of its clients. */
  get both(): Omit<CrossApp, 'world'> {
    if (this.#both === undefined) throw new Error('The stage is not open.');
    return this.#both;
  }

  get service(): ServicePeer {
    return this.both.service;
  }

  /** The first token of the claim, after one good call with it: from then on it is refused. */
  get claimedToken(): string | undefined {
    return this.#claimedToken;
  }

  async close(): Promise<void> {
    this.#over.abort();
    for (const close of this.#closing) await close();
  }

  /** Once an attempt is open, its user takes some time and no poll. */
  readonly #whenOpened: Rule = async ({ kind, body }, next) => {
    const reply = await next();
    const opens = kind === 'claim' || body.includes('service_auth');
    if (opens && isResponse(reply) && reply.ok) {
      void this.#options
        .sleep(USER_TAKES, this.#over.signal)
        .then(() => this.#complete())
        .catch(() => {});
    }
    return reply;
  };

  async #complete(): Promise<void> {
    if (this.#completed) return;
    this.#completed = true;
    await this.service.complete();
  }

  /** The first token of the claim is good once. Its assertion stays good. */
  readonly #onceClaimed: Rule = async ({ received: { bearer } }, next) => {
    if (bearer !== undefined && bearer === this.#claimedToken) return invalidToken(this.service);
    const reply = await next();
    if (this.#completed && isResponse(reply) && reply.ok) this.#claimedToken ??= bearer;
    return reply;
  };
}

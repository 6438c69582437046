import type { AuditAction } from '../../mock/audit/audit.ts';
import { Controls, type ControlsOptions } from '../../mock/controls/controls.ts';
import { checked, controlProblem } from '../../mock/controls/read-control.ts';
import type { WireProblem } from '../../mock/http/response.ts';
import { wireCode } from '../../protocol/codes.ts';
import { normalizeEmail } from '../../protocol/email.ts';
import type { State } from '../../protocol/states.ts';
import type { Outcome } from '../claim-machine/events.ts';
import { decisionContext } from '../claim-machine/machine.ts';
import { decide } from '../claim-machine/matrix.ts';
import { resolveTrust, type TrustEntry, type TrustedIssuer } from '../config/config.ts';
import type { DirectoryService } from '../config/directory.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { type ListedService, listServices, readCatalog, toListed } from '../directory/catalog.ts';
import {
  addService,
  type Change,
  changeCatalog,
  removeService,
  type ServiceKey,
  setService,
} from '../directory/change-catalog.ts';
import { readDirectoryService } from '../directory/entries.ts';
import type { Mail } from '../store/mail-store.ts';
import type { StoredRegistration } from '../store/stored-registration.ts';

/** A registration with the state that it is in now. */
export interface InspectedRegistration
  extends Pick<
    StoredRegistration,
    'facts' | 'createdAt' | 'agentName' | 'issuer' | 'subject' | 'idJagIssuedAt'
  > {
  /** The state by its facts and the time of the service. */
  readonly state: State;
  /** The code that the claim page shows to the user who has confirmed; undefined where it shows none. */
  readonly userCode: string | undefined;
}

/** A provider that is trusted now. */
export interface AddedTrust extends TrustedIssuer {
  /** All trusted issuers, the latest last. */
  readonly trust: readonly string[];
}

interface MailsOfUser {
  readonly to?: string | undefined;
  /** Default: 100. */
  readonly limit?: number | undefined;
}

/** The controls that a service has beside those of every mock. */
export class ServiceControls extends Controls {
  /** The mock as it is wired now. */
  readonly #mock: () => ServiceContext;

  constructor(options: ControlsOptions, mock: () => ServiceContext) {
    super(options);
    this.#mock = mock;
  }

  /**
   * Trusts one more provider until the reset, or replaces the entry of an issuer. Its key set is fetched
   * again.
   */
  async trust(entry: TrustEntry): Promise<AddedTrust> {
    const { trust } = this.#mock();
    const trusted = checked(() => resolveTrust(entry));
    await this.change('trust.added', async (tx) => {
      await trust.add(tx, trusted);
      const { issuer, jwksUri } = trusted;
      return { issuer, ...(jwksUri !== undefined && { jwks_uri: jwksUri }) };
    });
    return { ...trusted, trust: trust.list().map(({ issuer }) => issuer) };
  }

  /** The services of the directory, as its listing shows them. */
  async directory(): Promise<readonly ListedService[]> {
    const { core, issuer } = this.options;
    const { directory } = this.#mock().config;
    return listServices(await core.db.read((reader) => readCatalog(reader, directory)), issuer);
  }

  /** Adds a service to the directory. */
  async addDirectoryService(service: DirectoryService): Promise<ListedService> {
    return this.#changeDirectory('directory.added', addService(this.#directoryService(service)));
  }

  /**
   * Changes the members of a service that are given; `null` is a value, too.
   * @param key its id or its name.
   */
  async setDirectoryService(key: ServiceKey, changes: DirectoryService): Promise<ListedService> {
    const change = setService(key, this.#directoryService(changes));
    return this.#changeDirectory('directory.changed', change);
  }

  /**
   * Removes a service and its methods from the directory, and resolves with what was listed.
   * @param key the id or the name of the service.
   */
  async removeDirectoryService(key: ServiceKey): Promise<ListedService> {
    return this.#changeDirectory('directory.removed', removeService(key));
  }

  #directoryService(given: DirectoryService): DirectoryService {
    return checked(() => readDirectoryService(given, this.options.issuer));
  }

  async #changeDirectory(action: AuditAction, change: Change): Promise<ListedService> {
    let service!: ListedService;
    await this.change(action, async (tx) => {
      const changed = await changeCatalog(tx, this.#mock().config.directory, change);
      service = toListed(changed, this.options.issuer);
      const { service_id: id, service_name: name } = service;
      return { ...(id !== null && { service_id: id }), ...(name !== null && { service: name }) };
    });
    return service;
  }

  /** The latest registrations, newest first. */
  async registrations(limit = 100): Promise<readonly InspectedRegistration[]> {
    await this.options.core.follow();
    const stored = await this.#mock().registrations.latest(limit);
    return stored.map((registration) => this.#inspect(registration));
  }

  /**
   * A registration with its facts.
   * @throws ControlError `not_found` when there is none of that id.
   */
  async registration(id: string): Promise<InspectedRegistration> {
    await this.options.core.follow();
    const stored = await this.#mock().registrations.find({ by: 'id', value: id });
    if (stored === undefined) throw unknownRegistration();
    return this.#inspect(stored);
  }

  /**
   * What the service sent by mail, newest first, codes and links in it.
   * @param to one user's email. Default: whoever they were sent to.
   */
  async mails({ to, limit = 100 }: MailsOfUser = {}): Promise<readonly Mail[]> {
    await this.options.core.follow();
    const email = to === undefined ? undefined : normalizeEmail(to);
    if (to !== undefined && email === undefined) {
      throw controlProblem('invalid_request', 'to must be an email address.');
    }
    return this.#mock().mails.list({ to: email, limit });
  }

  /**
   * Completes the open claim attempt as its user would with the right code. Where the page shows the code,
   * confirms it: then {@link InspectedRegistration.userCode} is what the agent has to hand in. Where its key
   * comes for the code alone, it is a `conflict`: the code is in {@link ServiceControls.mails}.
   * @param email who does it. Default: the email that the attempt is for.
   */
  async complete(id: string, email?: string): Promise<InspectedRegistration> {
    const service = this.#mock();
    const { clock, dialect, registrations, users } = service;
    const { approval, givesForCode } = dialect;
    const user = await this.#user(id, email);
    const { facts, state } = await this.registration(id);
    // Completed here, the claim would be over, and the agent without the key that it was for.
    if (givesForCode && state === 'pending' && facts.type !== 'anonymous') {
      throw controlProblem(
        'conflict',
        'The agent gets its key for the code that was mailed, and for nothing else. Hand it in: agent-auth mock mails',
      );
    }
    const decided = await registrations.decide(
      approval,
      { by: 'id', value: id },
      'control',
      async (facts, tx) => {
        const noAccount = { account: { email: user, userId: '' }, code: 'right' } as const;
        const { effects } = decide(approval, facts, noAccount, decisionContext(service));
        // Approving creates the account, as signing in does; a refusal creates nothing.
        if (!effects.some(({ kind }) => APPROVED.has(kind))) return noAccount;
        const userId = await users.signInWithin(tx, user, { actor: 'control', at: clock.now() });
        return { account: { email: user, userId }, code: 'right' };
      },
    );
    return this.#after(id, decided?.outcome);
  }

  /** Refuses the open claim attempt as its user would. */
  async deny(id: string, email?: string): Promise<InspectedRegistration> {
    const user = await this.#user(id, email);
    const decided = await this.#mock().registrations.decide(
      'deny',
      { by: 'id', value: id },
      'control',
      () => ({ account: { email: user, userId: '' } }),
    );
    return this.#after(id, decided?.outcome);
  }

  /** Ends a registration as its user would on `/connections`: it, its assertions and its tokens. */
  async revoke(id: string): Promise<InspectedRegistration> {
    const { registrations } = this.#mock();
    const decided = await registrations.decide(
      'revoke',
      { by: 'id', value: id },
      'control',
      () => ({}),
    );
    return this.#after(id, decided?.outcome);
  }

  async #user(id: string, given: string | undefined): Promise<string> {
    const { facts, state } = await this.registration(id);
    if (state === 'unclaimed') {
      throw controlProblem(
        'conflict',
        'No claim is open. Open one with: agent-auth claim --email EMAIL',
      );
    }
    const email = given === undefined ? facts.email : normalizeEmail(given);
    if (email !== undefined) return email;
    throw controlProblem(
      'invalid_request',
      'email must be the email address of the user who acts.',
    );
  }

  async #after(id: string, outcome: Outcome | undefined): Promise<InspectedRegistration> {
    if (outcome === undefined) throw unknownRegistration();
    if (outcome.kind === 'refused') throw refused(outcome.code);
    return this.registration(id);
  }

  #inspect(registration: StoredRegistration): InspectedRegistration {
    const service = this.#mock();
    const { dialect, secrets } = service;
    const { now, stateOf } = decisionContext(service);
    const { agentName, createdAt, facts, idJagIssuedAt, issuer, subject } = registration;
    const state = stateOf(facts, now);
    const { attempt } = facts;
    const isShown =
      dialect.approval === 'confirm' && state === 'pending' && attempt?.confirmedAt !== undefined;
    const userCode = isShown ? secrets.userCode(attempt.id) : undefined;
    return { facts, createdAt, agentName, issuer, subject, idJagIssuedAt, state, userCode };
  }
}

/** What the user's approval changes. */
const APPROVED: ReadonlySet<string> = new Set(['complete_claim', 'confirm_attempt']);

function unknownRegistration(): WireProblem {
  return controlProblem('not_found', 'There is no such registration.');
}

/** What the user would have been answered. */
function refused(code: string): WireProblem {
  const { description = '' } = wireCode('complete', code) ?? {};
  return controlProblem('conflict', `${code}: ${description}`);
}

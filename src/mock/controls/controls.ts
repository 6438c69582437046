import { DAY } from '../../protocol/durations.ts';
import { normalizeEmail } from '../../protocol/email.ts';
import { nearest } from '../../runtime/nearest.ts';
import type { ExchangeLog, ExchangePage, ExchangeQuery } from '../../traffic/exchange-log.ts';
import {
  type AuditAction,
  type AuditEntry,
  type AuditRecord,
  forgetEarlier,
  readAudit,
  recordAudit,
} from '../audit/audit.ts';
import type { Client, ClientOptions } from '../clients/client.ts';
import { PUBLIC_MAX_AGE } from '../http/response.ts';
import type { Transaction } from '../store/database.ts';
import type { LiveOwner } from './live-state.ts';
import type { LiveValue } from './live-value.ts';
import type { KnownFault, MockCore } from './mock-core.ts';
import { checked, controlProblem } from './read-control.ts';

/** The state of a mock. Times in milliseconds. */
export interface ControlState {
  /** Which mock it is. */
  readonly mock: LiveOwner;
  /** Its URL. */
  readonly issuer: string;
  /** The mock's time, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** How far its clock is ahead of the machine's. */
  readonly clockOffset: number;
  /** The names of the faults that are on. */
  readonly faults: readonly string[];
  /** The names of all faults that it has. */
  readonly knownFaults: readonly string[];
  /** The faults among them that this process alone has: they were given as objects. */
  readonly ownFaults: readonly string[];
}

/** How the clock is moved: by, or to, an offset from the machine's, in milliseconds. */
export type ClockMove = { readonly advance: number } | { readonly offset: number };

export interface ControlsOptions {
  readonly core: MockCore;
  readonly issuer: string;
  /** Switched on at the start, and again after a reset. */
  readonly initialFaults: readonly string[];
  /** Faults that this mock does not have now, each with the reason. Default: none. */
  readonly absentFaults?: () => ReadonlyMap<string, string>;
  /** What the mock was asked and answered. */
  readonly exchanges: ExchangeLog;
  /** Brings the mock's own tables back to how they were at the start. `now` in milliseconds. */
  readonly reset: (tx: Transaction, now: number) => Promise<void>;
  readonly clients: LiveClients;
  /**
   * Ends what a user and a client hold: access tokens, refresh tokens. Left out: every user, every client.
   * @returns how many there were.
   */
  readonly endTokens: (tx: Transaction, of: TokensOf) => Promise<number>;
  /** Forgets what this process alone knows, once a reset is stored. Default: nothing. */
  readonly afterReset?: () => void;
}

/** The clients of a mock, as they are now. */
export interface LiveClients {
  readonly live: LiveValue<readonly Client[]>;
  /** A client, checked as an option is. @throws TypeError that says what is wrong with it. */
  readonly resolve: (given: ClientOptions) => Client;
}

/** Whose tokens are ended. */
export interface TokensOf {
  /** An email address. */
  readonly email?: string | undefined;
  readonly clientId?: string | undefined;
}

/** Well within the range of dates (ECMA-262 §21.4.1.1). */
const FARTHEST = 50 * 365 * DAY;
const LONGEST_LEAD = 365 * DAY;
/** A suite that makes one for each test must not fill the store. */
const MOST_CLIENTS = 1000;

/**
 * What a test does to a mock beside its protocol. Each call is one atomic change that every process on
 * the store sees with its next request, and is recorded in the audit trail.
 * Rejects with a `WireProblem` whose text says what to do.
 */
export class Controls {
  protected readonly options: ControlsOptions;

  constructor(options: ControlsOptions) {
    this.options = options;
  }

  /** The time of the mock and the faults that are on. */
  async state(): Promise<ControlState> {
    const { issuer, core } = this.options;
    const { live, owner } = core;
    await live.refresh();
    const known = this.faults();
    const names = known.map(({ name }) => name);
    return {
      mock: owner,
      issuer,
      now: live.clock.now(),
      clockOffset: live.offset,
      faults: live.listFaults().filter((name) => names.includes(name)),
      knownFaults: names,
      ownFaults: known.filter(({ group }) => group === null).map(({ name }) => name),
    };
  }

  /** Every fault there is, with what it is about and what it does, in the order in which they are folded. */
  faults(): readonly KnownFault[] {
    const absent = this.options.absentFaults?.();
    const { knownFaults } = this.options.core;
    return absent === undefined ? knownFaults : knownFaults.filter(({ name }) => !absent.has(name));
  }

  /** Moves the clock of every mock on the store. */
  async moveClock(move: ClockMove): Promise<ControlState> {
    const { live } = this.options.core;
    await this.change('clock.moved', async (tx) => {
      const offset = 'offset' in move ? move.offset : (await live.readOffset(tx)) + move.advance;
      if (!Number.isSafeInteger(offset) || Math.abs(offset) > FARTHEST) {
        throw controlProblem('invalid_request', 'The clock cannot be moved that far.');
      }
      await live.writeOffset(tx, offset);
      return { offset_ms: offset };
    });
    return this.state();
  }

  /** Switches exactly these faults on, all others off. */
  async setFaults(faults: readonly string[]): Promise<ControlState> {
    const { live } = this.options.core;
    const wanted = this.readFaults(faults);
    await this.change('faults.set', async (tx) => {
      await live.writeFaults(tx, wanted);
      return { faults: wanted.join(' ') };
    });
    return this.state();
  }

  /** Names as faults, in the order in which they are known. @throws WireProblem for another name. */
  readFaults(names: readonly string[]): readonly string[] {
    const known = this.faults().map(({ name }) => name);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined) return known.filter((name) => names.includes(name));
    const absent = this.options.absentFaults?.().get(unknown);
    if (absent !== undefined) throw controlProblem('invalid_request', absent);
    const near = nearest(unknown, known);
    throw controlProblem(
      'invalid_request',
      `There is no fault "${unknown.slice(0, 64)}".` +
        `${near === undefined ? '' : ` Did you mean "${near}"?`} GET /__mock/faults lists the faults.`,
    );
  }

  /**
   * Makes the next signing key.
   * @param lead how long it is published before it signs, in milliseconds. Default: as long as the key
   *   set may be cached.
   */
  async rotateKeys(lead = PUBLIC_MAX_AGE * 1000): Promise<{ kid: string; signsFrom: number }> {
    const { core } = this.options;
    if (!Number.isSafeInteger(lead) || lead < 0 || lead > LONGEST_LEAD) {
      throw controlProblem('invalid_request', 'The lead must be a duration from 0s to 365d.');
    }
    await core.follow();
    const next = await core.keys.next(lead);
    await this.change('keys.rotated', async (tx) => {
      await next.store(tx);
      return { kid: next.kid };
    });
    await core.follow();
    return { kid: next.kid, signsFrom: next.signsFrom };
  }

  /** The clients that are known now; none: any is taken. */
  async clients(): Promise<readonly Client[]> {
    await this.options.core.follow();
    return this.options.clients.live.current();
  }

  /** Adds a client until the reset, or replaces the one of its id. The first one closes a mock that took any. */
  async setClient(given: ClientOptions): Promise<readonly Client[]> {
    const { live, resolve } = this.options.clients;
    const client = checked(() => resolve(given));
    await this.change('client.set', async (tx) => {
      const others = (await live.read(tx)).filter(({ id }) => id !== client.id);
      if (others.length >= MOST_CLIENTS) {
        throw controlProblem('conflict', `There are ${MOST_CLIENTS} clients. Remove one.`);
      }
      await live.write(tx, [...others, client]);
      return { client: client.id };
    });
    return this.clients();
  }

  /** Removes a client until the reset. Without the last one any is taken again. */
  async removeClient(id: string): Promise<readonly Client[]> {
    const { live } = this.options.clients;
    await this.change('client.removed', async (tx) => {
      const known = await live.read(tx);
      const others = known.filter((each) => each.id !== id);
      if (others.length === known.length) {
        throw controlProblem('not_found', 'There is no such client.');
      }
      await live.write(tx, others);
      return { client: id };
    });
    return this.clients();
  }

  /**
   * Ends access and refresh tokens as an administrator does, who asks neither the user nor the client. ID tokens and
   * ID-JAGs are good until they expire, and new tokens can be had.
   * @returns how many there were.
   */
  async endTokens({ clientId, email }: TokensOf = {}): Promise<number> {
    const user = email === undefined ? undefined : normalizeEmail(email);
    if (email !== undefined && user === undefined) {
      throw controlProblem('invalid_request', 'email must be an email address.');
    }
    let ended = 0;
    await this.change('tokens.ended', async (tx) => {
      ended = await this.options.endTokens(tx, { clientId, email: user });
      return { tokens: ended, ...(clientId !== undefined && { client: clientId }) };
    });
    return ended;
  }

  /** Resets to the start: no registration, no session, the configured users and faults, the machine's time. */
  async reset(): Promise<ControlState> {
    const { afterReset, clients, core, exchanges, initialFaults, reset } = this.options;
    const { keys, live, owner } = core;
    await core.follow();
    await this.change('reset', async (tx) => {
      await reset(tx, live.machineTime());
      await tx.run('DELETE FROM sessions WHERE owner = ?', [owner]);
      await keys.settle(tx);
      await clients.live.clear(tx);
      await live.writeOffset(tx, 0);
      await live.writeFaults(tx, initialFaults);
      return {};
    });
    exchanges.empty(owner);
    afterReset?.();
    await core.follow();
    return this.state();
  }

  /** The audit trail, oldest first. */
  async audit({ after, limit = 100 }: AuditPage = {}): Promise<readonly AuditRecord[]> {
    const { db, owner } = this.options.core;
    return readAudit(db, { owner, after, limit });
  }

  /**
   * What was asked of the mock and what it answered, oldest first, secrets as fingerprints; without the calls of
   * its controls. This process alone knows them. A reset forgets them; their numbers go on.
   */
  async exchanges(query: ExchangeQuery = {}): Promise<ExchangePage> {
    const { exchanges } = this.options;
    if (exchanges.kept > 0) return exchanges.read(query);
    throw controlProblem(
      'conflict',
      'Exchanges are not recorded here. Start the mock with the option exchanges above 0.',
    );
  }

  /** Makes one change by a control: its effect and its audit entry are stored together. */
  protected async change(
    action: AuditAction,
    work: (tx: Transaction) => Promise<NonNullable<AuditEntry['detail']>>,
  ): Promise<void> {
    const { db, live, owner } = this.options.core;
    await db.transaction(async (tx) => {
      const detail = await work(tx);
      const at = action === 'reset' ? live.machineTime() : live.clock.now();
      await recordAudit(tx, { owner, at, actor: 'control', action, detail });
      // The audit trail is emptied and its numbers go on, so that a reader that follows it misses nothing.
      if (action === 'reset') await forgetEarlier(tx, owner);
    });
    await live.changed();
  }
}

interface AuditPage {
  /** The `seq` of the last entry that is known. */
  readonly after?: number | undefined;
  /** Default: 100. */
  readonly limit?: number | undefined;
}

import type { RegistrationFacts } from '../../../../src/mock-service/claim-machine/facts.ts';
import { matchingTo, querying } from '../../../../src/mock-service/faults/id-jag-faults.ts';
import { BEFORE_CLAIM } from '../../../../src/mock-service/faults/redeciding.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { findNewest } from '../../../../src/mock-service/store/stored-registration.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { banning, choosing, revoking } from './event-effect-faults.ts';
import { rewrite, rewriteFacts, writing } from './writing.ts';

const { inState, at, both, withInput, withFacts } = rewire;

const isOfIdJag = ({ type }: RegistrationFacts) => type === 'identity_assertion';

/** Faults of a link that the owner of an account is asked for: who confirms it, and what ends it. */
export const CONFIRMATION_FAULTS = {
  acceptedConfirmationEmail: {
    description: 'hands the confirmation of an account over to another email (attack A-20)',
    decisions: at(
      'start',
      BEFORE_CLAIM,
      withFacts((facts) => (isOfIdJag(facts) ? { ...facts, type: 'anonymous' } : facts)),
    ),
    fails: { 'confirmation-reopen': ['owner-alone'] },
  },
  ignoredConfirmationEmail: {
    description: 'opens a confirmation anew whatever email is sent (wire contract §4)',
    decisions: at(
      'start',
      BEFORE_CLAIM,
      withInput((input, facts) => (isOfIdJag(facts) ? { ...input, email: undefined } : input)),
    ),
    fails: { 'confirmation-reopen': ['other-refused'] },
  },
  trustedEmailOfKnownSubject: {
    description: 'gives a known subject the account of the email that it comes with (attack A-20)',
    parts: querying(({ findRegistration }) => ({
      findRegistration: async (tx, idJag) => {
        const own = await findRegistration(tx, idJag);
        if (own === undefined || own.facts.email === idJag.email) return own;
        const claimed = 'email = ? AND user_id IS NOT NULL';
        return (await findNewest(tx, claimed, [idJag.email ?? ''])) ?? own;
      },
    })),
    fails: { 'id-jag-renamed': ['no-takeover'] },
  },
  ignoredEventOfConfirmed: {
    description: 'ends by an event only what nobody had to confirm (wire contract §7)',
    parts: choosing(
      'issuer = ? AND subject = ?',
      ({ issuer, subject }) => [issuer, subject],
      ({ needsClaim }) => !needsClaim,
    ),
    fails: {
      'event-confirmed': ['assertion-ended'],
      'event-unconfirmed': ['asked-before', 'approved-before'],
    },
  },
  staleTokenOfConfirmed: {
    description: 'keeps the access tokens of a confirmed link active after an event',
    parts: revoking(({ endRegistration }) => ({
      endRegistration: async (tx, registration, ...given) => {
        const { claimedAt, id } = registration.facts;
        if (claimedAt === undefined) return endRegistration(tx, registration, ...given);
        await tx.run('DELETE FROM assertions WHERE registration_id = ?', [id]);
        await rewrite(tx, 'id = ?', [id], (before) => ({ ...before, subject: '' }));
      },
    })),
    fails: { 'event-confirmed': ['tokens-ended'] },
  },
  extraDeliveryAfterEvent: {
    description: 'delivers a claim that an event has ended (wire contract §8)',
    decisions: at(
      'poll',
      ['revoked'],
      both(
        inState('claimed'),
        withInput((input) => ({ ...input, active: true })),
      ),
    ),
    fails: { 'event-confirmed': ['not-delivered'], 'event-unconfirmed': ['approved-before'] },
  },
  staleDelegation: {
    description: 'links a revoked subject to its account again without asking (wire contract §7)',
    decisions: matchingTo((match, { emailAccount, revokedUpTo }) => {
      const { email, id: userId } = emailAccount ?? {};
      const isKnown = match.kind === 'confirm' && revokedUpTo !== undefined;
      if (!isKnown || userId === undefined || email === undefined) return match;
      return { kind: 'link', userId, email };
    }),
    fails: { 'event-confirmed': ['asked-anew'] },
  },
  staleRevivedConfirmation: {
    description: 'revives what an event has ended when the next link is confirmed',
    parts: (service) => ({
      ...banning(service),
      ...writing((right) => ({
        complete_claim: async (tx, registration, effect) => {
          const { subject = '' } = registration;
          const revived = { revokedAt: undefined };
          await rewriteFacts(tx, "subject <> '' AND subject = ?", [subject], revived);
          return right.complete_claim(tx, registration, effect);
        },
      }))(service),
    }),
    fails: { 'event-confirmed': ['stays-ended'] },
  },
  ignoredEventOfBound: {
    description: 'ends by an event only what is bound to no resource (wire contract §7)',
    parts: choosing(
      'issuer = ? AND subject = ?',
      ({ issuer, subject }) => [issuer, subject],
      ({ resource }) => resource === undefined,
    ),
    fails: { 'event-reach': ['narrowed'] },
  },
  staleEarlierAssertion: {
    description: 'ends by an event only the latest assertion of its subject (wire contract §7)',
    parts: revoking(() => ({
      endRegistration: async (tx, { facts: { id } }) => {
        await tx.run('DELETE FROM access_tokens WHERE registration_id = ?', [id]);
        await tx.run(
          `DELETE FROM assertions WHERE registration_id = ? AND expires_at =
             (SELECT MAX(expires_at) FROM assertions WHERE registration_id = ?)`,
          [id, id],
        );
      },
    })),
    fails: { 'event-reach': ['each-assertion'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

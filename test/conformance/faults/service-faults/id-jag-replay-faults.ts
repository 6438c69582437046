import { querying } from '../../../../src/mock-service/faults/id-jag-faults.ts';
import { verifying } from '../../../../src/mock-service/faults/trust-faults.ts';
import { rewire } from '../../../../src/mock-service/index.ts';
import { MINUTE } from '../../../../src/protocol/durations.ts';
import type { ProvenServiceFault } from '../proven-fault.ts';
import { Barrier } from './barrier.ts';

const { replacing } = rewire;

/** Faults of redeeming an ID-JAG once. */
export const ID_JAG_REPLAY_FAULTS = {
  acceptedResignedReplay: {
    description: 'recognises a replay by the signature, not by the jti (attack A-03)',
    parts: verifying(({ read }) => ({
      read: (text) => {
        const jwt = read(text);
        const jti = text.slice(text.lastIndexOf('.') + 1);
        return jwt && { ...jwt, payload: { ...jwt.payload, jti } };
      },
    })),
    fails: { 'id-jag-replay': ['other-bytes', 'same-jti'] },
  },
  racyReplayCheck: {
    description: 'looks a jti up before it stores it, in two steps (attack A-10)',
    parts: ({ clock, db, idJags }) => {
      const { queries } = idJags;
      const barrier = new Barrier<boolean>();
      return {
        idJags: replacing(idJags, {
          queries: { ...queries, isUsed: async () => false },
          accept: (idJag, ...given) =>
            barrier.decideLate(
              `${idJag.issuer} ${idJag.jti}`,
              () => db.transaction((tx) => queries.isUsed(tx, idJag, clock.now())),
              async (isUsed) =>
                isUsed
                  ? { kind: 'refused', code: 'replay_detected' }
                  : idJags.accept(idJag, ...given),
            ),
        }),
      };
    },
    fails: { 'id-jag-replay': ['parallel'] },
  },
  sharedJti: {
    description: 'refuses a jti that another issuer has used (RFC 7519 §4.1.7)',
    parts: querying(() => ({
      isUsed: async (tx, { jti }) => {
        const sql = "SELECT jti FROM used_jtis WHERE kind = 'id-jag' AND jti = ?";
        return (await tx.get(sql, [jti])) !== undefined;
      },
    })),
    fails: { 'id-jag-replay': ['per-issuer'] },
  },
  shortJtiMemory: {
    description: 'forgets a used jti after a minute (RFC 7523 §3)',
    parts: (mock) =>
      querying((right) => ({
        spend: (tx, idJag) => right.spend(tx, idJag, mock.clock.now() + MINUTE),
        isUsed: async (tx, { issuer, jti }) => {
          const sql = 'SELECT jti FROM used_jtis WHERE issuer = ? AND jti = ? AND expires_at > ?';
          return (await tx.get(sql, [issuer, jti, mock.clock.now()])) !== undefined;
        },
      }))(mock),
    fails: { 'id-jag-replay': ['kept'] },
  },
} satisfies Readonly<Record<string, ProvenServiceFault>>;

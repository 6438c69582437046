import { replacing } from '../../mock/index.ts';
import { type CodeAt, decodeJwt, MINUTE } from '../../protocol/index.ts';
import { MAX_ID_JAG_LIFETIME } from '../config/lifetimes.ts';
import { Barrier } from './barrier.ts';
import { matchingBy, querying } from './id-jag-match-faults.ts';
import type { BuiltInServiceFault, Rewired } from './service-fault.ts';

/** What was refused uses its `jti` up. */
function burning(isBurnt: (code: CodeAt<'identity'>) => boolean): Rewired {
  return ({ verifyIdJag }) => ({
    verifyIdJag: async (service, assertion) => {
      const result = await verifyIdJag(service, assertion);
      if (result.ok || !isBurnt(result.refusal.code)) return result;
      const { clock, db, idJagQueries } = service;
      const { iss, jti } = decodeJwt(assertion)?.payload ?? {};
      const until = clock.now() + MAX_ID_JAG_LIFETIME;
      await db.transaction((tx) =>
        idJagQueries.spend(tx, { issuer: String(iss), jti: String(jti) }, until),
      );
      return result;
    },
  });
}

/** Faults of redeeming an ID-JAG once. */
export const ID_JAG_REPLAY_FAULTS = {
  acceptedReplay: {
    description: 'accepts the same ID-JAG twice (RFC 7523 §3, jti)',
    decisions: matchingBy(() => ({ jtiUsed: false })),
    breaks: ['W3-40', 'A-10', 'W3-17', 'IDJ-23'],
    fails: { 'id-jag-codes': ['codes'], 'id-jag-replay': ['again'] },
  },
  acceptedResignedReplay: {
    description: 'recognises a replay by the signature, not by the jti (attack A-03)',
    parts: ({ verifyIdJag }) => ({
      verifyIdJag: async (service, assertion) => {
        const result = await verifyIdJag(service, assertion);
        const signature = assertion.slice(assertion.lastIndexOf('.') + 1);
        return result.ok ? { ok: true, idJag: { ...result.idJag, jti: signature } } : result;
      },
    }),
    breaks: ['W3-17', 'A-10'],
    fails: { 'id-jag-replay': ['other-bytes', 'same-jti'] },
  },
  racyReplayCheck: {
    description: 'looks a jti up before it stores it, in two steps (attack A-10)',
    parts: ({ clock, db, idJagQueries, idJags }) => {
      const barrier = new Barrier<boolean>();
      return {
        idJagQueries: { ...idJagQueries, isUsed: async () => false },
        idJags: replacing(idJags, {
          accept: (idJag, ...given) =>
            barrier.decideLate(
              `${idJag.issuer} ${idJag.jti}`,
              () => db.transaction((tx) => idJagQueries.isUsed(tx, idJag, clock.now())),
              async (isUsed) =>
                isUsed
                  ? { kind: 'refused', code: 'replay_detected' }
                  : idJags.accept(idJag, ...given),
            ),
        }),
      };
    },
    breaks: ['A-10', 'W3-17', 'IDJ-23'],
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
    breaks: ['IDJ-23'],
    fails: { 'id-jag-replay': ['per-issuer'] },
  },
  shortJtiMemory: {
    description: 'forgets a used jti after a minute (RFC 7523 §3)',
    parts: ({ clock, idJagQueries }) => ({
      idJagQueries: {
        ...idJagQueries,
        spend: (tx, idJag) => idJagQueries.spend(tx, idJag, clock.now() + MINUTE),
        isUsed: async (tx, { issuer, jti }) => {
          const sql = 'SELECT jti FROM used_jtis WHERE issuer = ? AND jti = ? AND expires_at > ?';
          return (await tx.get(sql, [issuer, jti, clock.now()])) !== undefined;
        },
      },
    }),
    breaks: ['A-10', 'IDJ-23', 'W3-19'],
    fails: { 'id-jag-replay': ['kept'] },
  },
  extraForgedJti: {
    description: 'stores the jti of a forged ID-JAG as used (wire contract §3)',
    parts: burning((code) => code === 'invalid_signature'),
    breaks: ['W3-18'],
    fails: { 'id-jag-curable': ['forged-burns-nothing'] },
  },
  extraRefusedJti: {
    description: 'stores the jti of a refused ID-JAG as used (wire contract §3)',
    parts: burning((code) => code !== 'invalid_signature'),
    breaks: ['W3-18'],
    fails: { 'id-jag-curable': ['refused-burns-nothing'] },
  },
} as const satisfies Readonly<Record<string, BuiltInServiceFault>>;

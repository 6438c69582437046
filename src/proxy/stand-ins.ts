import { decodeJwt, isJwtType, type JsonObject, JWT_TYPE } from '../protocol/index.ts';
import { type Random, randomToken } from '../runtime/index.ts';
import type { Origins } from './origins.ts';

/** How many are remembered; an ID-JAG is good for minutes, an ID token for hours. */
const MOST = 1_000;
/** The claims that an agent compares with the URLs that it knows. */
const COMPARED = ['iss', 'aud', 'resource'] as const;

/**
 * ID tokens and ID-JAGs that came through the proxy, and what agents have of them. An agent wants them of the
 * issuer and for the audience that it sees, which are the proxy's; a provider takes none but its own, and a
 * service none but those for itself. A signature cannot be made again, so the agent gets a copy with other
 * claims and no signature at all, good for nothing elsewhere. Where it sends that on, what was signed is sent.
 */
export class StandIns {
  readonly #origins: Origins;
  readonly #random: Random;
  /** What was signed, by what stands for it. */
  readonly #signed = new Map<string, string>();

  constructor(origins: Origins, random: Random) {
    this.#origins = origins;
    this.#random = random;
  }

  /** What the agent gets in place of a JWT of its provider; `undefined` of any other text. */
  standInFor(text: string, hostname: string): string | undefined {
    const jwt = text.startsWith('eyJ') ? decodeJwt(text) : undefined;
    if (jwt === undefined || !isForAgents(jwt.header)) return undefined;
    const payload: Record<string, unknown> = { ...jwt.payload };
    for (const name of COMPARED) {
      if (name in payload) payload[name] = this.#local(payload[name], hostname);
    }
    if (JSON.stringify(payload) === JSON.stringify(jwt.payload)) return undefined;
    const [header = ''] = text.split('.');
    const standIn = `${header}.${encoded(payload)}.${randomToken(this.#random, 'unsigned')}`;
    this.#signed.set(standIn, text);
    const [oldest] = this.#signed.size > MOST ? this.#signed.keys() : [];
    if (oldest !== undefined) this.#signed.delete(oldest);
    return standIn;
  }

  #local(value: unknown, hostname: string): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#local(each, hostname));
    return typeof value === 'string' ? this.#origins.toLocal(value, hostname) : value;
  }

  /** What was signed; `undefined` of a text that stands for nothing. With the scheme of credentials, too. */
  signed(text: string): string | undefined {
    if (this.#signed.size === 0) return undefined;
    const [, scheme = '', token = ''] = /^((?:bearer|dpop) +)?(\S+)$/i.exec(text) ?? [];
    const signed = this.#signed.get(token);
    return signed && scheme + signed;
  }

  /** The audience of a JWT that names this proxy, and who signed it. `undefined` of any other text. */
  forProxy(text: string): { readonly audience: string; readonly issuer: unknown } | undefined {
    const jwt = text.startsWith('eyJ') ? decodeJwt(text) : undefined;
    const audience = [jwt?.payload['aud']]
      .flat()
      .find((each) => typeof each === 'string' && this.#origins.real(each) !== undefined);
    if (typeof audience !== 'string') return undefined;
    return { audience, issuer: jwt?.payload['iss'] };
  }
}

/** An ID-JAG, or an ID token, whose type is left out or says no more than that it is a JWT (RFC 7519 §5.1). */
function isForAgents({ typ }: JsonObject): boolean {
  return typ === undefined || isJwtType(typ, 'JWT') || isJwtType(typ, JWT_TYPE.idJag);
}

function encoded(payload: object): string {
  return Buffer.from(JSON.stringify(payload)).toString('base64url');
}

/** So many secrets are remembered with their registration. */
const MAX_LINKS = 20_000;

const REGISTRATION = /\breg_[\w-]{10,}/g;
const FINGERPRINT = /secret~[\w-]{8}/g;
/** They belong to a user at a browser, who may have several registrations. */
const OF_A_BROWSER = /"(?:cookie|set-cookie|csrf_token)":"(?:[^"\\]|\\.)*"/g;

/** Which registration an exchange is about: the one that it names, else the one that its secrets were seen with. */
export class RegistrationLinks {
  readonly #links = new Map<string, string>();

  /** @param json an exchange, redacted. */
  of(json: string): string | undefined {
    const text = json.replace(OF_A_BROWSER, '');
    const secrets = new Set(text.match(FINGERPRINT));
    const named = new Set(text.match(REGISTRATION));
    const [only, another] =
      named.size > 0 ? named : new Set([...secrets].flatMap((one) => this.#links.get(one) ?? []));
    if (only === undefined || another !== undefined) return undefined;
    for (const secret of secrets) this.#link(secret, only);
    return only;
  }

  #link(secret: string, registration: string): void {
    this.#links.delete(secret);
    this.#links.set(secret, registration);
    const [oldest] = this.#links.size > MAX_LINKS ? this.#links.keys() : [];
    if (oldest !== undefined) this.#links.delete(oldest);
  }
}

/**
 * Servers of others that pages name. At each place stands a mock of the page: the service's for a service, the
 * provider's for a provider. A page that starts a server there by itself gets none.
 */
export const STAND_INS = {
  service: ['https://api.example.com', 'https://api.example.test', 'http://127.0.0.1:8080'],
  provider: ['https://provider.example', 'https://id.example.test'],
} as const;

/** Ports that pages name because they are the program's own, or by habit of the field. */
const PORT = /(?<=(?:127\.0\.0\.1|localhost|0\.0\.0\.0):|-port[= ])\d{4,5}\b/g;

/** Of the program, and the two of what stands in. */
const DEFAULTS = ['4800', '4801', '4840', '4841', '4700', '4701'] as const;

/** The ports of a page: each that it names, and where that is while the page runs. */
export class PagePorts {
  readonly #real = new Map<string, number>();
  readonly #named = new Map<string, string>();

  /** @param first the first of as many free ports as the page needs ({@link countPorts}). */
  constructor(text: string, first: number) {
    const named = portsIn(text);
    named.forEach((port, index) => {
      this.#real.set(port, first + index);
      this.#named.set(String(first + index), port);
    });
  }

  real(port: string): number {
    const real = this.#real.get(port);
    if (real === undefined) throw new Error(`The page does not name the port ${port}.`);
    return real;
  }

  /** A text of the page, as it runs here. */
  there(text: string): string {
    let local = text;
    for (const host of STAND_INS.service) local = at(local, host, 'http://127.0.0.1:4700');
    for (const host of STAND_INS.provider) local = at(local, host, 'http://127.0.0.1:4701');
    return this.inFile(local);
  }

  /** What a page writes to a file: servers of others are only named there. */
  inFile(text: string): string {
    return text.replace(/\b\d{4,5}\b/g, (port) => String(this.#real.get(port) ?? port));
  }

  /** Whether something has to stand in for what the text names. */
  needsStandIn(text: string): boolean {
    return (
      this.there(text).match(new RegExp(`:(${this.real('4700')}|${this.real('4701')})\\b`)) !== null
    );
  }

  /** A text of a program, as the page `shown` would say it. */
  back(text: string, shown = ''): string {
    const named = text.replace(/\b\d{5}\b/g, (port) => this.#named.get(port) ?? port);
    const service = STAND_INS.service.find((host) => shown.includes(host));
    const provider = STAND_INS.provider.find((host) => shown.includes(host));
    return named
      .replaceAll('http://127.0.0.1:4700', service ?? 'http://127.0.0.1:4700')
      .replaceAll('http://127.0.0.1:4701', provider ?? 'http://127.0.0.1:4701');
  }
}

/** A word of a command, not within a longer host or the value of something; `--base` only names a place. */
function at(text: string, host: string, local: string): string {
  const word = `(?<=^|[\\s"'])(?<!--base )${host.replaceAll('.', '\\.')}(?![\\w:.-]*\\w)`;
  return text.replace(new RegExp(word, 'gm'), local);
}

export function countPorts(text: string): number {
  return portsIn(text).length;
}

/** The defaults first: a provider takes the port after its service. */
function portsIn(text: string): readonly string[] {
  return [...new Set([...DEFAULTS, ...[...text.matchAll(PORT)].map(([port]) => port)])];
}

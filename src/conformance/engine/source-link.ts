import { ownPackage, type PackageFile } from './own-package.ts';

/** A source of a requirement and where it can be read. */
export interface SourceLink {
  /** The source as the requirement cites it: `RFC 9728 §3.3`, `specification, Errors`, `attack A-20`. */
  readonly text: string;
  /**
   * An https URL, or `docs/…#…` from the root of this package where it says no repository. Absent for a
   * source that this version does not know, as a report of another version may have.
   */
  readonly href?: string;
}

/** Texts of the OpenID Foundation: their place, and the anchor of a section. */
const OPENID: Readonly<Record<string, readonly [page: string, anchor: string]>> = {
  CAEP: ['openid-caep-1_0-final', 'section-'],
  CIBA: ['openid-client-initiated-backchannel-authentication-core-1_0', 'rfc.section.'],
  'OpenID Connect Core 1.0': ['openid-connect-core-1_0', 'rfc.section.'],
  RISC: ['openid-risc-1_0-final', 'section-'],
  SSF: ['openid-sharedsignals-framework-1_0-final', 'section-'],
};

const SESSIONS =
  'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html';

/** Texts whose sections have names of their own. */
const NAMED: Readonly<Record<string, string>> = {
  'Fetch, CORS protocol': 'https://fetch.spec.whatwg.org/#http-cors-protocol',
  'Fetch, Origin header': 'https://fetch.spec.whatwg.org/#origin-header',
  'OWASP, Session Expiration': `${SESSIONS}#session-expiration`,
  'OWASP, Web Content Caching': `${SESSIONS}#web-content-caching`,
};

/** MCP Enterprise-Managed Authorization. */
const EMA =
  'https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/stable/enterprise-managed-authorization.mdx';
const MCP = 'https://modelcontextprotocol.io/specification/2025-11-25/basic';

type Place = (parts: readonly string[], base: string) => string | undefined;

/** What a source may look like, and where it then is. */
const PLACES: readonly (readonly [RegExp, Place])[] = [
  [/^RFC (\d+)$/, ([number]) => rfc(number)],
  [/^RFC (\d+) §([\d.]+)$/, ([number, section]) => `${rfc(number)}#section-${section}`],
  [/^RFC (\d+) App\. ([A-Z][\d.]*)$/, ([number, part]) => `${rfc(number)}#appendix-${part}`],
  [/^(draft-[a-z0-9-]+-\d\d)$/, ([name]) => draft(name)],
  [/^(draft-[a-z0-9-]+-\d\d) §([\d.]+)$/, ([name, part]) => `${draft(name)}#section-${part}`],
  [/^EMA §[\d.]+$/, () => EMA],
  [/^([A-Z][\w. ]*?) §([\d.]+)$/, ([name = '', section]) => openid(name, section)],
  [/^MCP ([a-z]+), (.+)$/, ([page, name = '']) => `${MCP}/${page}#${slug(name)}`],
  [/^Open Data API v2, ([a-z]+\/[a-z]+)$/, ([method]) => openData(method)],
  [/^specification, (.+)$/, ([name = ''], base) => `${base}docs/specification.md#${slug(name)}`],
  [
    /^directory specification, (.+)$/,
    ([name = ''], base) => `${base}docs/specification.md#directory-${slug(name)}`,
  ],
  [
    /^wire contract §(\d+(?:\.\d+)?)$/,
    ([section], base) => `${base}docs/wire-contract.md#section-${section}`,
  ],
  [/^attack (A-\d\d)$/, ([id = ''], base) => `${base}docs/attacks.md#${slug(id)}`],
];

/** Where a source can be read. `base` is what the pages of `docs/` stand below, with its final slash. */
export function sourceLink(text: string, base = documentationBase()): SourceLink {
  const href = NAMED[text] ?? placeOf(text, base);
  return href === undefined ? { text } : { text, href };
}

function placeOf(text: string, base: string): string | undefined {
  for (const [form, place] of PLACES) {
    const found = form.exec(text);
    if (found !== null) return place(found.slice(1), base);
  }
  return undefined;
}

function rfc(number = ''): string {
  return `https://www.rfc-editor.org/rfc/rfc${number}`;
}

function draft(name = ''): string {
  return `https://datatracker.ietf.org/doc/html/${name}`;
}

function openid(name: string, section = ''): string | undefined {
  const found = OPENID[name];
  return found && `https://openid.net/specs/${found[0]}.html#${found[1]}${section}`;
}

/** The pages of the methods that the directory lists. */
function openData(method = ''): string {
  return `https://github.com/uWaterloo/api-documentation/blob/master/v2/${method}.md`;
}

/** The anchor that a heading has on GitHub. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

let ownBase: string | undefined;

function documentationBase(): string {
  ownBase ??= baseOf(ownPackage());
  return ownBase;
}

/** Where the files of a package can be read on the web, with a final slash; empty if it does not say. */
export function baseOf({ repository }: PackageFile): string {
  const url = typeof repository === 'string' ? repository : repository?.url;
  const plain = url
    ?.replace(/^github:|^(?=[\w.-]+\/[\w.-]+$)/, 'https://github.com/')
    .replace(/^git\+/, '')
    .replace(/\.git$/, '');
  return plain?.startsWith('https://') ? `${plain}/blob/HEAD/` : '';
}

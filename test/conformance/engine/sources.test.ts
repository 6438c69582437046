import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourceLink } from '../../../src/conformance/engine/source-link.ts';
import { readRequirements } from '../../../src/conformance/index.ts';
import { anchorsIn } from '../../support/anchors.ts';

const root = join(import.meta.dirname, '../../..');
const sources = [...new Set(readRequirements().flatMap((each) => each.sources))];
const hrefs = sources.map((source) => [source, sourceLink(source, '').href ?? ''] as const);

const SECTION = String.raw`(?:\d+(?:\.\d+)*)`;
/** Where texts of others are read, each with the anchor of a section. */
const ON_THE_WEB = [
  `https://www\\.rfc-editor\\.org/rfc/rfc\\d{4,5}(?:#(?:section-${SECTION}|appendix-[A-Z]))?`,
  `https://datatracker\\.ietf\\.org/doc/html/draft-ietf-oauth-[a-z0-9-]+-\\d\\d(?:#section-${SECTION})?`,
  `https://openid\\.net/specs/openid-[a-z0-9_-]+\\.html#(?:rfc\\.section\\.|section-)${SECTION}`,
  'https://github\\.com/modelcontextprotocol/ext-auth/blob/main/[a-z/-]+\\.mdx',
  'https://modelcontextprotocol\\.io/specification/[\\d-]+/basic/[a-z]+#[a-z-]+',
  'https://fetch\\.spec\\.whatwg\\.org/#[a-z-]+',
  'https://cheatsheetseries\\.owasp\\.org/cheatsheets/[A-Za-z_]+\\.html#[a-z-]+',
  'https://github\\.com/uWaterloo/api-documentation/blob/master/v2/[a-z]+/[a-z]+\\.md',
].map((form) => new RegExp(`^${form}$`));

describe('each source of a requirement', () => {
  it('can be opened', () => {
    expect(sources.length).toBeGreaterThan(250);
    expect(hrefs.flatMap(([source, href]) => (href === '' ? [source] : []))).toEqual([]);
  });

  it('of others is at a known place on the web', () => {
    const web = hrefs.filter(([, href]) => !href.startsWith('docs/'));
    expect(web.length).toBeGreaterThan(150);
    expect(web.filter(([, href]) => !ON_THE_WEB.some((form) => form.test(href)))).toEqual([]);
  });

  it('of ours is an anchor of a page that is there', () => {
    const own = hrefs.filter(([, href]) => href.startsWith('docs/'));
    expect(own.length).toBeGreaterThan(80);
    const missing = own.filter(([, href]) => {
      const [page = '', anchor = ''] = href.split('#');
      return !anchorsIn(readFileSync(join(root, page), 'utf8')).has(anchor);
    });
    expect(missing).toEqual([]);
  });
});

it('names on the page of attacks each one that is cited, and no other', () => {
  const cited = sources.flatMap((source) => /^attack (A-\d\d)$/.exec(source)?.[1] ?? []);
  const page = readFileSync(join(root, 'docs/attacks.md'), 'utf8');
  const described = [...page.matchAll(/<a id="(a-\d\d)">/g)].map(([, id = '']) => id.toUpperCase());
  expect(described.sort()).toEqual(cited.sort());
});
